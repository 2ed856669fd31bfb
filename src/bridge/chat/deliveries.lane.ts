import type { HoldReason } from '../model/delivery.ts';
import type { DeliveryRecord, Pause } from '../ports/chat-store.ts';

/** An answer or interrupt that is older is not sent any more: the person has looked away (I1). */
export const CONTROL_WITHIN_MS = 60_000;

/** What the lane of one run does next. */
export interface LaneStep {
  /** Replies whose hold reason changes without asking the host. */
  readonly hold: readonly { readonly delivery: DeliveryRecord; readonly reason: HoldReason }[];
  readonly expire: readonly DeliveryRecord[];
  /** The oldest reply that may go. */
  readonly send: DeliveryRecord | undefined;
  /** ms since the epoch when something of this lane expires; absent: nothing does. */
  readonly wakeAt: number | undefined;
}

/** Age at which the question "still send?" answers itself: no. */
export const ASK_FOR_MS = 24 * 3_600_000;

const isHeldFor = (delivery: DeliveryRecord, reason: HoldReason): boolean => {
  if (delivery.outcome.status !== 'held') return false;
  const now = delivery.outcome.reason;
  return (
    now.why === reason.why &&
    (now.why !== 'behind' || (reason.why === 'behind' && now.delivery === reason.delivery))
  );
};

/** A person was asked whether it shall go at all. */
const isStale = (delivery: DeliveryRecord): boolean =>
  delivery.outcome.status === 'held' &&
  (delivery.outcome.reason.why === 'stale' || delivery.outcome.reason.why === 'doubt');

/**
 * One lane of replies in order (D8). Replies from before an interrupt wait for `continue`, whatever
 * the hold time (I3); old ones from history wait for a person and hold nobody up (D4). What a
 * crash left under way is always sent again, even past its hold time: only the host knows whether
 * it was typed, and past its deadline it types nothing.
 */
export const planLane = (
  open: readonly DeliveryRecord[],
  pause: Pause | undefined,
  now: number,
): LaneStep => {
  const hold: { delivery: DeliveryRecord; reason: HoldReason }[] = [];
  const expire: DeliveryRecord[] = [];
  const wakes: number[] = [];
  let send: DeliveryRecord | undefined;

  for (const delivery of open) {
    if (delivery.kind !== 'reply' || delivery.isDiscarding) continue;
    const isPaused = pause !== undefined && delivery.seq < pause.beforeSeq && !delivery.isSending;
    const until = isStale(delivery) ? delivery.createdAt + ASK_FOR_MS : delivery.holdUntil;
    if (isPaused) {
      const reason: HoldReason = { why: pause.isConfirmed ? 'paused' : 'interrupting' };
      if (!isStale(delivery) && !isHeldFor(delivery, reason)) hold.push({ delivery, reason });
      continue;
    }
    if (until <= now && !delivery.isSending) {
      expire.push(delivery);
      continue;
    }
    if (until > now) wakes.push(until);
    if (isStale(delivery)) continue;
    if (send === undefined) {
      send = delivery;
      continue;
    }
    const reason: HoldReason = { why: 'behind', delivery: send.id };
    // While the first one is merely being typed the next ones simply wait their turn.
    if (send.outcome.status === 'held' && !isHeldFor(delivery, reason)) {
      hold.push({ delivery, reason });
    }
  }
  return { hold, expire, send, wakeAt: wakes.length === 0 ? undefined : Math.min(...wakes) };
};
