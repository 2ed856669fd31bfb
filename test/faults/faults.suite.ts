import { describe, expect, it } from 'vitest';
import type { ChatEvent, EncodedPart, ThreadRef } from '../../src/bridge/model/chat.ts';
import type { ChannelId } from '../../src/bridge/model/ids.ts';
import type {
  ChatAdapter,
  HistoryReader,
  SentMessageFinder,
  ThreadOpener,
} from '../../src/bridge/ports/chat-adapter.ts';
import { editUntilThere, postUntilThere } from './drive.ts';

export type FaultAdapter = ChatAdapter & ThreadOpener & SentMessageFinder & HistoryReader;

/** A platform on loopback with the bridge's adapter on it. */
export interface FaultStage {
  readonly adapter: FaultAdapter;
  readonly channel: ChannelId;
  /** Another adapter on the same platform, as after a restart of the bridge. */
  restarted(): FaultAdapter;
  /** What our own messages of a thread say now, in order, the head first. */
  ours(thread: ThreadRef): readonly string[];
  /** A person writes into the thread. */
  say(thread: ThreadRef, text: string): void;
  /** Starts to listen; threads are read back since `since`. */
  listen(thread: ThreadRef, since: number): Promise<void>;
  /** Events that became durable, each key once. */
  readonly kept: readonly ChatEvent[];
  stop(): Promise<void>;
}

export interface Fault<Stage> {
  readonly name: string;
  readonly begin: (stage: Stage) => void | Promise<void>;
  /** Ends what does not end by itself; called a moment later. */
  readonly end?: (stage: Stage) => void | Promise<void>;
}

/** One platform and what can go wrong with it. */
export interface PlatformUnderFaults<Stage extends FaultStage> {
  readonly name: string;
  readonly setUp: () => Promise<Stage>;
  /** Of calls: each is tried while posting and while editing. */
  readonly ofCalls: readonly Fault<Stage>[];
  /** Of what comes in. */
  readonly ofListening: readonly Fault<Stage>[];
}

/** `npm run test:faults -- --repeat N` sets it. */
const repeats = Number(process.env['AFK_FAULT_REPEAT'] ?? 2);
const times = Array.from({ length: repeats }, (_, n) => n + 1);
const deadline = 20_000;
/** A fault that is ended by hand lasts so long, ms. */
const lasting = 150;

const only = (parts: readonly EncodedPart[]): EncodedPart => {
  const [part] = parts;
  if (part === undefined) throw new Error('nothing encoded');
  return part;
};

const textPart = (stage: FaultStage, markdown: string): EncodedPart =>
  only(stage.adapter.encode({ type: 'text', author: 'agent', markdown }));

const openThread = async (stage: FaultStage): Promise<ThreadRef> => {
  const head = only(stage.adapter.encode({ type: 'head', title: 'A run', lines: [] }));
  return (await stage.adapter.open(stage.channel, head, 'head')).thread;
};

const endLater = async <Stage>(fault: Fault<Stage>, stage: Stage): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, lasting));
  await fault.end?.(stage);
};

const heard = (stage: FaultStage): readonly string[] =>
  stage.kept.flatMap(({ body }) => (body.type === 'reply' ? [body.text] : []));

/** L2 as a table: each fault while posting, editing and listening; nothing lost, nothing twice, never deaf. */
export const describeFaults = <Stage extends FaultStage>(
  platform: PlatformUnderFaults<Stage>,
): void => {
  const withStage = async (run: (stage: Stage) => Promise<void>): Promise<void> => {
    const stage = await platform.setUp();
    try {
      await run(stage);
    } finally {
      await stage.stop();
    }
  };

  describe.each(platform.ofCalls)(`${platform.name}, a call: $name`, (fault) => {
    it.each(times)('posting, time %i: each message once and in order (P4, L2)', async (time) => {
      await withStage(async (stage) => {
        const thread = await openThread(stage);
        const first = await stage.adapter.post(thread, textPart(stage, 'first'), 'k1');
        await fault.begin(stage);
        const ended = endLater(fault, stage);
        // Every other time the process that made the try is gone.
        const next = time % 2 === 0 ? stage.restarted() : stage.adapter;
        const post = { thread, part: textPart(stage, 'second'), key: 'k2', after: first };
        const second = await postUntilThere([stage.adapter, next], post, deadline);
        await ended;
        const last = { thread, part: textPart(stage, 'third'), key: 'k3', after: second };
        await postUntilThere([next], last, deadline);
        expect(stage.ours(thread)).toEqual(['A run', 'first', 'second', 'third']);
      });
    });

    it.each(times)('editing, time %i: the message says the newest, once (L2)', async () => {
      await withStage(async (stage) => {
        const thread = await openThread(stage);
        const ref = await stage.adapter.post(thread, textPart(stage, 'old'), 'k1');
        await fault.begin(stage);
        const ended = endLater(fault, stage);
        await editUntilThere(stage.adapter, ref, textPart(stage, 'new'), deadline);
        await ended;
        expect(stage.ours(thread)).toEqual(['A run', 'new']);
      });
    });
  });

  describe.each(platform.ofListening)(`${platform.name}, listening: $name`, (fault) => {
    it.each(times)('time %i: every word of a person once, and never deaf (L2)', async () => {
      await withStage(async (stage) => {
        const thread = await openThread(stage);
        await stage.listen(thread, Date.now() - 1);
        stage.say(thread, 'before');
        await expect.poll(() => heard(stage), { timeout: deadline }).toEqual(['before']);
        await fault.begin(stage);
        stage.say(thread, 'during 1');
        stage.say(thread, 'during 2');
        await endLater(fault, stage);
        stage.say(thread, 'after');
        const all = ['after', 'before', 'during 1', 'during 2'];
        await expect.poll(() => [...heard(stage)].sort(), { timeout: deadline }).toEqual(all);
        await expect
          .poll(() => stage.adapter.health().isConnected, { timeout: deadline })
          .toBe(true);
        stage.say(thread, 'at last');
        await expect.poll(() => heard(stage).at(-1), { timeout: deadline }).toBe('at last');
        expect(heard(stage)).toHaveLength(5);
      });
    });
  });
};
