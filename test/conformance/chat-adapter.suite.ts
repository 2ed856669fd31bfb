import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type {
  ChatEvent,
  EncodedPart,
  OutboundMessage,
  ThreadRef,
} from '../../src/bridge/model/chat.ts';
import { BridgeError } from '../../src/bridge/model/errors.ts';
import { type ActorId, type ChannelId, type DialogId, id } from '../../src/bridge/model/ids.ts';
import {
  type ChatAdapter,
  isAttachments,
  isReceipts,
  isSentMessageFinder,
  isThreadOpener,
} from '../../src/bridge/ports/chat-adapter.ts';

/** How the platform is looked at and disturbed, from its own side. */
export interface Backstage {
  readonly adapter: ChatAdapter;
  readonly channel: ChannelId;
  /** Another adapter on the same platform, as after a restart of the bridge. */
  restarted(): ChatAdapter;
  /** What a person reads in the thread now, oldest first. */
  read(thread: ThreadRef): Promise<readonly { readonly text: string; readonly file?: string }[]>;
  /** Every text that a message ever had. */
  history(message: string): Promise<readonly string[]>;
  marks(message: string): Promise<readonly string[]>;
  /** The next call that writes: its answer is lost after it happened, or it is refused. */
  failNext(how: 'lost-answer' | 'hang' | 'server-error' | 'rate-limited' | 'rejected'): void;
  /** A person writes. @returns the message. */
  say(thread: ThreadRef, actor: ActorId, text: string): Promise<string>;
  /** Most characters of one part, as the platform counts. */
  readonly limit: number;
  sizeOf(part: EncodedPart): number;
  stop(): Promise<void>;
}

const text = (markdown: string): OutboundMessage => ({ type: 'text', author: 'agent', markdown });
const samples: readonly OutboundMessage[] = [
  { type: 'head', title: 'Fix it', lines: ['⚙️ working', '📁 /w/app'] },
  text('plain'),
  text('**bold** `code`\n\n```ts\nconst x = 1;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |'),
  text(`\`\`\`\n${'long code line\n'.repeat(400)}\`\`\``),
  text('word '.repeat(5_000)),
  text('👩‍👩‍👧‍👦 שלום <@U123> @everyone & <script>'),
  { type: 'text', author: 'user', by: 'Alice', markdown: 'please' },
  { type: 'activity', lines: ['✓ Bash `ls`', '⏳ Read `x`'], details: '```\nout\n```' },
  {
    type: 'dialog',
    dialog: id<DialogId>('d1'),
    markdown: '❓ **Colour**: which?',
    buttons: [
      { label: 'Red', answer: { type: 'choose', choices: [[0]] } },
      { label: 'x'.repeat(300), answer: { type: 'choose', choices: [[1]] } },
    ],
    takesOwnWords: true,
    isOpen: true,
  },
  { type: 'lifecycle', markdown: '🧹 Cleared' },
  {
    type: 'notice',
    markdown: '⏸ held',
    buttons: [{ label: 'Continue', action: { type: 'continue' } }],
  },
  { type: 'file', name: 'missed.md', summary: '📎 41 items', content: 'x'.repeat(100_000) },
];

