import { BridgeError } from '../model/errors.ts';
import type { PlatformId, ThreadId } from '../model/ids.ts';
import type { OutboxRow, Thread } from '../model/thread.ts';
import type { ChatAdapter } from '../ports/chat-adapter.ts';
import type { Clock } from '../ports/clock.ts';
import type { FailPoint } from '../ports/fail-point.ts';
import type { Log } from '../ports/log.ts';
import type { ThreadStore } from '../ports/thread-store.ts';
import { afterFailure } from './backoff.ts';
import type { Bell } from './bell.ts';
import { type Sent, send } from './dispatch.send.ts';
import { MethodBudgets } from './method-budgets.ts';
import { nextRows } from './outbox-order.ts';
import type { Troubles } from './troubles.ts';
import { Turns } from './turns.ts';

export interface DispatchDeps {
  readonly store: ThreadStore;
  readonly adapters: ReadonlyMap<PlatformId, ChatAdapter>;
  readonly clock: Clock;
  readonly log: Log;
  /** Rung when rows were added. */
  readonly bell: Bell;
  /** Tells that a row left: its thread may have drained; `row.createdAt` tells how long it waited. */
  readonly onSettled: (row: OutboxRow, outcome: 'sent' | 'failed', platform: PlatformId) => void;
  /** What keeps threads from being shown; health says it. */
  readonly troubles: Troubles;
  /** Tells of a try that failed; metrics count it. */
  readonly onTrouble: (platform: PlatformId, error: unknown) => void;
  /** Tells the supervisor that the loop lives. */
  readonly beat: () => void;
  readonly failPoint?: FailPoint;
}

/** A call that takes longer may have happened or not; the adapter's own limits are shorter, ms. */
const callTimeout = 60_000;
const idleWait = 1_000;
/** How long an ending loop waits for calls under way; what is later is looked for at the next start, ms. */
const stopGrace = 3_000;

/**
 * Takes what is due out of the outbox and shows it: one in flight per thread, within each method's
 * budget. Ends within 3 s when the signal aborts; what is under way then is looked for at the next start.
 */
export const dispatchLoop = async (deps: DispatchDeps, signal: AbortSignal): Promise<void> => {
  const dispatcher = new Dispatcher(deps);
  while (!signal.aborted) {
    deps.beat();
    const waitMs = dispatcher.start();
    await deps.bell.wait(deps.clock, Math.max(1, Math.min(idleWait, waitMs)), signal);
  }
  await dispatcher.stop();
};

class Dispatcher {
  readonly #deps: DispatchDeps;
  readonly #busy = new Map<ThreadId, Promise<void>>();
  readonly #budgets = new MethodBudgets();
  readonly #turns = new Turns();
  #isStopped = false;

  constructor(deps: DispatchDeps) {
    this.#deps = deps;
  }

