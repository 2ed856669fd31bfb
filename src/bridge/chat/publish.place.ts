import type { RunSummary } from '../model/run-state.ts';
import { type Binding, type Channel, outboxPriority, type Thread } from '../model/thread.ts';
import { leftNotes, newThreadNotes, separators } from './present.ts';
import { headDigest, presentHead, presentLeftHead, stateKey } from './present-head.ts';
import type { PublishDeps } from './publish.deps.ts';
import { copiedBefore, placeSession, type SessionSeen } from './threads.ts';
import { headItem, writeMessage } from './write-message.ts';

/** A thread with what its session's binding says. */
export interface Placed {
  readonly thread: Thread;
  /** ms since the epoch; older items are copied history. */
  readonly notBefore: number;
}

/** The write side of one thread in its channel. */
export const writerOf = (deps: PublishDeps, channel: Pick<Channel, 'platform'>) => ({
  store: deps.store,
  redact: deps.redact,
  encode: (message: Parameters<typeof writeMessage>[2]['message']) =>
    deps.adapters.get(channel.platform)?.encode(message) ?? [],
});

const say = (
  deps: PublishDeps,
  channel: Channel,
  thread: Thread,
  what: { readonly item: string; readonly markdown: string },
): void => {
  // A separator or a note is said once, whatever is reported again.
  if (deps.store.ledger.load(thread.id, [what.item]).length > 0) return;
  const entry = { item: what.item, digest: 'said', state: 'shown' } as const;
  const message = { type: 'lifecycle', markdown: what.markdown } as const;
  const write = { entry, message, priority: outboxPriority.text };
  writeMessage(writerOf(deps, channel), thread, write, deps.clock.now());
  deps.store.threads.save({ ...thread, tail: what.item });
};

const openThread = (deps: PublishDeps, channel: Channel, run: RunSummary): Thread => {
  const now = deps.clock.now();
  const link = deps.linkOf(run);
  const thread: Thread = {
    id: deps.newThreadId(),
    channel: channel.id,
    platform: channel.platform,
    run: run.id,
    state: 'open',
    shownState: stateKey({ name: 'idle' }),
    headEditedAt: now,
    notify: [],
  };
  deps.store.threads.create(thread, now);
  const entry = { item: headItem, digest: headDigest(run, link), state: 'shown' } as const;
  const message = presentHead(run, link, now);
  const write = { entry, message, priority: outboxPriority.text };
  writeMessage(writerOf(deps, channel), thread, write, now);
  return thread;
};

/** Nothing is worth a thread yet: it may be about to resume a conversation that has one. */
const isTooEarly = ({ session, state }: RunSummary): boolean =>
  state.name === 'ended' || (session === undefined && state.name === 'starting');

/**
 * The thread in which this channel shows the run's session, made, bound and told of what happened
 * where needed (R2). Undefined: not shown here (ignored, gone, too early, ended before it was seen),
 * or its items will tell.
 */
export const place = (
  deps: PublishDeps,
  channel: Channel,
  run: RunSummary,
  seen: Pick<SessionSeen, 'session' | 'origin'>,
): Placed | undefined => {
  const { threads } = deps.store;
  const bindings = threads.bindings(channel.id, run.id, seen.session);
  const asked: SessionSeen = { run: run.id, startedAt: run.startedAt, ...seen };
  const placement = placeSession(bindings, asked);
  const isNew = placement.type === 'new';
  if (placement.type === 'wait' || (isNew && isTooEarly(run))) return undefined;
  const thread = isNew ? openThread(deps, channel, run) : threads.find(placement.thread);
  if (thread === undefined || thread.state !== 'open') return undefined;
  const own = bindings.find((b) => b.run === run.id && b.session === seen.session);
  const notBefore = own?.notBefore ?? copiedBefore(asked);
  const isKnown = own?.isLive === true && placement.type === 'same';
  const left = bindings.find((b) => b.run === run.id && b.isLive && b.thread !== thread.id);
  if (!isKnown) bind(deps, bindings, { asked, channel, thread, notBefore });
  if (thread.run !== run.id) threads.save({ ...thread, run: run.id });
  const now = threads.find(thread.id) ?? thread;
  const name = `${run.id}:${seen.session ?? ''}`;
  if (placement.type === 'goes-on')
    say(deps, channel, now, {
      item: `separator:${name}:${deps.clock.now()}`,
      markdown: separators[placement.separator],
    });
  // A fork is known by its first items only; its thread is there since it started.
  const why = isNew ? placement.why : seen.origin === 'forked' ? 'forked' : 'first';
  const note = newThreadNotes[why];
  if (note !== undefined) say(deps, channel, now, { item: `note:${name}`, markdown: note });
  if (left !== undefined) leave(deps, channel, { binding: left, run });
  return { thread: threads.find(thread.id) ?? now, notBefore };
};

/** The thread that the run was in says so, and where replies go now. */
const leave = (
  deps: PublishDeps,
  channel: Channel,
  left: { readonly binding: Binding; readonly run: RunSummary },
): void => {
  const { binding, run } = left;
  const old = deps.store.threads.find(binding.thread);
  if (old === undefined || old.state !== 'open') return;
  const now = deps.clock.now();
  const entry = { item: headItem, digest: 'left', state: 'shown' } as const;
  const message = presentLeftHead(run, deps.linkOf(run), now);
  const write = { entry, message, priority: outboxPriority.head };
  writeMessage(writerOf(deps, channel), old, write, now);
  const markdown = binding.session === undefined ? leftNotes.startUp : leftNotes.session;
  say(deps, channel, old, { item: `left:${run.id}:${now}`, markdown });
};

const bind = (
  deps: PublishDeps,
  bindings: readonly Binding[],
  to: {
    readonly asked: SessionSeen;
    readonly channel: Channel;
    readonly thread: Thread;
    readonly notBefore: number;
  },
): void => {
  const { threads } = deps.store;
  const { run, session } = to.asked;
  // A run is in one session at a time.
  for (const old of bindings)
    if (old.run === run && old.isLive) threads.bind({ ...old, isLive: false });
  threads.bind({
    channel: to.channel.id,
    run,
    ...(session !== undefined && { session }),
    thread: to.thread.id,
    notBefore: to.notBefore,
    isLive: true,
  });
};
