import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { ReadRequest, ReadResponse } from '../../src/bridge/model/commands.ts';
import type { Item } from '../../src/bridge/model/conversation.ts';
import type { HostEvent } from '../../src/bridge/model/events.ts';
import { id, type RunId, type SessionId } from '../../src/bridge/model/ids.ts';
import type { RunSummary } from '../../src/bridge/model/run-state.ts';
import { createOutward } from '../../src/bridge/outward.ts';
import { type ChatAdapter, isBudgeted } from '../../src/bridge/ports/chat-adapter.ts';
import type { Clock } from '../../src/bridge/ports/clock.ts';
import type { Log } from '../../src/bridge/ports/log.ts';
import { openDatabase } from '../../src/bridge/store/database.ts';
import { createDeliveryStore } from '../../src/bridge/store/deliveries.ts';
import { threadStore } from '../../src/bridge/store/thread-store.ts';
import { systemClock } from '../../src/bridge/system-clock.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { tempDir } from '../fakes/temp-dir.ts';
import { pending, question, runSummary, text, tool } from '../unit/bridge/chat/items.ts';
import type { LoadPlatform } from './load-platforms.ts';

/** The same adapter, with budgets for a platform that is so many times as fast. */
const withBudgets = (adapter: ChatAdapter, factor: number): ChatAdapter =>
  new Proxy(adapter, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (name === 'budgets' && isBudgeted(target))
        return Object.fromEntries(
          Object.entries(target.budgets).map(([op, budget]) => [
            op,
            { ...budget, perMinute: budget.perMinute * factor },
          ]),
        );
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

/** Busy runs in one channel, and the whole outward path under them. */
export const loadRig = (
  platform: LoadPlatform,
  runs: number,
  factor: number,
  { clock = systemClock, log = silentLog }: { readonly clock?: Clock; readonly log?: Log } = {},
) => {
  const db = openDatabase(join(tempDir(), 'bridge.db'), Date.now());
  const store = threadStore(db);
  const adapter = withBudgets(platform.adapter, factor);
  const transcripts = new Map<string, Item[]>();
  const summaries = new Map<string, RunSummary>();
  const read = async (request: ReadRequest): Promise<ReadResponse> => {
    if (request.type === 'run') return { type: 'run', run: summaries.get(request.run) ?? null };
    if (request.type !== 'since') throw new Error('not asked here');
    const all = transcripts.get(request.session) ?? [];
    const from = all.filter((item) => item.order >= request.offset);
    const next = from[request.limit]?.order;
    const window = { items: from.slice(0, request.limit), cursor: '' };
    return { type: 'window', window: { ...window, ...(next !== undefined && { next }) } };
  };
  const outward = createOutward({
    store,
    deliveries: createDeliveryStore(db),
    channels: [
      {
        id: platform.channel,
        platform: adapter.platform,
        match: { all: true },
        verbosity: 'normal',
      },
    ],
    adapters: new Map([[adapter.platform, adapter]]),
    redact: (words) => words,
    linkOf: () => undefined,
    read,
    clock,
    log,
    newId: randomUUID,
    onOutcome: () => undefined,
    onPosted: () => undefined,
    onTrouble: () => undefined,
  });
  const stop = new AbortController();
  const loops = Promise.all([
    outward.dispatch(stop.signal, () => undefined),
    outward.catchUp(stop.signal, () => undefined),
  ]);
  const publish = (body: HostEvent): Promise<void> =>
    outward.publish({ v: 1, id: randomUUID(), at: Date.now(), body });
  const orders = new Map<string, number>();
  const nextOrder = (run: string): number => {
    const order = (orders.get(run) ?? 0) + 1;
    orders.set(run, order);
    return order;
  };
  const runOf = (n: number, state: RunSummary['state'] = { name: 'working' }): RunSummary => {
    const name = `r${n % runs}`;
    const run = runSummary({
      id: id<RunId>(name),
      session: id<SessionId>(`s-${name}`),
      state,
      title: name,
      startedAt: 0,
      lastActivityAt: Date.now(),
    });
    summaries.set(name, run);
    return run;
  };
  const show = (run: RunSummary, item: Item): Promise<void> => {
    const { session } = item;
    const known = transcripts.get(session) ?? [];
    const at = known.findIndex((old) => old.id === item.id);
    if (at >= 0) known[at] = item;
    else known.push(item);
    transcripts.set(session, known);
    return publish({ type: 'items', run, session, origin: 'new', cursor: '', items: [item] });
  };
  return {
    store,
    troubles: () => outward.troubles(),
    say: (n: number, words: string): Promise<void> => {
      const run = runOf(n);
      const order = nextOrder(run.id);
      const more = { session: run.session ?? '' };
      return show(run, text(`${run.id}-${order}`, order, words, more));
    },
    /** A call that goes on. @returns what ends it. */
    call: async (n: number): Promise<() => Promise<void>> => {
      const run = runOf(n);
      const order = nextOrder(run.id);
      const more = { session: run.session ?? '' };
      await show(run, tool(`${run.id}-${order}`, order, { ...more, status: 'running' }));
      return () => show(run, tool(`${run.id}-${order}`, order, { ...more, status: 'done' }));
    },
    ask: (n: number, words: string): Promise<void> =>
      publish({
        type: 'dialog',
        run: runOf(n, { name: 'question-pending' }),
        pending: pending(words, { content: question(words), since: Date.now() }),
      }),
    answered: (n: number): Promise<void> =>
      publish({ type: 'dialog', run: runOf(n), pending: null }),
    isDrained: (): boolean =>
      store.outbox.waiting().every((row) => row.op === 'edit') && store.behind.all().length === 0,
    stop: async (): Promise<void> => {
      stop.abort();
      await loops;
      db.close();
      await platform.stop();
    },
  };
};

export type LoadRig = ReturnType<typeof loadRig>;
