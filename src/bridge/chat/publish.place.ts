import type { RunSummary } from '../model/run-state.ts';
import { type Binding, type Channel, outboxPriority, type Thread } from '../model/thread.ts';
import { newThreadNotes, separators } from './present.ts';
import { headDigest, presentHead, stateKey } from './present-head.ts';
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

/**
 * The thread in which this channel shows the run's session, made, bound and told of what happened
 * where needed (R2). Undefined: not shown here (ignored, gone, ended before it was seen), or its items will tell.
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
  if (placement.type === 'wait' || (isNew && run.state.name === 'ended')) return undefined;
  const thread = isNew ? openThread(deps, channel, run) : threads.find(placement.thread);
  if (thread === undefined || thread.state !== 'open') return undefined;
  const own = bindings.find((b) => b.run === run.id && b.session === seen.session);
  const notBefore = own?.notBefore ?? copiedBefore(asked);
  const isKnown = own?.isLive === true && placement.type === 'same';
  if (!isKnown) bind(deps, bindings, { asked, channel, thread, notBefore });
  if (thread.run !== run.id) threads.save({ ...thread, run: run.id });
  const now = threads.find(thread.id) ?? thread;
  const name = `${run.id}:${seen.session ?? ''}`;
  if (placement.type === 'goes-on')
    say(deps, channel, now, {
      item: `separator:${name}`,
      markdown: separators[placement.separator],
    });
  const note = isNew ? newThreadNotes[placement.why] : undefined;
  if (note !== undefined) say(deps, channel, now, { item: `note:${name}`, markdown: note });
  return { thread: threads.find(thread.id) ?? now, notBefore };
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
