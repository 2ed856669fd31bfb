import { type APIMessage, Routes } from 'discord.js';
import { BoundedMap } from '../../bridge/model/bounded-map.ts';
import type { MessageRef, ReceiptMark } from '../../bridge/model/chat.ts';
import { BridgeError } from '../../bridge/model/errors.ts';
import type { Places } from './places.ts';
import type { Poster } from './post.ts';
import type { DiscordRest } from './rest.ts';

export interface ReceiptDeps {
  readonly rest: DiscordRest;
  readonly places: Places;
  readonly poster: Poster;
}

const variation = '\ufe0f';
const all: readonly ReceiptMark[] = ['✅', '🕓', '⏸', '⛔', '↩', '❓'];

/** Text by default: Discord's own names of these carry the mark that makes them pictures. */
const asPicture = (mark: ReceiptMark): string =>
  mark === '⏸' || mark === '↩' ? mark + variation : mark;

const markOf = (name: string): ReceiptMark | undefined =>
  all.find((mark) => mark === name.replaceAll(variation, ''));

/** Shows an outcome as a reaction; the one before it goes. */
export class ReceiptMarks {
  readonly #deps: ReceiptDeps;
  readonly #shown = new BoundedMap<readonly ReceiptMark[]>(2_000);

  constructor(deps: ReceiptDeps) {
    this.#deps = deps;
  }

  async show(ref: MessageRef, mark: ReceiptMark): Promise<void> {
    const { rest, places, poster } = this.#deps;
    const channel = await places.channelOf(ref);
    const before = this.#shown.get(ref.message) ?? (await this.#ownMarks(channel, ref.message));
    const reaction = (of: ReceiptMark) =>
      Routes.channelMessageOwnReaction(channel, ref.message, encodeURIComponent(asPicture(of)));
    if (!before.includes(mark))
      await poster.opened(ref.thread, () =>
        rest.call('put', reaction(mark), { subject: 'message' }),
      );
    this.#shown.set(ref.message, [...before, mark]);
    for (const old of before.filter((of) => of !== mark)) await this.#takeAway(reaction(old));
    this.#shown.set(ref.message, [mark]);
  }

  async #takeAway(route: `/${string}`): Promise<void> {
    try {
      await this.#deps.rest.call('delete', route, { subject: 'message' });
    } catch (error) {
      // A person with the right to it was there first: gone is gone.
      const code = (error as { cause?: { code?: unknown } }).cause?.code;
      if (!(error instanceof BridgeError) || code !== 10014) throw error;
    }
  }

  async #ownMarks(channel: string, message: string): Promise<readonly ReceiptMark[]> {
    const { reactions = [] } = await this.#deps.rest.call<APIMessage>(
      'get',
      Routes.channelMessage(channel, message),
      { subject: 'message' },
    );
    return reactions.flatMap((r) => (r.me ? (markOf(r.emoji.name ?? '') ?? []) : []));
  }
}
