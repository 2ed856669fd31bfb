import type { Item } from '../model/conversation.ts';
import type { RunId, SessionId } from '../model/ids.ts';
import type { RunSummary } from '../model/run-state.ts';
import { type Channel, outboxPriority, type Thread } from '../model/thread.ts';
import { keysToLoad, type PlanOp } from './ledger-view.ts';
import { type PlanContext, placeOf, plan } from './plan.ts';
import { headDigest, headEditAt, presentHead, stateKey, stateNotice } from './present-head.ts';
import { mostWaiting, type PublishDeps } from './publish.deps.ts';
import { writerOf } from './publish.place.ts';
import { headItem, writeMessage } from './write-message.ts';

/** What planning needs to know of a thread besides its items. */
export const contextOf = (
  deps: PublishDeps,
  channel: Channel,
  thread: Thread,
  run: RunSummary,
): PlanContext => ({
  run,
  verbosity: thread.verbosity ?? channel.verbosity,
  notify: thread.notify,
  names: deps.names,
  place: thread.ref && placeOf(thread.ref),
  link: deps.linkOf(run),
  redact: deps.redact,
});

/** Writes what was planned, in the caller's transaction. */
export const applyOps = (
  deps: PublishDeps,
  channel: Channel,
  thread: Thread,
  ops: readonly PlanOp[],
  /** Where what is passed over stands; a dialog that stands in no transcript is never passed over. */
  from?: { readonly run: RunId; readonly session: SessionId },
): void => {
  const { behind, ledger } = deps.store;
  const writer = writerOf(deps, channel);
  const now = deps.clock.now();
  for (const op of ops) {
    if (op.op === 'show') writeMessage(writer, thread, op, now);
    else if (op.op === 'note') ledger.save(thread.id, op.entry);
    else if (from !== undefined) behind.passOver({ thread: thread.id, ...from, from: op.from });
  }
};

/** Plans and writes new and revised items of one session for one thread. */
export const showItems = (
  deps: PublishDeps,
  channel: Channel,
  at: { readonly thread: Thread; readonly notBefore: number },
  what: {
    readonly run: RunSummary;
    readonly session: SessionId;
    readonly items: readonly Item[];
    /** What had been passed over is shown now: without bound. */
    readonly isCatchingUp?: boolean;
  },
): void => {
  const { store } = deps;
  const { thread, notBefore } = at;
  const { run, session, items, isCatchingUp = false } = what;
  const { ops, tail } = plan({
    ...contextOf(deps, channel, thread, run),
    items,
    ledger: store.ledger.load(thread.id, keysToLoad(items, thread.tail)),
    tail: thread.tail,
    notBefore,
    room: isCatchingUp
      ? Number.POSITIVE_INFINITY
      : mostWaiting - store.outbox.postsWaiting(thread.id),
    isBehind: !isCatchingUp && store.behind.of(thread.id).length > 0,
  });
  applyOps(deps, channel, thread, ops, { run: run.id, session });
  if (tail !== undefined && tail !== thread.tail) store.threads.save({ ...thread, tail });
};

/** The head as the run is now, sparingly (P5); and a message for a state that people must know of. */
export const showState = (
  deps: PublishDeps,
  channel: Channel,
  thread: Thread,
  run: RunSummary,
): void => {
  const { store, clock } = deps;
  const now = clock.now();
  const link = deps.linkOf(run);
  const digest = headDigest(run, link);
  const known = store.ledger.load(thread.id, [headItem]).find((e) => e.item === headItem);
  const head = { hasChanged: known?.digest !== digest, editedAt: thread.headEditedAt };
  const notBefore = headEditAt(run, head, now);
  const writer = writerOf(deps, channel);
  let next = thread;
  if (notBefore !== undefined) {
    const entry = { item: headItem, digest, state: 'shown' } as const;
    const message = presentHead(run, link, now);
    writeMessage(writer, thread, { entry, message, priority: outboxPriority.head, notBefore }, now);
    next = { ...next, headEditedAt: notBefore };
  }
  const state = stateKey(run.state);
  if (state !== thread.shownState) {
    next = { ...next, shownState: state };
    const markdown = stateNotice(run);
    if (markdown !== undefined) {
      // The same state may come again later: each time is told once.
      const item = `state:${run.id}:${state}:${now}`;
      const entry = { item, digest: state, state: 'shown' } as const;
      const mentions = run.state.name === 'ended' ? thread.notify : [];
      const message = {
        type: 'lifecycle',
        markdown,
        ...(mentions.length > 0 && { mentions }),
      } as const;
      writeMessage(writer, thread, { entry, message, priority: outboxPriority.text }, now);
      next = { ...next, tail: item };
    }
  }
  if (next !== thread) store.threads.save(next);
};
