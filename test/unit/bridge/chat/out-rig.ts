import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { Bell } from '../../../../src/bridge/chat/bell.ts';
import { catchUpLoop } from '../../../../src/bridge/chat/catch-up.loop.ts';
import { dispatchLoop } from '../../../../src/bridge/chat/dispatch.loop.ts';
import type { PublishDeps } from '../../../../src/bridge/chat/publish.deps.ts';
import { makePublish } from '../../../../src/bridge/chat/publish.loop.ts';
import { makeReceipts } from '../../../../src/bridge/chat/receipts.ts';
import { Troubles } from '../../../../src/bridge/chat/troubles.ts';
import type { ReadRequest, ReadResponse } from '../../../../src/bridge/model/commands.ts';
import type { Item } from '../../../../src/bridge/model/conversation.ts';
import type { HostEvent, SessionOrigin } from '../../../../src/bridge/model/events.ts';
import {
  type ChannelId,
  id,
  type SessionId,
  type ThreadId,
} from '../../../../src/bridge/model/ids.ts';
import type { RunSummary } from '../../../../src/bridge/model/run-state.ts';
import type { Channel } from '../../../../src/bridge/model/thread.ts';
import type { Log } from '../../../../src/bridge/ports/log.ts';
import { openDatabase } from '../../../../src/bridge/store/database.ts';
import { threadStore } from '../../../../src/bridge/store/thread-store.ts';
import {
  inProcess,
  MemoryAdapter,
  type MemoryOptions,
  memoryPlatformId,
} from '../../../conformance/memory-adapter.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { MemoryPlatform } from '../../../fakes/memory-platform.ts';
import { tempDir } from '../../../fakes/temp-dir.ts';
import { runSummary } from './items.ts';

export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

export const memoryChannel = (more: Partial<Channel> = {}): Channel => ({
  id: id<ChannelId>('memory:c'),
  platform: memoryPlatformId,
  match: { all: true },
  verbosity: 'normal',
  ...more,
});

/** The whole outward path on a memory platform, with a clock of its own. */
export const outRig = (
  more: Partial<Pick<PublishDeps, 'channels' | 'names' | 'redact'>> &
    Partial<Omit<MemoryOptions, 'call'>> = {},
) => {
  const platform = new MemoryPlatform();
  const adapter = new MemoryAdapter({ timeoutMs: 40, ...more, call: inProcess(platform) });
  const adapters = new Map([[memoryPlatformId, adapter]]);
  const clock = new FakeClock();
  const db = openDatabase(join(tempDir(), 'bridge.db'), clock.now());
  const store = threadStore(db);
  const bell = new Bell();
  const drained = new Bell();
  /** Every item that the host has, by session: what `since` reads. */
  const transcript = new Map<string, Item[]>();
  let run: RunSummary = runSummary({ startedAt: 0 });
  const read = async (request: ReadRequest): Promise<ReadResponse> => {
    if (request.type === 'run') return { type: 'run', run };
    if (request.type !== 'since') throw new Error('not asked here');
    const all = (transcript.get(request.session) ?? []).filter((i) => i.order >= request.offset);
    const items = all.slice(0, request.limit);
    const next = all[request.limit]?.order;
    const window = { items, cursor: '', ...(next !== undefined && { next: Math.floor(next) }) };
    return { type: 'window', window };
  };
  /** What the operator was told. */
  const told: string[] = [];
  const tell = (_: object, sentence: string): void => void told.push(sentence);
  let threads = 0;
  let envelopes = 0;
  const deps: PublishDeps = {
    store,
    channels: [memoryChannel()],
    adapters,
    redact: (text) => text,
    names: { ofText: () => undefined, ofDialog: () => undefined },
    linkOf: () => undefined,
    read,
    clock,
    newThreadId: () => id<ThreadId>(`thread-${++threads}`),
    bell,
    onOutcome: () => undefined,
    log: { ...silentLog, info: tell, warn: tell },
    ...more,
  };
  const sink = makePublish(deps);
  const publish = (body: HostEvent, envelope = `e${++envelopes}`) =>
    sink({ v: 1, id: envelope, at: clock.now(), body });
  const troubles: unknown[] = [];
  const lasting = new Troubles();
  let stop = new AbortController();
  let running: Promise<unknown> | undefined;
  const start = (): void => {
    stop = new AbortController();
    const { signal } = stop;
    running = Promise.all([
      dispatchLoop(
        {
          ...deps,
          adapters,
          onSettled: () => drained.ring(),
          onTrouble: (_, error) => troubles.push(error),
          troubles: lasting,
          beat: () => undefined,
        },
        signal,
      ),
      catchUpLoop(deps, drained, () => undefined, signal),
    ]);
  };
  const halt = async (): Promise<void> => {
    stop.abort();
    await running;
  };
  onTestFinished(async () => {
    await halt();
    db.close();
  });
  return {
    platform,
    adapter,
    clock,
    store,
    transcript,
    troubles,
    lasting,
    told,
    publish,
    start,
    halt,
    receipts: makeReceipts({ ...deps, adapters }),
    setRun: (patch: Partial<RunSummary>) => {
      run = { ...run, ...patch };
      return run;
    },
    runEvent: () => publish({ type: 'run', run }),
    items: (items: readonly Item[], origin: SessionOrigin = 'same', session = 's1') => {
      const known = transcript.get(session) ?? [];
      for (const item of items) {
        const at = known.findIndex((k) => k.id === item.id);
        if (at >= 0) known[at] = item;
        else known.push(item);
      }
      transcript.set(session, known);
      return publish({
        type: 'items',
        run,
        session: id<SessionId>(session),
        origin,
        cursor: '',
        items,
      });
    },
    /** Lets everything go out; time passes as it must. */
    drain: (
      isDone = () => store.outbox.waiting().length === 0 && store.behind.all().length === 0,
    ) =>
      vi.waitFor(
        async () => {
          await clock.advance(500);
          expect(isDone()).toBe(true);
        },
        { timeout: 5_000, interval: 1 },
      ),
    /** What stands in a thread of the platform now: the last text of each of our messages. */
    read: (thread = 't1'): readonly string[] =>
      platform
        .thread(thread)
        .filter((m) => m.actor === undefined)
        .map((m) => (JSON.parse(m.history.at(-1) ?? '{}') as { text: string }).text),
  };
};
