import { isSingleQuestion } from '../model/conversation.ts';
import type { DeliveryOutcome } from '../model/delivery.ts';
import type { HostEvent } from '../model/events.ts';
import type { DeliveryId, RunId } from '../model/ids.ts';
import type { PendingDialog } from '../model/run-state.ts';
import type { DeliveryRecord, DeliveryStore } from '../ports/chat-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { ChatLink } from '../ports/link.ts';
import type { Log } from '../ports/log.ts';
import { planLane } from './deliveries.lane.ts';
import { send } from './deliveries.send.ts';
import type { Settle } from './deliveries.settle.ts';

export interface DeliveriesDeps {
  readonly store: DeliveryStore;
  readonly clock: Clock;
  readonly link: ChatLink;
  readonly settle: Settle;
  readonly log: Log;
  readonly newId: () => string;
}

/** A held reply is tried again after this time, or as soon as the state of its run changes. */
const RETRY_MS = 1_000;
const LOST_MAX_MS = 15_000;

interface Lane {
  state: string | undefined;
  wake: () => void;
  isWoken: boolean;
}

/**
 * Carries deliveries to the host: one lane of replies per run, answers and interrupts beside it.
 * Everything it needs is in the store; it can be dropped at any point and started again.
 */
export class Deliveries {
  readonly #deps: DeliveriesDeps;
  readonly #lanes = new Map<RunId, Lane>();
  readonly #control = new Set<DeliveryId>();
  /** The open dialog of each run that has one. */
  readonly #pending = new Map<RunId, PendingDialog>();
  #signal: AbortSignal | undefined;
  #fail: (error: unknown) => void = () => {};

  constructor(deps: DeliveriesDeps) {
    this.#deps = deps;
  }

  /** Sends again what is not settled, then goes on until the signal aborts. Rejects on a bug. */
  async run(signal: AbortSignal): Promise<void> {
    const { store } = this.#deps;
    this.#lanes.clear();
    this.#control.clear();
    const local = new AbortController();
    const until = AbortSignal.any([signal, local.signal]);
    this.#signal = until;
    try {
      await new Promise<void>((resolve, reject) => {
        this.#fail = reject;
        until.addEventListener('abort', () => resolve(), { once: true });
        if (until.aborted) resolve();
        for (const delivery of store.open()) this.start(delivery);
      });
    } finally {
      local.abort();
      this.#signal = undefined;
      for (const lane of this.#lanes.values()) lane.wake();
    }
  }

  /** A delivery is there to be sent, or may be sent now after all. */
  start(delivery: DeliveryRecord): void {
    if (delivery.kind === 'reply' && !delivery.isDiscarding) this.nudge(delivery.run);
    else this.#startControl(delivery.id);
  }

  /** Looks at the replies of a run now. */
  nudge(run: RunId): void {
    const signal = this.#signal;
    if (signal === undefined || signal.aborted) return;
    const lane = this.#lanes.get(run);
    if (lane !== undefined) {
      lane.isWoken = true;
      lane.wake();
      return;
    }
    const fresh: Lane = { state: undefined, wake: () => {}, isWoken: false };
    this.#lanes.set(run, fresh);
    this.#lane(run, fresh, signal).catch((error: unknown) => this.#fail(error));
  }

  /** To be called for every host event, once: late outcomes, and states that let a held reply go. */
  onHostEvent(event: HostEvent): void {
    if (event.type === 'outcome') {
      this.#deps.settle.later(event.delivery, event.outcome);
      return;
    }
    const pending = event.type === 'dialog' ? event.pending : event.run.pendingDialog;
    if (pending === undefined || pending === null) this.#pending.delete(event.run.id);
    else this.#pending.set(event.run.id, pending);
    const lane = this.#lanes.get(event.run.id);
    const state = JSON.stringify([event.run.state, event.run.pendingDialog?.id]);
    if (lane === undefined || lane.state === state) return;
    lane.state = state;
    this.nudge(event.run.id);
  }

  async #lane(run: RunId, lane: Lane, signal: AbortSignal): Promise<void> {
    const { store, clock, settle } = this.#deps;
    let lostMs = RETRY_MS;
    while (!signal.aborted) {
      lane.isWoken = false;
      const step = planLane(store.openOf(run), store.pause(run), clock.now());
      for (const { delivery, reason } of step.hold) settle.hold(delivery.id, reason);
      for (const delivery of step.expire) settle.expire(delivery.id);
      if (step.expire.length > 0) continue;
      if (step.send === undefined) {
        if (step.wakeAt === undefined) {
          this.#lanes.delete(run);
          return;
        }
        await this.#wait(lane, step.wakeAt - clock.now(), signal);
        continue;
      }
      const wasHeld = step.send.outcome.status === 'held';
      const isLost = await this.#send(step.send, signal);
      lostMs = isLost ? Math.min(lostMs * 2, LOST_MAX_MS) : RETRY_MS;
      const isHeld = store.find(step.send.id)?.outcome.status === 'held';
      // Newly held: those behind it are told at once, before the first wait.
      if (isHeld && !wasHeld) {
        const told = planLane(store.openOf(run), store.pause(run), clock.now());
        for (const { delivery, reason } of told.hold) settle.hold(delivery.id, reason);
      }
      if (isLost || isHeld) await this.#wait(lane, isLost ? lostMs : RETRY_MS, signal);
    }
  }

