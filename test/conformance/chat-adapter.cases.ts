import { expect, vi } from 'vitest';
import type { ChatEvent, EncodedPart, ThreadRef } from '../../src/bridge/model/chat.ts';
import { BridgeError, type PlatformErrorCode } from '../../src/bridge/model/errors.ts';
import { type ActorId, id } from '../../src/bridge/model/ids.ts';
import {
  type ChatAdapter,
  isAttachments,
  isReceipts,
  isSentMessageFinder,
  isThreadOpener,
} from '../../src/bridge/ports/chat-adapter.ts';
import type { Backstage } from './backstage.ts';
import { samples, text } from './samples.ts';

/** One obligation of the ports' doc comments. Rejects when the adapter does not keep it. */
export interface AdapterCase {
  readonly title: string;
  run(stage: Backstage, signal: AbortSignal): Promise<void>;
}

const alice = id<ActorId>('memory:alice');

const partOf = ({ adapter }: Pick<Backstage, 'adapter'>, markdown: string): EncodedPart => {
  const [only] = adapter.encode(text(markdown));
  if (only === undefined) throw new Error('nothing encoded');
  return only;
};

const opened = async (stage: Backstage): Promise<ThreadRef> => {
  const { adapter, channel } = stage;
  if (!isThreadOpener(adapter)) return { platform: adapter.platform, channel, thread: channel };
  return (await adapter.open(channel, partOf(stage, 'head'), 'head-key')).thread;
};

const finder = (adapter: ChatAdapter) => {
  if (isSentMessageFinder(adapter)) return adapter;
  throw new Error('the capability went');
};

const encoding: readonly AdapterCase[] = [
  {
    title: 'every part fits the platform',
    run: async ({ adapter, sizeOf, limit }) => {
      for (const sample of samples)
        for (const encoded of adapter.encode(sample))
          expect(sizeOf(encoded)).toBeLessThanOrEqual(limit);
    },
  },
  {
    title: 'the same message gives the same bytes, in another process too',
    run: async (stage) => {
      for (const sample of samples)
        expect(stage.restarted().encode(sample)).toEqual(stage.adapter.encode(sample));
    },
  },
  {
    title: 'every message has at least one part, and at most three and a file',
    run: async ({ adapter }) => {
      for (const sample of samples) {
        const parts = adapter.encode(sample);
        expect(parts.length).toBeGreaterThan(0);
        expect(parts.length).toBeLessThanOrEqual(4);
      }
    },
  },
];

const posting: readonly AdapterCase[] = [
  {
    title: 'what is posted is read, in order; an edit replaces it in place',
    run: async (stage) => {
      const { adapter } = stage;
      const thread = await opened(stage);
      const first = await adapter.post(thread, partOf(stage, 'one'), 'k1');
      await adapter.post(thread, partOf(stage, 'two'), 'k2');
      await adapter.edit(first, partOf(stage, 'one, mended'));
      const read = (await stage.read(thread)).map((m) => m.text);
      expect(read.slice(-2)).toEqual([
        expect.stringContaining('one, mended'),
        expect.stringContaining('two'),
      ]);
      expect(await stage.history(first.message)).toHaveLength(2);
    },
  },
  {
    title: 'a removed message is not read any more',
    run: async (stage) => {
      const thread = await opened(stage);
      const ref = await stage.adapter.post(thread, partOf(stage, 'gone soon'), 'k1');
      await stage.adapter.remove(ref);
      expect((await stage.read(thread)).some((m) => m.text.includes('gone soon'))).toBe(false);
    },
  },
  {
    title: 'a key that was posted is not posted twice',
    run: async (stage) => {
      const { adapter } = stage;
      if (!isSentMessageFinder(adapter)) return;
      const thread = await opened(stage);
      const ref = await adapter.post(thread, partOf(stage, 'once'), 'k1');
      expect(await adapter.post(thread, partOf(stage, 'once'), 'k1')).toEqual(ref);
      expect((await stage.read(thread)).filter((m) => m.text.includes('once'))).toHaveLength(1);
    },
  },
  {
    title: 'a ref is plain JSON and works after a restart',
    run: async (stage) => {
      const thread = await opened(stage);
      const ref = await stage.adapter.post(thread, partOf(stage, 'one'), 'k1');
      await stage.restarted().edit(JSON.parse(JSON.stringify(ref)), partOf(stage, 'two'));
      expect((await stage.read(thread)).at(-1)?.text).toContain('two');
    },
  },
];

type Failure = readonly [Parameters<Backstage['failNext']>[0], PlatformErrorCode, boolean];
const failures: readonly Failure[] = [
  ['lost-answer', 'unavailable', false],
  ['hang', 'unavailable', false],
  ['server-error', 'unavailable', false],
  ['rate-limited', 'rate-limited', true],
  ['rejected', 'rejected', true],
];

