import { z } from 'zod';
import { BoundedMap } from '../../bridge/model/bounded-map.ts';
import type { Actor, ChatEvent, ThreadRef } from '../../bridge/model/chat.ts';
import type { ChatEventSink } from '../../bridge/ports/chat-adapter.ts';
import type { Clock } from '../../bridge/ports/clock.ts';
import type { Log } from '../../bridge/ports/log.ts';
import { isLasting } from './classify.ts';
import type { Clicks } from './clicks.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import { download } from './files.ts';
import type { Packet } from './gateway-endings.ts';
import type { History } from './history.ts';
import {
  actorOf,
  deleteEvent,
  editEvent,
  type InboundContext,
  isFromPerson,
  longTextOf,
  type MessageSeen,
  messageShape,
  reactionEvent,
  reactionShape,
  replyEvent,
} from './inbound.ts';
import type { Members } from './members.ts';
import type { NameBook } from './name-book.ts';
import { type Places, threadRef } from './places.ts';

export interface ListenDeps {
  readonly places: Places;
  readonly names: NameBook;
  readonly members: Members;
  readonly queue: DeliveryQueue;
  readonly history: History;
  readonly clicks: Clicks;
  readonly sink: ChatEventSink;
  readonly self: () => Promise<string>;
  readonly clock: Clock;
  readonly log: Log;
  /** How long a file may take to come, ms. */
  readonly callTimeout: number;
}

const deletedShape = z.object({ id: z.string(), channel_id: z.string() });
const bulkShape = z.object({ ids: z.array(z.string()), channel_id: z.string() });

/** A longer text file is a file, not a message, bytes. */
const longestText = 1_000_000;

/** Turns what the Gateway tells into chat events, in order, each once. */
export class Listener {
  readonly #deps: ListenDeps;
  /** Keys of events that were stored: a repeated dispatch is no news. */
  readonly #done = new BoundedMap<true>(5_000);
  readonly #authors = new BoundedMap<Actor>(5_000);

  constructor(deps: ListenDeps) {
    this.#deps = deps;
  }

  hear({ t, d }: Packet): void {
    switch (t) {
      case 'MESSAGE_CREATE':
        this.#parse(messageShape, d, (m) => this.#add(m.channel_id, () => this.message(m)));
        return;
      case 'MESSAGE_UPDATE':
        this.#parse(messageShape, d, (m) => this.#add(m.channel_id, () => this.#edited(m)));
        return;
      case 'MESSAGE_DELETE':
        this.#parse(deletedShape, d, (m) => this.#deleted(m.channel_id, [m.id]));
        return;
      case 'MESSAGE_DELETE_BULK':
        this.#parse(bulkShape, d, (m) => this.#deleted(m.channel_id, m.ids));
        return;
      case 'MESSAGE_REACTION_ADD':
      case 'MESSAGE_REACTION_REMOVE':
        this.#reacted(d, t === 'MESSAGE_REACTION_ADD');
        return;
      case 'INTERACTION_CREATE':
        void this.#deps.clicks.handle(d);
        return;
      default:
        this.#deps.names.learn({ t, d }, this.#deps.places);
    }
  }

  /** One message, live or read back. Rejects when it could not be stored. */
  async message(seen: MessageSeen, readBack?: ThreadRef): Promise<void> {
    const { places, history, members } = this.#deps;
    if (!isFromPerson(seen, await this.#deps.self())) return;
    const thread = readBack ?? (await places.threadOf(seen.channel_id));
    if (thread === undefined) return;
    const ctx = await this.#context(thread);
    const longText = await this.#longText(seen);
    const event = replyEvent(seen, ctx, { longText, isFromHistory: readBack !== undefined });
    const isWebhook = seen.webhook_id !== undefined;
    // History does not tell roles.
    const actor =
      seen.member === undefined
        ? await members.actor(ctx.guild, seen.author, isWebhook)
        : event.actor;
    await this.#store({ ...event, actor });
    this.#authors.set(seen.id, actor);
    history.heard(thread.thread, seen.id);
  }

  /** A message as history gives it. */
  async readBack(data: unknown, thread: ThreadRef): Promise<void> {
    const parsed = messageShape.safeParse(data);
    if (parsed.success) await this.message(parsed.data, thread);
    else this.#deps.log.debug({ err: parsed.error }, 'a message that cannot be read');
  }

  async #edited(seen: MessageSeen): Promise<void> {
    if (!isFromPerson(seen, await this.#deps.self())) return;
    const thread = await this.#deps.places.threadOf(seen.channel_id);
    if (thread === undefined) return;
    const event = editEvent(seen, await this.#context(thread), await this.#longText(seen));
    if (event !== undefined) await this.#store(event);
  }

  /** In its turn: the message itself may still wait to be stored. */
  #deleted(channel: string, messages: readonly string[]): void {
    const at = this.#deps.clock.now();
    for (const message of messages)
      this.#add(channel, async () => {
        const author = this.#authors.get(message);
        if (author === undefined) return;
        const thread = await this.#deps.places.threadOf(channel);
        if (thread !== undefined) await this.#store(deleteEvent(thread, message, author, at));
      });
  }

  #reacted(data: unknown, isAdded: boolean): void {
    const at = this.#deps.clock.now();
    this.#parse(reactionShape, data, (reaction) =>
      this.#add(reaction.channel_id, async () => {
        if (reaction.user_id === (await this.#deps.self())) return;
        const { places, members } = this.#deps;
        const { channel_id: channel, message_id: message, member } = reaction;
        // The head of a thread in a text channel stands in the channel.
        const thread = places.isOwn(channel)
          ? threadRef(channel, message)
          : await places.threadOf(channel);
        if (thread === undefined) return;
        const { guild } = await this.#context(thread);
        const unnamed = { id: reaction.user_id, username: reaction.user_id };
        const actor =
          member === undefined
            ? await members.actor(guild, unnamed)
            : actorOf(member.user, member, guild);
        await this.#store(reactionEvent(reaction, actor, thread, { isAdded, at }));
      }),
    );
  }

  #add(channel: string, act: () => Promise<void>): void {
    if (!this.#deps.queue.add(channel, act))
      this.#deps.log.warn({ channel }, 'too much waits to be stored: it is read back later');
  }

  async #store(event: ChatEvent): Promise<void> {
    if (this.#done.has(event.key)) return;
    await this.#deps.sink(event);
    this.#done.set(event.key, true);
  }

  async #context(thread: ThreadRef): Promise<InboundContext> {
    const { names, places, self } = this.#deps;
    const guild = await places.guildOf(thread);
    return { thread, guild, names: { self: await self(), ...names.lookups } };
  }

  async #longText(seen: MessageSeen): Promise<string | undefined> {
    const file = longTextOf(seen);
    if (file === undefined || file.size > longestText) return undefined;
    try {
      const bytes = await download(file.url, longestText, this.#deps.callTimeout);
      return Buffer.from(bytes).toString('utf8');
    } catch (error) {
      // It is no longer there: then the message is what stands beside it.
      if (isLasting(error)) return undefined;
      throw error;
    }
  }

  #parse<T>(shape: z.ZodType<T>, data: unknown, act: (value: T) => void): void {
    const parsed = shape.safeParse(data);
    if (parsed.success) act(parsed.data);
    else this.#deps.log.debug({ err: parsed.error }, 'a dispatch that cannot be read');
  }
}
