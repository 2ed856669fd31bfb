import type { ChatEvent, ChatEventBody, MessageRef, ThreadRef } from '../../bridge/model/chat.ts';
import { BridgeError } from '../../bridge/model/errors.ts';
import type { ChatEventSink } from '../../bridge/ports/chat-adapter.ts';
import type { Clock } from '../../bridge/ports/clock.ts';
import type { Log } from '../../bridge/ports/log.ts';
import type { Actors } from './actors.ts';
import { messageRef, msOf, slackId, threadRef, userActorId } from './ids.ts';
import { type Identity, type Inbound, readEvent, type Sender } from './inbound.ts';
import { type Interaction, ownWordsView, readInteraction } from './inbound-actions.ts';
import { emojiOf, sameEmoji } from './inbound-emoji.ts';
import type { ReceiverEvent } from './socket.ts';
import type { Json, SlackWeb } from './web.ts';
import { wordsOf } from './words.ts';

export interface ListenDeps {
  readonly web: SlackWeb;
  readonly actors: Actors;
  readonly clock: Clock;
  readonly log: Log;
  readonly sink: ChatEventSink;
  readonly identity: () => Identity;
  /** Reactions that are told of; as configured. */
  readonly reactions: readonly string[];
  /** The root of a message's thread, where this process knows it. */
  readonly rootOf: (ts: string) => string | undefined;
  /** Slack tells of itself: a root or a channel is gone, tokens are revoked. */
  readonly onFact: (fact: Inbound) => void;
  /** A person's message was handed on; ts. */
  readonly onHeard: (thread: ThreadRef, ts: string) => void;
}

/** Turns what Slack sends into chat events, and acknowledges what is durable. */
export class Listener {
  readonly #deps: ListenDeps;
  readonly #reactions: ReadonlySet<string>;
  /** The newest event of each channel; the next one waits for it. */
  readonly #turns = new Map<string, Promise<void>>();

  constructor(deps: ListenDeps) {
    this.#deps = deps;
    this.#reactions = new Set(deps.reactions.map(sameEmoji));
  }

  /** Persist, then ack. A rejection means: not acknowledged, Slack sends it again. */
  async onEvent({ body, ack }: ReceiverEvent): Promise<void> {
    const interaction = readInteraction(body);
    if (interaction.type !== 'ignored' || (body as Json)['type'] !== 'event_callback') {
      await this.#interact(interaction, ack);
      return;
    }
    const inbound = readEvent(body, this.#deps.identity());
    await this.#inTurn('channel' in inbound ? inbound.channel : '', () =>
      this.take(inbound, false),
    );
    await ack();
  }

  /** In the order in which they came: who wrote one may still be asked of Slack when the next is here. */
  async #inTurn(channel: string, take: () => Promise<void>): Promise<void> {
    const before = this.#turns.get(channel) ?? Promise.resolve();
    const taken = before.then(take, take);
    this.#turns.set(channel, taken);
    try {
      await taken;
    } finally {
      if (this.#turns.get(channel) === taken) this.#turns.delete(channel);
    }
  }

  /** Also for what is read back from history. Resolves when the sink has it. */
  async take(inbound: Inbound, isFromHistory: boolean): Promise<void> {
    switch (inbound.type) {
      case 'ignored':
        return;
      case 'message':
        return this.#message(inbound, isFromHistory);
      case 'edit': {
        const { channel, thread, ts, editedTs } = inbound;
        const { text } = await wordsOf(inbound.message, this.#botUser, this.#deps);
        const ref = messageRef(channel, thread, ts);
        await this.#give(
          `edit:${channel}:${ts}:${editedTs}`,
          inbound.from,
          ref.thread,
          msOf(editedTs),
          {
            type: 'edit',
            messageRef: ref,
            text,
          },
        );
        return;
      }
      case 'delete': {
        const { channel, thread, ts } = inbound;
        const ref = messageRef(channel, thread, ts);
        const body = { type: 'delete', messageRef: ref } as const;
        return this.#give(`delete:${channel}:${ts}`, inbound.from, ref.thread, this.#now, body);
      }
      case 'reaction':
        return this.#reaction(inbound);
      default:
        this.#deps.onFact(inbound);
    }
  }

