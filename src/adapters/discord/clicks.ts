import { Routes } from 'discord.js';
import { z } from 'zod';
import { BoundedMap } from '../../bridge/model/bounded-map.ts';
import type { ChatEvent, ChatEventBody, ThreadRef } from '../../bridge/model/chat.ts';
import type { DialogId } from '../../bridge/model/ids.ts';
import type { ChatEventSink } from '../../bridge/ports/chat-adapter.ts';
import type { Log } from '../../bridge/ports/log.ts';
import { clickedOf, customIdOf } from './encode-custom-id.ts';
import { actorOf, memberWithUser } from './inbound.ts';
import { limits, madeAt, messageFlags } from './limits.ts';
import { discordId, type Places, threadRef } from './places.ts';
import type { DiscordRest } from './rest.ts';
import type { Whisperer } from './whisper.ts';

const inputShape = z.object({ custom_id: z.string(), value: z.string() }).partial();
const rowShape = z.object({
  component: inputShape.optional(),
  components: z.array(inputShape).optional(),
});
const interactionShape = z.object({
  id: z.string(),
  application_id: z.string(),
  type: z.number(),
  token: z.string(),
  guild_id: z.string(),
  channel_id: z.string(),
  member: memberWithUser,
  message: z.object({ id: z.string() }),
  data: z.object({
    custom_id: z.string(),
    values: z.array(z.string()).optional(),
    components: z.array(rowShape).optional(),
  }),
});
type Interaction = z.output<typeof interactionShape>;

export interface ClickDeps {
  readonly rest: DiscordRest;
  readonly places: Places;
  readonly whisperer: Whisperer;
  readonly log: Log;
  readonly sink: ChatEventSink;
  /** Somebody else has answered a click that was ours to answer. */
  readonly onRival: () => void;
}

const response = { whisper: 4, nothing: 6, modal: 9 } as const;
const alreadyAnswered = 40060;

/** Turns clicks and modals into events: each is durable before the person sees it taken. */
export class Clicks {
  readonly #deps: ClickDeps;
  /** What somebody has chosen and not submitted yet, by message and person. */
  readonly #chosen = new BoundedMap<readonly number[]>(500);

  constructor(deps: ClickDeps) {
    this.#deps = deps;
  }

  /** Never rejects: what cannot be stored is not acknowledged, and the person sees that it failed. */
  async handle(data: unknown): Promise<void> {
    const { log } = this.#deps;
    const parsed = interactionShape.safeParse(data);
    if (!parsed.success) {
      log.debug({ err: parsed.error }, 'an interaction that is none of ours');
      return;
    }
    try {
      const thread = await this.#threadOf(parsed.data);
      if (thread !== undefined) await this.#handle(parsed.data, thread);
    } catch (error) {
      const code = (error as { cause?: { code?: unknown } }).cause?.code;
      if (code === alreadyAnswered) this.#deps.onRival();
      log.warn({ err: error }, 'a click could not be answered');
    }
  }

  /** The head of a thread in a text channel stands in the channel. */
  async #threadOf(interaction: Interaction): Promise<ThreadRef | undefined> {
    const { channel_id: channel, message } = interaction;
    return this.#deps.places.isOwn(channel)
      ? threadRef(channel, message.id)
      : this.#deps.places.threadOf(channel);
  }

  async #handle(interaction: Interaction, thread: ThreadRef): Promise<void> {
    const clicked = clickedOf(interaction.data.custom_id);
    if (clicked === undefined) {
      await this.#whisper(interaction, 'This button no longer does anything.');
      return;
    }
    const chosenBy = `${interaction.message.id} ${interaction.member.user.id}`;
    switch (clicked.type) {
      case 'ask-words':
        if (interaction.type === 5) await this.#words(interaction, thread, clicked.dialog);
        else await this.#openModal(interaction, clicked.dialog);
        return;
      case 'select': {
        const values = (interaction.data.values ?? []).map(Number).filter(Number.isInteger);
        this.#chosen.set(
          chosenBy,
          [...values].sort((a, b) => a - b),
        );
        await this.#respond(interaction, { type: response.nothing });
        return;
      }
      case 'submit': {
        const chosen = this.#chosen.get(chosenBy) ?? [];
        if (chosen.length === 0) {
          await this.#whisper(interaction, 'Choose at least one above, then press Submit.');
          return;
        }
        const answer = { type: 'choose', choices: [chosen] } as const;
        await this.#act(interaction, thread, { type: 'answer', dialog: clicked.dialog, answer });
        this.#chosen.delete(chosenBy);
        return;
      }
      case 'ask-interrupt':
        await this.#act(interaction, thread, { type: 'reply', text: '!interrupt' });
        return;
      case 'act':
        await this.#act(interaction, thread, clicked.body);
    }
  }

  async #words(interaction: Interaction, thread: ThreadRef, dialog: DialogId): Promise<void> {
    const inputs = (interaction.data.components ?? []).flatMap((row) => [
      ...(row.component === undefined ? [] : [row.component]),
      ...(row.components ?? []),
    ]);
    const text = inputs
      .map((input) => input.value ?? '')
      .join('\n')
      .trim();
    if (text === '') {
      await this.#whisper(interaction, 'There was nothing in it; nothing was sent.');
      return;
    }
    const answer = { type: 'own-words', text } as const;
    await this.#act(interaction, thread, { type: 'answer', dialog, answer });
  }

  async #act(interaction: Interaction, thread: ThreadRef, body: ChatEventBody): Promise<void> {
    const {
      id,
      guild_id: guild,
      member,
      message,
      application_id: application,
      token,
    } = interaction;
    const event: ChatEvent = {
      key: `discord:click:${message.id}:${member.user.id}:${id}`,
      platform: discordId,
      actor: actorOf(member.user, member, guild),
      target: { thread },
      at: madeAt(id),
      body,
    };
    // A refusal can come as soon as it is stored: then it is said under the click.
    this.#deps.whisperer.clicked(thread.thread, member.user.id, application, token);
    await this.#deps.sink(event);
    await this.#respond(interaction, { type: response.nothing });
  }

  /** A modal must be the very first response. */
  async #openModal(interaction: Interaction, dialog: DialogId): Promise<void> {
    const input = {
      type: 4,
      custom_id: 'text',
      style: 2,
      required: true,
      min_length: 1,
      max_length: limits.ownWords,
    };
    const data = {
      custom_id: customIdOf({ type: 'ask-words', dialog }) ?? '',
      title: 'Answer in own words',
      components: [{ type: 18, label: 'Your answer', component: input }],
    };
    await this.#respond(interaction, { type: response.modal, data });
  }

  async #whisper(interaction: Interaction, content: string): Promise<void> {
    const data = { content, flags: messageFlags.ephemeral, allowed_mentions: { parse: [] } };
    await this.#respond(interaction, { type: response.whisper, data });
  }

  async #respond({ id, token }: Interaction, body: object): Promise<void> {
    await this.#deps.rest.call('post', Routes.interactionCallback(id, token), {
      body,
      needsToken: false,
      subject: 'message',
    });
  }
}
