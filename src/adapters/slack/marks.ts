import { z } from 'zod';
import { BoundedMap } from '../../bridge/model/bounded-map.ts';
import type { MessageRef, ReceiptMark } from '../../bridge/model/chat.ts';
import { platformErrorOf } from './classify.ts';
import { channelOf } from './ids.ts';
import type { SlackWeb } from './web.ts';

/** Slack's names of the marks; a Unicode sign is no name. */
export const MARK_NAMES: Readonly<Record<ReceiptMark, string>> = {
  '✅': 'white_check_mark',
  '🕓': 'clock4',
  '⏸': 'double_vertical_bar',
  '⛔': 'no_entry',
  '↩': 'leftwards_arrow_with_hook',
  '❓': 'question',
};

const ours = new Set(Object.values(MARK_NAMES));

const reactionsSchema = z.looseObject({
  message: z.looseObject({
    reactions: z.array(z.looseObject({ name: z.string(), users: z.array(z.string()) })).optional(),
  }),
});

/** One reaction of ours per message: the new one comes first, then the earlier one goes. */
export class Marks {
  readonly #web: SlackWeb;
  readonly #self: () => string | undefined;
  readonly #shown = new BoundedMap<string>(2_000);

  constructor(web: SlackWeb, self: () => string | undefined) {
    this.#web = web;
    this.#self = self;
  }

  async show(ref: MessageRef, mark: ReceiptMark): Promise<void> {
    const place = { channel: channelOf(ref.thread.channel), timestamp: ref.message };
    const key = `${place.channel} ${place.timestamp}`;
    const name = MARK_NAMES[mark];
    const known = this.#shown.get(key);
    const earlier = known === undefined ? await this.#ofOurs(place) : [known];
    await this.#tolerate('reactions.add', { ...place, name }, 'already_reacted');
    this.#shown.set(key, name);
    for (const old of earlier)
      if (old !== name)
        await this.#tolerate('reactions.remove', { ...place, name: old }, 'no_reaction');
  }

  /** Marks of an earlier process; Slack knows them. */
  async #ofOurs(place: { channel: string; timestamp: string }): Promise<readonly string[]> {
    const answer = await this.#web.call('reactions.get', { ...place, full: true });
    const { message } = reactionsSchema.parse(answer);
    const self = this.#self();
    return (message.reactions ?? [])
      .filter(({ name, users }) => ours.has(name) && self !== undefined && users.includes(self))
      .map(({ name }) => name);
  }

  async #tolerate(
    method: string,
    args: Readonly<Record<string, string>>,
    allowed: string,
  ): Promise<void> {
    try {
      await this.#web.call(method, args);
    } catch (error) {
      if (platformErrorOf(error) !== allowed) throw error;
    }
  }
}
