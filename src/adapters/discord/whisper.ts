import { type APIDMChannel, Routes } from 'discord.js';
import { BoundedMap } from '../../bridge/model/bounded-map.ts';
import type { EncodedPart, ThreadRef } from '../../bridge/model/chat.ts';
import { BridgeError } from '../../bridge/model/errors.ts';
import type { ActorId } from '../../bridge/model/ids.ts';
import type { Clock } from '../../bridge/ports/clock.ts';
import { partData } from './encode.ts';
import { messageFlags, tokenLife } from './limits.ts';
import type { DiscordRest } from './rest.ts';

export interface WhisperDeps {
  readonly rest: DiscordRest;
  readonly clock: Clock;
}

interface OpenInteraction {
  readonly application: string;
  readonly token: string;
  /** ms since the epoch. */
  readonly at: number;
}

const day = 24 * 3_600_000;
const userOf = (actor: ActorId): string | undefined => /(\d{15,25})$/.exec(actor)?.[1];
/** The person takes no direct messages from here. */
const closed = 50007;

/**
 * Says something to one person: under their click while it can be answered, otherwise by direct
 * message, once per person and day (A2). What cannot be said is shown by the mark on the message.
 */
export class Whisperer {
  readonly #deps: WhisperDeps;
  readonly #clicks = new BoundedMap<OpenInteraction>(500);
  readonly #written = new BoundedMap<number>(2_000);

  constructor(deps: WhisperDeps) {
    this.#deps = deps;
  }

  /** A click was acknowledged: what concerns it can be said under it. */
  clicked(thread: string, user: string, application: string, token: string): void {
    const at = this.#deps.clock.now();
    this.#clicks.set(`${thread} ${user}`, { application, token, at });
  }

  async whisper(thread: ThreadRef, actor: ActorId, part: EncodedPart): Promise<void> {
    const user = userOf(actor);
    if (user === undefined) return;
    const { content } = partData(part);
    const click = this.#clicks.get(`${thread.thread} ${user}`);
    const isOpen = click !== undefined && this.#deps.clock.now() - click.at < tokenLife;
    if (isOpen) await this.#follow(click, content);
    else await this.#write(user, content);
  }

  async #follow({ application, token }: OpenInteraction, content: string): Promise<void> {
    const flags = messageFlags.ephemeral | messageFlags.suppressEmbeds;
    await this.#deps.rest.call('post', Routes.webhook(application, token), {
      body: { content, flags, allowed_mentions: { parse: [] } },
      needsToken: false,
      subject: 'message',
    });
  }

  async #write(user: string, content: string): Promise<void> {
    const { rest, clock } = this.#deps;
    const today = Math.floor(clock.now() / day);
    if (this.#written.get(user) === today) return;
    try {
      const { id } = await rest.call<APIDMChannel>('post', Routes.userChannels(), {
        body: { recipient_id: user },
      });
      // From here on it may have arrived: rather none than two.
      this.#written.set(user, today);
      await rest.call('post', Routes.channelMessages(id), {
        body: {
          content,
          flags: messageFlags.suppressEmbeds,
          allowed_mentions: { parse: [] },
        },
      });
    } catch (error) {
      const code = (error as { cause?: { code?: unknown } }).cause?.code;
      if (!(error instanceof BridgeError) || code !== closed) throw error;
    }
  }
}