const failing: readonly AdapterCase[] = [
  ...failures.map(
    ([how, code, certain]): AdapterCase => ({
      title: `${how} is ${code}, certain: ${certain}`,
      run: async (stage) => {
        const thread = await opened(stage);
        stage.failNext(how);
        // Not `rejects`: the runner would wait for ever for a promise that never settles.
        const failed = await stage.adapter.post(thread, partOf(stage, 'x'), 'k1').then(
          () => new Error('it was posted instead of failing'),
          (error: unknown) => error,
        );
        expect(failed).toBeInstanceOf(BridgeError);
        expect(failed).toMatchObject({ code, certain });
        if (how === 'rate-limited')
          expect(failed).toMatchObject({ retryAfterMs: expect.any(Number) });
      },
    }),
  ),
  {
    title: 'after a lost answer the same key gives the message that is there',
    run: async (stage) => {
      const { adapter } = stage;
      if (!isSentMessageFinder(adapter)) return;
      const thread = await opened(stage);
      stage.failNext('lost-answer');
      await adapter.post(thread, partOf(stage, 'one'), 'k1').catch(() => undefined);
      await adapter.post(thread, partOf(stage, 'one'), 'k1');
      expect((await stage.read(thread)).filter((m) => m.text.includes('one'))).toHaveLength(1);
    },
  },
];

const finding: readonly AdapterCase[] = [
  {
    title: 'after a restart our own post is found by its key, in its thread, and nothing else is',
    run: async (stage) => {
      const { adapter } = stage;
      if (!isSentMessageFinder(adapter)) return;
      const thread = await opened(stage);
      const before = await adapter.post(thread, partOf(stage, 'earlier'), 'k0');
      const ref = await adapter.post(thread, partOf(stage, 'one'), 'k1');
      await stage.say(thread, alice, 'one');
      const later = finder(stage.restarted());
      expect(await later.findSent(thread, partOf(stage, 'one'), 'k1', before)).toEqual(ref);
      expect(await later.findSent(thread, partOf(stage, 'two'), 'k2', ref)).toBeUndefined();
    },
  },
  {
    title: 'a thread is found by the key of its head',
    run: async (stage) => {
      const { adapter, channel } = stage;
      if (!isSentMessageFinder(adapter) || !isThreadOpener(adapter)) return;
      const made = await adapter.open(channel, partOf(stage, 'head'), 'h1');
      const later = finder(stage.restarted());
      expect(await later.findThread(channel, partOf(stage, 'head'), 'h1')).toEqual(made);
      expect(await later.findThread(channel, partOf(stage, 'head'), 'h2')).toBeUndefined();
    },
  },
];

const others: readonly AdapterCase[] = [
  {
    title: 'what a person writes arrives once, by its own key; our own posts do not',
    run: async (stage, signal) => {
      const { adapter } = stage;
      const thread = await opened(stage);
      const seen: ChatEvent[] = [];
      await adapter.start(async (event) => void seen.push(event), signal);
      await adapter.post(thread, partOf(stage, 'ours'), 'k1');
      const message = await stage.say(thread, alice, 'do it');
      const last = await stage.say(thread, alice, 'and this');
      await vi.waitFor(() => expect(lastOf(seen)).toBe(last), { timeout: 5_000 });
      expect(seen).toHaveLength(2);
      expect(seen[0]).toMatchObject({
        platform: adapter.platform,
        target: { thread },
        body: { type: 'reply', text: 'do it', messageRef: { message } },
      });
      expect(new Set(seen.map((event) => event.key)).size).toBe(2);
      expect(adapter.health().isConnected).toBe(true);
      await adapter.stop();
    },
  },
  {
    title: 'a receipt is shown on the message; a later one replaces it',
    run: async (stage) => {
      const { adapter } = stage;
      if (!isReceipts(adapter)) return;
      const thread = await opened(stage);
      const message = await stage.say(thread, alice, 'do it');
      await adapter.receipt({ thread, message }, '🕓');
      await adapter.receipt({ thread, message }, '✅');
      expect((await stage.marks(message)).at(-1)).toBe('✅');
    },
  },
  {
    title: 'a file goes up under its summary',
    run: async (stage) => {
      const { adapter } = stage;
      if (!isAttachments(adapter)) return;
      const thread = await opened(stage);
      const [file] = adapter.encode({
        type: 'file',
        name: 'm.md',
        summary: 'sum',
        content: 'whole',
      });
      if (file === undefined) throw new Error('nothing encoded');
      await adapter.upload(thread, file, 'f1');
      expect((await stage.read(thread)).at(-1)).toMatchObject({ file: 'whole' });
    },
  },
];

const lastOf = (events: readonly ChatEvent[]): string | undefined => {
  const body = events.at(-1)?.body;
  return body?.type === 'reply' ? body.messageRef?.message : undefined;
};

/** What every chat platform must keep; the same for each. */
export const adapterCases: readonly AdapterCase[] = [
  ...encoding,
  ...posting,
  ...failing,
  ...finding,
  ...others,
];