  #startControl(delivery: DeliveryId): void {
    const signal = this.#signal;
    if (signal === undefined || signal.aborted || this.#control.has(delivery)) return;
    this.#control.add(delivery);
    this.#controlFlight(delivery, signal)
      .catch((error: unknown) => this.#fail(error))
      .finally(() => this.#control.delete(delivery));
  }

  /** Answers, interrupts and discards wait for nobody and nobody waits for them. */
  async #controlFlight(id: DeliveryId, signal: AbortSignal): Promise<void> {
    const { store, clock, settle } = this.#deps;
    let waitMs = RETRY_MS;
    while (!signal.aborted) {
      const delivery = store.find(id);
      if (delivery === undefined) return;
      const { status } = delivery.outcome;
      if (status !== 'waiting' && status !== 'held' && !delivery.isSending) break;
      if (!delivery.isSending && delivery.holdUntil <= clock.now()) {
        settle.expire(id);
        break;
      }
      const isLost = await this.#send(delivery, signal);
      const after = store.find(id)?.outcome.status;
      if (!isLost && after !== 'held') break;
      await clock.sleep(waitMs, signal);
      waitMs = isLost ? Math.min(waitMs * 2, LOST_MAX_MS) : RETRY_MS;
    }
    // Replies that waited for this may go, or have to stay back.
    const run = store.find(id)?.run;
    if (run !== undefined && store.openOf(run).length > 0) this.nudge(run);
  }

  /** True: the link was lost, nothing is known. */
  async #send(delivery: DeliveryRecord, signal: AbortSignal): Promise<boolean> {
    const { settle, log } = this.#deps;
    const sent = await send(delivery, this.#deps);
    // What a host says while everything stops is not its last word: it is asked again at the next start.
    if (signal.aborted) return true;
    if ('lost' in sent) {
      log.warn(
        { err: sent.lost, delivery: delivery.id, run: delivery.run },
        'no outcome came; asking again',
      );
      return true;
    }
    const outcome = this.#named(sent.outcome, delivery.run);
    settle.answered(delivery.id, outcome, sent.wasAgain);
    return false;
  }

  /** Who types sees that a dialog is open, not always which: what can be answered here says so (D6). */
  #named(outcome: DeliveryOutcome, run: RunId): DeliveryOutcome {
    if (outcome.status !== 'held' || outcome.reason.why !== 'dialog') return outcome;
    const pending = this.#pending.get(run);
    if (outcome.reason.dialog !== undefined || pending === undefined) return outcome;
    const takesOwnWords =
      outcome.reason.takesOwnWords && pending.isAnswerable && isSingleQuestion(pending.content);
    return { status: 'held', reason: { why: 'dialog', dialog: pending.id, takesOwnWords } };
  }

  async #wait(lane: Lane, ms: number, signal: AbortSignal): Promise<void> {
    if (lane.isWoken || signal.aborted) return;
    const nap = new AbortController();
    lane.wake = () => nap.abort();
    await this.#deps.clock.sleep(Math.max(0, ms), AbortSignal.any([signal, nap.signal]));
    lane.wake = () => {};
  }
}