/** The obligations of the ports' doc comments, for every chat platform. */
export const describeChatAdapter = (name: string, setUp: () => Promise<Backstage>): void => {
  describe(`${name} keeps what ChatAdapter promises`, () => {
    let stage: Backstage;
    let aborted: AbortController;
    beforeEach(async () => {
      stage = await setUp();
      aborted = new AbortController();
    });
    afterEach(async () => {
      aborted.abort();
      await stage.stop();
    });
    const part = (markdown: string): EncodedPart => {
      const [only] = stage.adapter.encode(text(markdown));
      if (only === undefined) throw new Error('nothing encoded');
      return only;
    };
    const opened = async (): Promise<ThreadRef> => {
      const { adapter, channel } = stage;
      if (!isThreadOpener(adapter)) return { platform: adapter.platform, channel, thread: channel };
      return (await adapter.open(channel, part('head'), 'head-key')).thread;
    };

    describe('encode', () => {
      test('every part fits the platform', () => {
        for (const sample of samples)
          for (const encoded of stage.adapter.encode(sample))
            expect(stage.sizeOf(encoded)).toBeLessThanOrEqual(stage.limit);
      });
      test('the same message gives the same bytes, in another process too', () => {
        for (const sample of samples)
          expect(stage.restarted().encode(sample)).toEqual(stage.adapter.encode(sample));
      });
      test('every message has at least one part, and at most three and a file', () => {
        for (const sample of samples) {
          const parts = stage.adapter.encode(sample);
          expect(parts.length).toBeGreaterThan(0);
          expect(parts.length).toBeLessThanOrEqual(4);
        }
      });
    });

    describe('post and edit', () => {
      test('what is posted is read, in order; an edit replaces it in place', async () => {
        const thread = await opened();
        const first = await stage.adapter.post(thread, part('one'), 'k1');
        await stage.adapter.post(thread, part('two'), 'k2');
        await stage.adapter.edit(first, part('one, mended'));
        const read = (await stage.read(thread)).map((m) => m.text);
        expect(read.slice(-2)).toEqual([
          expect.stringContaining('one, mended'),
          expect.stringContaining('two'),
        ]);
        expect(await stage.history(first.message)).toHaveLength(2);
      });
      test('a removed message is not read any more', async () => {
        const thread = await opened();
        const ref = await stage.adapter.post(thread, part('gone soon'), 'k1');
        await stage.adapter.remove(ref);
        expect((await stage.read(thread)).some((m) => m.text.includes('gone soon'))).toBe(false);
      });
      test('a key that was posted is not posted twice', async () => {
        if (!isSentMessageFinder(stage.adapter)) return;
        const thread = await opened();
        const ref = await stage.adapter.post(thread, part('once'), 'k1');
        expect(await stage.adapter.post(thread, part('once'), 'k1')).toEqual(ref);
        expect((await stage.read(thread)).filter((m) => m.text.includes('once'))).toHaveLength(1);
      });
      test('a ref is plain JSON and works after a restart', async () => {
        const thread = await opened();
        const ref = await stage.adapter.post(thread, part('one'), 'k1');
        await stage.restarted().edit(JSON.parse(JSON.stringify(ref)), part('two'));
        expect((await stage.read(thread)).at(-1)?.text).toContain('two');
      });
    });

    describe('failures are told apart', () => {
      test.each([
        ['lost-answer', 'unavailable', false],
        ['hang', 'unavailable', false],
        ['server-error', 'unavailable', false],
        ['rate-limited', 'rate-limited', true],
        ['rejected', 'rejected', true],
      ] as const)('%s is %s, certain: %s', async (how, code, certain) => {
        const thread = await opened();
        stage.failNext(how);
        const failed = stage.adapter.post(thread, part('x'), 'k1');
        await expect(failed).rejects.toBeInstanceOf(BridgeError);
        await expect(failed).rejects.toMatchObject({ code, certain });
        if (how === 'rate-limited')
          await expect(failed).rejects.toMatchObject({ retryAfterMs: expect.any(Number) });
      });
      test('after a lost answer the same key gives the message that is there', async () => {
        if (!isSentMessageFinder(stage.adapter)) return;
        const thread = await opened();
        stage.failNext('lost-answer');
        await stage.adapter.post(thread, part('one'), 'k1').catch(() => undefined);
        await stage.adapter.post(thread, part('one'), 'k1');
        expect((await stage.read(thread)).filter((m) => m.text.includes('one'))).toHaveLength(1);
      });
    });

    describe('looking for our own post', () => {
      test('after a restart it is found by its key, in its thread, and nothing else is', async () => {
        if (!isSentMessageFinder(stage.adapter)) return;
        const thread = await opened();
        const before = await stage.adapter.post(thread, part('earlier'), 'k0');
        const ref = await stage.adapter.post(thread, part('one'), 'k1');
        await stage.say(thread, id<ActorId>('memory:alice'), 'one');
        const later = stage.restarted();
        if (!isSentMessageFinder(later)) throw new Error('the capability went');
        expect(await later.findSent(thread, part('one'), 'k1', before)).toEqual(ref);
        expect(await later.findSent(thread, part('two'), 'k2', ref)).toBeUndefined();
      });
      test('a thread is found by the key of its head', async () => {
        const { adapter, channel } = stage;
        if (!isSentMessageFinder(adapter) || !isThreadOpener(adapter)) return;
        const made = await adapter.open(channel, part('head'), 'h1');
        const later = stage.restarted();
        if (!isSentMessageFinder(later)) throw new Error('the capability went');
        expect(await later.findThread(channel, part('head'), 'h1')).toEqual(made);
        expect(await later.findThread(channel, part('head'), 'h2')).toBeUndefined();
      });
    });

    describe('listening', () => {
      test('what a person writes arrives once, by its own key; our own posts do not', async () => {
        const thread = await opened();
        const seen: ChatEvent[] = [];
        await stage.adapter.start(async (event) => void seen.push(event), aborted.signal);
        await stage.adapter.post(thread, part('ours'), 'k1');
        const message = await stage.say(thread, id<ActorId>('memory:alice'), 'do it');
        await vi.waitFor(() => expect(seen).toHaveLength(1));
        expect(seen[0]).toMatchObject({
          platform: stage.adapter.platform,
          target: { thread },
          body: { type: 'reply', text: 'do it', messageRef: { message } },
        });
        expect(stage.adapter.health().isConnected).toBe(true);
        await stage.adapter.stop();
      });
    });

    test('a receipt is shown on the message; a later one replaces it', async () => {
      if (!isReceipts(stage.adapter)) return;
      const thread = await opened();
      const message = await stage.say(thread, id<ActorId>('memory:alice'), 'do it');
      await stage.adapter.receipt({ thread, message }, '🕓');
      await stage.adapter.receipt({ thread, message }, '✅');
      expect((await stage.marks(message)).at(-1)).toBe('✅');
    });

    test('a file goes up under its summary', async () => {
      if (!isAttachments(stage.adapter)) return;
      const thread = await opened();
      const [file] = stage.adapter.encode({
        type: 'file',
        name: 'm.md',
        summary: 'sum',
        content: 'whole',
      });
      if (file === undefined) throw new Error('nothing encoded');
      await stage.adapter.upload(thread, file, 'f1');
      expect((await stage.read(thread)).at(-1)).toMatchObject({ file: 'whole' });
    });
  });
};
