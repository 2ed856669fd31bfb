import { z } from 'zod';
import type { EncodedPart, MessageRef, ThreadRef } from '../../bridge/model/chat.ts';
import type { ChannelId } from '../../bridge/model/ids.ts';
import { channelOf, messageRef } from './ids.ts';
import type { Json, SlackWeb } from './web.ts';

const storedSchema = z.looseObject({
  ts: z.string(),
  user: z.string().optional(),
  bot_id: z.string().optional(),
  metadata: z.looseObject({ event_payload: z.looseObject({ key: z.unknown() }) }).optional(),
  files: z
    .array(z.looseObject({ name: z.string().nullish(), size: z.number().optional() }))
    .optional(),
});
export type Stored = z.output<typeof storedSchema>;

const pageSchema = z.looseObject({
  messages: z.array(z.unknown()).default([]),
  response_metadata: z.looseObject({ next_cursor: z.string().optional() }).optional(),
});

const pageSize = 200;
/** An uncertain head is a recent one: further back than this nobody looks. */
const mostPagesOfChannel = 5;
const mostPagesOfThread = 50;

/** Pages of a thread or a channel, as Slack orders them. */
export async function* pagesOf(
  web: SlackWeb,
  method: 'conversations.replies' | 'conversations.history',
  args: Json,
  mostPages: number,
): AsyncGenerator<readonly unknown[]> {
  let cursor: string | undefined;
  for (let n = 0; n < mostPages; n++) {
    const more = cursor === undefined ? {} : { cursor };
    const page = pageSchema.parse(await web.call(method, { ...args, limit: pageSize, ...more }));
    yield page.messages;
    cursor = page.response_metadata?.next_cursor;
    if (cursor === undefined || cursor === '') return;
  }
}

const isFileOf = (message: Stored, part: EncodedPart): boolean => {
  const { file } = part;
  if (file === undefined) return false;
  const bytes = Buffer.byteLength(file.content);
  return (message.files ?? []).some((f) => f.name === file.name && f.size === bytes);
};

/** Finds our own post again: after the last one of ours that is known, by its key; a file by name and size. */
export class SentFinder {
  readonly #web: SlackWeb;
  /** Our own bot user; absent while it is not known. */
  readonly #self: () => string | undefined;

  constructor(web: SlackWeb, self: () => string | undefined) {
    this.#web = web;
    this.#self = self;
  }

  #isOurs(message: Stored): boolean {
    const self = this.#self();
    return message.bot_id !== undefined && (self === undefined || message.user === self);
  }

  async inThread(
    thread: ThreadRef,
    part: EncodedPart,
    key: string,
    after: MessageRef | undefined,
  ): Promise<MessageRef | undefined> {
    const channel = channelOf(thread.channel);
    const range = after === undefined ? {} : { oldest: after.message };
    const args = { channel, ts: thread.thread, include_all_metadata: true, ...range };
    for await (const page of pagesOf(this.#web, 'conversations.replies', args, mostPagesOfThread)) {
      const found = page
        .map((raw) => storedSchema.parse(raw))
        .filter((m) => this.#isOurs(m) && (after === undefined || m.ts > after.message))
        // Files carry no metadata: with one post in flight per thread, place and content tell.
        .find((m) => m.metadata?.event_payload.key === key || isFileOf(m, part));
      if (found !== undefined) return messageRef(channel, thread.thread, found.ts);
    }
    return undefined;
  }

  async inChannel(channelId: ChannelId, key: string): Promise<MessageRef | undefined> {
    const channel = channelOf(channelId);
    const args = { channel, include_all_metadata: true };
    for await (const page of pagesOf(
      this.#web,
      'conversations.history',
      args,
      mostPagesOfChannel,
    )) {
      const found = page
        .map((raw) => storedSchema.parse(raw))
        .find((m) => this.#isOurs(m) && m.metadata?.event_payload.key === key);
      if (found !== undefined) return messageRef(channel, found.ts, found.ts);
    }
    return undefined;
  }
}
