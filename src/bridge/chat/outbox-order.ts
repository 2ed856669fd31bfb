import type { ThreadId } from '../model/ids.ts';
import { type OutboxPriority, type OutboxRow, outboxPriority } from '../model/thread.ts';

/** How many posts a waiting dialog stays behind; when more wait in its thread it overtakes them. */
const patience = 3;
/** And how long; where a platform takes one post a second, three before it would be too many, ms. */
const longestBehind = 500;
/** What gives way to others gives way so long, and no longer, ms. */
const longestGivingWay = 60_000;

export interface Threads {
  /** A call for it is under way. */
  isBusy(thread: ThreadId): boolean;
  /** Grows with every turn; 0: it had none yet. */
  lastTurn(thread: ThreadId): number;
}

/** A row that may go, as urgent as what waits behind it. */
export interface Candidate {
  readonly row: OutboxRow;
  readonly priority: OutboxPriority;
}

export interface NextRows {
  /** What may go now, best first; of one thread at most one may be taken. */
  readonly ready: readonly Candidate[];
  /** ms since the epoch: when the next one is due, where only time is missing. */
  readonly nextAt: number | undefined;
}

const isPost = (row: OutboxRow): boolean => row.op === 'open' || row.op === 'post';

/** The head of a busy channel is edited late, but it is edited. */
const ofTouch = (row: OutboxRow, now: number): OutboxPriority =>
  row.priority === outboxPriority.head &&
  now - Math.max(row.createdAt, row.notBefore) > longestGivingWay
    ? outboxPriority.progress
    : row.priority;

const mostUrgent = (rows: readonly OutboxRow[]): OutboxPriority =>
  Math.min(...rows.map((row) => row.priority)) as OutboxPriority;

/**
 * What may go out of one thread. Posts keep their order (P4), and lend each other their urgency: a
 * question's own text before it goes with it. Only where a thread lags the dialog goes ahead of it.
 * Edits wait for their own message and for nothing else.
 */
const candidatesOf = (rows: readonly OutboxRow[], now: number): readonly Candidate[] => {
  const posts = rows.filter(isPost);
  const [head] = posts;
  if (head?.op === 'open') return [{ row: head, priority: outboxPriority.urgent }];
  const isOvertaking = (row: OutboxRow, n: number): boolean =>
    n > 0 &&
    row.priority === outboxPriority.urgent &&
    (n > patience || now - row.createdAt > longestBehind);
  const near = posts.slice(0, patience + 1).filter((row, n) => !isOvertaking(row, n));
  const overtaking = posts.find(isOvertaking);
  const seen = new Set(posts.map((row) => `${row.item} ${row.part}`));
  const touches = rows.filter((row) => {
    if (isPost(row)) return false;
    const message = `${row.item} ${row.part}`;
    if (seen.has(message)) return false;
    seen.add(message);
    return true;
  });
  return [
    ...(head === undefined ? [] : [{ row: head, priority: mostUrgent(near) }]),
    ...(overtaking === undefined ? [] : [{ row: overtaking, priority: overtaking.priority }]),
    ...touches.map((row) => ({ row, priority: ofTouch(row, now) })),
  ];
};

/**
 * What may go out now: questions and receipts before text, text before progress, progress before
 * heads; among equals the thread whose turn is longest ago. Busy threads are left alone. A row whose
 * method has no budget left is passed over, and holds back nothing else, not even in its own thread.
 * @param rows every waiting row, by id.
 */
export const nextRows = (
  rows: readonly OutboxRow[],
  { isBusy, lastTurn }: Threads,
  now: number,
): NextRows => {
  const threads = new Map<ThreadId, OutboxRow[]>();
  for (const row of rows) {
    const known = threads.get(row.thread);
    if (known === undefined) threads.set(row.thread, [row]);
    else known.push(row);
  }
  const ready: Candidate[] = [];
  let nextAt: number | undefined;
  for (const [thread, waiting] of threads) {
    if (isBusy(thread)) continue;
    for (const candidate of candidatesOf(waiting, now)) {
      const { notBefore } = candidate.row;
      if (notBefore <= now) ready.push(candidate);
      else nextAt = Math.min(nextAt ?? notBefore, notBefore);
    }
  }
  const byUrgency = (a: Candidate, b: Candidate): number =>
    a.priority - b.priority ||
    lastTurn(a.row.thread) - lastTurn(b.row.thread) ||
    a.row.id - b.row.id;
  return { ready: ready.sort(byUrgency), nextAt };
};