  get #now(): number {
    return this.#deps.clock.now();
  }

  get #botUser(): string {
    return this.#deps.identity().botUser;
  }

  async #message(
    inbound: Extract<Inbound, { type: 'message' }>,
    isFromHistory: boolean,
  ): Promise<void> {
    const { channel, thread, ts, from } = inbound;
    const { text, files, mentioned } = await wordsOf(inbound.message, this.#botUser, this.#deps);
    const { team } = this.#deps.identity();
    const mentions = mentioned.map((user) => userActorId(team, user));
    const ref = messageRef(channel, thread, ts);
    await this.#give(`message:${channel}:${ts}`, from, ref.thread, msOf(ts), {
      type: 'reply',
      text,
      messageRef: ref,
      ...(isFromHistory && { isFromHistory }),
      ...(mentions.length > 0 && { mentions }),
      ...(files.length > 0 && { files }),
    });
    this.#deps.onHeard(ref.thread, ts);
  }

  async #reaction(inbound: Extract<Inbound, { type: 'reaction' }>): Promise<void> {
    const { channel, ts, user, name, isAdded, eventTs } = inbound;
    const emoji = emojiOf(name);
    if (!this.#reactions.has(emoji)) return;
    const root = this.#deps.rootOf(ts) ?? (await this.#lookUpRoot(channel, ts));
    if (root === undefined) return;
    const ref: MessageRef = messageRef(channel, root, ts);
    const key = `reaction:${channel}:${ts}:${user}:${name}:${eventTs}`;
    const body = { type: 'reaction', messageRef: ref, emoji, isAdded } as const;
    await this.#give(key, { user, bot: undefined }, ref.thread, msOf(eventTs), body);
  }

  async #lookUpRoot(channel: string, ts: string): Promise<string | undefined> {
    try {
      const answer = await this.#deps.web.call('conversations.replies', { channel, ts, limit: 1 });
      const [first] = (answer['messages'] ?? []) as readonly Json[];
      const root = first?.['thread_ts'] ?? first?.['ts'];
      return typeof root === 'string' ? root : undefined;
    } catch (error) {
      if (error instanceof BridgeError && error.code === 'thread-gone') return undefined;
      throw error;
    }
  }

  async #give(
    key: string,
    from: Sender,
    thread: ThreadRef,
    at: number,
    body: ChatEventBody,
  ): Promise<void> {
    const actor = await this.#deps.actors.of(from);
    const event: ChatEvent = { key, platform: slackId, actor, target: { thread }, at, body };
    await this.#deps.sink(event);
  }

  async #interact(interaction: Interaction, ack: ReceiverEvent['ack']): Promise<void> {
    switch (interaction.type) {
      case 'ignored':
        await ack();
        return;
      case 'ask-own-words': {
        const { dialog, channel, thread, trigger, user } = interaction;
        const view = ownWordsView({ dialog, channel, thread });
        // The trigger is good for three seconds: nothing is waited for between the two.
        const acked = ack();
        const opened = this.#deps.web.call('views.open', { trigger_id: trigger, view });
        await acked;
        await opened.catch((error: unknown) => this.#formFailed(error, channel, thread, user));
        return;
      }
      case 'incomplete': {
        const { channel, thread, user, text, field } = interaction;
        await ack(field && { response_action: 'errors', errors: { [field]: text } });
        if (field === undefined) await this.#say(channel, thread, user, text);
        return;
      }
      case 'act': {
        const { channel, thread, user, key, body, at } = interaction;
        const from = { user, bot: undefined };
        await this.#give(key, from, threadRef(channel, thread), at ?? this.#now, body);
        await ack();
      }
    }
  }

  async #formFailed(error: unknown, channel: string, thread: string, user: string): Promise<void> {
    this.#deps.log.warn({ err: error }, 'the form for own words did not open');
    await this.#say(
      channel,
      thread,
      user,
      'The form did not open. Press the button again, or reply with: !answer your words',
    );
  }

  async #say(channel: string, thread_ts: string, user: string, text: string): Promise<void> {
    try {
      await this.#deps.web.call('chat.postEphemeral', { channel, thread_ts, user, text });
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'a private word could not be shown');
    }
  }
}
