import type { Item } from '../model/conversation.ts';
import type { RunSummary } from '../model/run-state.ts';
import { type Behind, type Channel, outboxPriority, type Thread } from '../model/thread.ts';
import type { Bell } from './bell.ts';
import { presentCatchUp } from './catch-up-file.ts';
import { keyOf } from './ledger-view.ts';
import { isSelected } from './present.ts';
import { mostSingly, type PublishDeps } from './publish.deps.ts';
import { writerOf } from './publish.place.ts';
import { showItems } from './publish.show.ts';
import { redactItem } from './redact-item.ts';
import { writeMessage } from './write-message.ts';

interface Backlog {
  readonly run: RunSummary;
  readonly items: readonly Item[];
  /** The provider no longer has the transcript. */
  readonly isGone: boolean;
  /** Offset of what was not read yet. */
  readonly next: number | undefined;
}

const pageSize = 500;
/** What is more goes into the next file, items. */
const mostItems = 5_000;
const pause = 1_000;

const readBacklog = async (deps: PublishDeps, behind: Behind): Promise<Backlog | undefined> => {
  const found = await deps.read({ type: 'run', run: behind.run });
  if (found.type !== 'run' || found.run === null) return undefined;
  const { run } = found;
  const items: Item[] = [];
  let offset: number | undefined = behind.from;
  while (offset !== undefined && items.length < mostItems) {
    const page = await deps.read({
      type: 'since',
      run: behind.run,
      session: behind.session,
      offset,
      limit: pageSize,
    });
    if (page.type !== 'window' || page.window.isGone === true)
      return { run, items, isGone: true, next: undefined };
    items.push(...page.window.items);
    offset = page.window.next;
  }
  return { run, items, isGone: false, next: offset };
};

/** Items that are new to the thread and that its verbosity selects. */
const newItems = (
  deps: PublishDeps,
  channel: Channel,
  thread: Thread,
  items: readonly Item[],
): readonly Item[] => {
  const known = new Set<string>();
  for (let n = 0; n < items.length; n += pageSize) {
    const keys = items.slice(n, n + pageSize).map(keyOf);
    for (const entry of deps.store.ledger.load(thread.id, keys)) known.add(entry.item);
  }
  const verbosity = thread.verbosity ?? channel.verbosity;
  return items.filter(
    (item) => !known.has(keyOf(item)) && item.parent === undefined && isSelected(item, verbosity),
  );
};

const file = (
  deps: PublishDeps,
  channel: Channel,
  thread: Thread,
  behind: Behind,
  items: readonly Item[],
): void => {
  const { store, clock } = deps;
  const item = `file:${behind.session}:${behind.from}`;
  const entry = { item, digest: 'file', state: 'shown' } as const;
  const masked = items.map((i) => redactItem(i, deps.redact, false));
  const message = presentCatchUp(masked, `${behind.session.slice(0, 8)}-${behind.from}`);
  const write = { entry, message, priority: outboxPriority.text };
  writeMessage(writerOf(deps, channel), thread, write, clock.now());
  for (const shown of items)
    store.ledger.save(thread.id, {
      item: keyOf(shown),
      digest: shown.digest,
      state: 'filed',
      shownIn: item,
    });
  store.threads.save({ ...thread, tail: item });
};

/** Shows what was passed over, in one transaction. @returns false: it went on meanwhile, read again. */
const write = (deps: PublishDeps, channel: Channel, behind: Behind, backlog: Backlog): boolean =>
  deps.store.transaction(() => {
    const { store } = deps;
    const thread = store.threads.find(behind.thread);
    if (thread === undefined || !store.behind.clear(behind)) return false;
    const { run, isGone, next } = backlog;
    const binding = store.threads
      .bindings(channel.id, behind.run, behind.session)
      .find((b) => b.run === behind.run && b.session === behind.session);
    const notBefore = binding?.notBefore ?? 0;
    const added = newItems(deps, channel, thread, backlog.items).filter((i) => i.at >= notBefore);
    const isOpen = (item: Item) => item.kind === 'dialog' && item.status === 'open';
    const isFiled = added.length > mostSingly;
    if (isFiled)
      file(
        deps,
        channel,
        thread,
        behind,
        added.filter((item) => !isOpen(item)),
      );
    const at = { thread: store.threads.find(thread.id) ?? thread, notBefore };
    const what = { run, session: behind.session, items: backlog.items };
    showItems(deps, channel, at, { ...what, isCatchingUp: true });
    if (next !== undefined) store.behind.passOver({ ...behind, from: next });
    if (isGone) {
      const entry = { item: `gone:${behind.session}`, digest: 'gone', state: 'shown' } as const;
      const markdown =
        'ℹ️ Some of what was said here can no longer be read back: its transcript is gone.';
      const message = { type: 'lifecycle', markdown } as const;
      const said = { entry, message, priority: outboxPriority.text };
      writeMessage(writerOf(deps, channel), at.thread, said, deps.clock.now());
    }
    return true;
  });

/** One thread's turn. @returns whether it is worth looking again at once. */
const catchUp = async (deps: PublishDeps, behind: Behind): Promise<boolean> => {
  const thread = deps.store.threads.find(behind.thread);
  const channel = deps.channels.find((c) => c.id === thread?.channel);
  if (thread === undefined || channel === undefined || thread.state !== 'open') {
    deps.store.behind.clear(behind);
    return false;
  }
  if (deps.store.outbox.postsWaiting(thread.id) > 0) return false;
  const backlog = await readBacklog(deps, behind);
  if (backlog === undefined) return false;
  deps.failPoint?.('catch-up:read');
  const isDone = write(deps, channel, behind, backlog);
  deps.failPoint?.('catch-up:committed');
  deps.bell.ring();
  return !isDone;
};

/**
 * Goes on with threads that fell behind, each when what it had has been posted. The transcript is the
 * backlog (P4); threads do not wait for each other.
 */
export const catchUpLoop = async (
  deps: PublishDeps,
  /** Rung when rows have left the outbox. */
  drained: Bell,
  beat: () => void,
  signal: AbortSignal,
): Promise<void> => {
  while (!signal.aborted) {
    beat();
    let again = false;
    const seen = new Set<string>();
    for (const behind of deps.store.behind.all()) {
      // One session of a thread after the other.
      if (seen.has(behind.thread)) continue;
      seen.add(behind.thread);
      try {
        again = (await catchUp(deps, behind)) || again;
      } catch (error) {
        deps.log.warn({ err: error, thread: behind.thread }, 'a backlog could not be read; later');
      }
    }
    await drained.wait(deps.clock, again ? 20 : pause, signal);
  }
};