  /** Starts whatever may go now. @returns ms until the next look is worth it. */
  start(): number {
    const { store, clock } = this.#deps;
    const now = clock.now();
    const isBusy = (thread: ThreadId): boolean => this.#busy.has(thread);
    const threads = { isBusy, lastTurn: (thread: ThreadId) => this.#turns.last(thread) };
    const { ready, nextAt } = nextRows(store.outbox.waiting(), threads, now);
    let waitMs = nextAt === undefined ? idleWait : nextAt - now;
    for (const { row, priority } of ready) {
      if (isBusy(row.thread)) continue;
      const thread = store.threads.find(row.thread);
      const adapter = thread && this.#deps.adapters.get(thread.platform);
      if (thread === undefined || adapter === undefined) continue;
      const missing = this.#budgets.take(adapter, thread, { op: row.op, priority }, now);
      if (missing > 0) {
        waitMs = Math.min(waitMs, missing);
        continue;
      }
      this.#turns.had(row.thread);
      const sending = this.#run(adapter, thread, row).finally(() => {
        this.#busy.delete(row.thread);
        this.#deps.bell.ring();
      });
      this.#busy.set(row.thread, sending);
    }
    return waitMs;
  }

  async stop(): Promise<void> {
    const nap = new AbortController();
    const grace = this.#deps.clock.sleep(stopGrace, nap.signal);
    await Promise.race([Promise.all(this.#busy.values()), grace]);
    nap.abort();
    this.#isStopped = true;
  }

  async #run(adapter: ChatAdapter, thread: Thread, row: OutboxRow): Promise<void> {
    const { store, failPoint, log } = this.#deps;
    try {
      failPoint?.('dispatch:chosen');
      // Read before it is marked as tried: what is marked is never replaced by a newer edit.
      const data = store.outbox.data(row.id);
      store.outbox.begin(row.id);
      failPoint?.('dispatch:begun');
      const result = await this.#bounded(adapter, thread, row, data).then(
        (sent) => ({ sent }),
        (error: unknown) => ({ error }),
      );
      failPoint?.('dispatch:sent');
      // Nobody may write any more: the row stays uncertain, as after a crash.
      if (this.#isStopped) return;
      if ('sent' in result) this.#complete(thread, row, result.sent);
      else this.#failed(adapter, thread, row, result.error);
      failPoint?.('dispatch:completed');
    } catch (error) {
      log.error(
        { err: error, thread: thread.id, item: row.item },
        'the outbox could not be written',
      );
    }
  }

  async #bounded(
    adapter: ChatAdapter,
    thread: Thread,
    row: OutboxRow,
    data: string,
  ): Promise<Sent> {
    const nap = new AbortController();
    const late = this.#deps.clock.sleep(callTimeout, nap.signal).then((): never => {
      throw new BridgeError('unavailable', 'the platform did not answer', { certain: false });
    });
    // When the call wins, the nap's end must not count as a failure of its own.
    late.catch(() => undefined);
    const target = this.#deps.store.ledger
      .load(thread.id, [row.item])
      .find((entry) => entry.item === row.item)
      ?.parts.find((part) => part.part === row.part)?.message;
    try {
      return await Promise.race([send(adapter, { row, thread, data, target }), late]);
    } finally {
      nap.abort();
    }
  }

  #complete({ id, platform }: Thread, row: OutboxRow, sent: Sent): void {
    const { store, onSettled } = this.#deps;
    store.transaction(() => {
      store.outbox.complete(row, sent.message);
      const thread = store.threads.find(id);
      if (thread === undefined || sent.message === undefined) return;
      store.threads.save({
        ...thread,
        lastMessage: sent.message,
        ...(sent.thread !== undefined && { ref: sent.thread }),
      });
    });
    this.#passed(id);
    onSettled(row, 'sent', platform);
  }

  #passed(thread: ThreadId): void {
    for (const { platform, why } of this.#deps.troubles.passed(thread))
      this.#deps.log.info({ platform }, `over: ${why}`);
  }

  #failed(adapter: ChatAdapter, thread: Thread, row: OutboxRow, error: unknown): void {
    const { store, clock, log, troubles, onSettled, onTrouble } = this.#deps;
    const text = error instanceof Error ? error.message : String(error);
    const next = afterFailure(row, row.attempts + 1, error, clock.now());
    onTrouble(thread.platform, error);
    if (error instanceof BridgeError && error.code === 'rate-limited')
      this.#budgets.empty(adapter, thread, row.op, clock.now());
    const news = troubles.failed(thread, error, row.attempts + 1);
    if (news !== undefined)
      log.warn(
        { err: error, platform: thread.platform, thread: thread.id },
        `nothing goes out: ${news.why} It is kept and tried again.`,
      );
    const about = { err: error, thread: thread.id, item: row.item, op: row.op, next: next.do };
    if (next.do === 'retry') {
      log.debug(about, 'a message did not go out; it is tried again');
      store.outbox.defer(row.id, next.notBefore, next.isUncertain, text);
      return;
    }
    log.warn(about, 'a message cannot be shown');
    store.transaction(() => {
      if (next.do === 'drop') store.outbox.complete(row);
      else if (next.scope === 'thread' || row.op === 'open') this.#giveUp(thread.id, text);
      else store.outbox.fail(row, text);
    });
    this.#passed(thread.id);
    onSettled(row, 'failed', thread.platform);
  }

  /** The platform no longer has the thread: nothing more is planned for it, and that is shown. */
  #giveUp(id: ThreadId, why: string): void {
    const { store } = this.#deps;
    for (const row of store.outbox.waiting()) if (row.thread === id) store.outbox.fail(row, why);
    const thread = store.threads.find(id);
    if (thread !== undefined) store.threads.save({ ...thread, state: 'gone', goneWhy: why });
  }
}
