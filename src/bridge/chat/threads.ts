import type { SessionOrigin } from '../model/events.ts';
import type { RunId, SessionId, ThreadId } from '../model/ids.ts';
import type { Binding, Thread } from '../model/thread.ts';

/** What is asked: a run, and its session where it has one. */
export interface SessionSeen {
  readonly run: RunId;
  /** ms since the epoch. */
  readonly startedAt: number;
  readonly session: SessionId | undefined;
  /** Absent for what is not about items: nothing is known then of how the session came. */
  readonly origin: SessionOrigin | undefined;
}

export type NewThreadReason = 'first' | 'forked' | 'second-process' | 'taken';

/** Where a session is shown in one channel (R2). */
export type Placement =
  | { readonly type: 'same'; readonly thread: ThreadId; readonly isBound: boolean }
  | {
      readonly type: 'goes-on';
      readonly thread: ThreadId;
      readonly separator: 'cleared' | 'resumed';
    }
  | { readonly type: 'new'; readonly why: NewThreadReason }
  /** The run has gone to a session of which nothing is known yet; its items will tell. */
  | { readonly type: 'wait' };

/**
 * Where the session went on before, and is free now. A second process's thread is a side one: the
 * oldest that was in this session last goes on. A live run may have taken a thread along to another
 * session (/clear): two of them never share one.
 */
const threadToGoOn = (
  bindings: readonly Binding[],
  session: SessionId,
  run: RunId,
): ThreadId | undefined => {
  const isTaken = (thread: ThreadId) =>
    bindings.some((b) => b.thread === thread && b.run !== run && b.isLive);
  const wasHereLast = (thread: ThreadId) =>
    bindings.findLast((b) => b.thread === thread)?.session === session;
  const free = bindings
    .filter((b) => b.session === session && !isTaken(b.thread))
    .map((b) => b.thread);
  return free.find(wasHereLast) ?? free.at(-1);
};

/** @param bindings of this channel that concern the run, the session, or a thread of the session; oldest first. */
export const placeSession = (bindings: readonly Binding[], seen: SessionSeen): Placement => {
  const ofRun = bindings.filter((b) => b.run === seen.run);
  const last = ofRun.findLast((b) => b.isLive) ?? ofRun.at(-1);
  if (seen.session === undefined) {
    return last === undefined
      ? { type: 'new', why: 'first' }
      : { type: 'same', thread: last.thread, isBound: true };
  }
  const own = ofRun.find((b) => b.session === seen.session);
  if (own !== undefined) {
    const isBack = !own.isLive && ofRun.some((b) => b.isLive && b.session !== undefined);
    return isBack
      ? { type: 'goes-on', thread: own.thread, separator: 'resumed' }
      : { type: 'same', thread: own.thread, isBound: true };
  }
  if (seen.origin === 'cleared' && last !== undefined)
    return { type: 'goes-on', thread: last.thread, separator: 'cleared' };
  const others = bindings.filter((b) => b.run !== seen.run && b.session === seen.session);
  if (others.some((b) => b.isLive)) return { type: 'new', why: 'second-process' };
  if (others.length > 0) {
    const thread = threadToGoOn(bindings, seen.session, seen.run);
    return thread === undefined
      ? { type: 'new', why: 'taken' }
      : { type: 'goes-on', thread, separator: 'resumed' };
  }
  if (last !== undefined && last.session === undefined)
    return { type: 'same', thread: last.thread, isBound: false };
  if (last !== undefined && seen.origin === undefined) return { type: 'wait' };
  return { type: 'new', why: seen.origin === 'forked' ? 'forked' : 'first' };
};

/** Its run has gone on with another conversation elsewhere: a reply here would reach that one. */
export const hasLeft = (bindings: readonly Binding[], thread: Thread): boolean => {
  const live = bindings.filter((b) => b.run === thread.run && b.isLive);
  return live.length > 0 && live.every((b) => b.thread !== thread.id);
};

/** The start of a process is known to a second; rows of the very same moment are its own, ms. */
const startTolerance = 2_000;

/** Before this, items of a newly bound session are copied history and were posted elsewhere (R2). */
export const copiedBefore = (seen: SessionSeen): number =>
  seen.origin === 'forked' || seen.origin === 'new' ? seen.startedAt - startTolerance : 0;
