import type { ThreadId } from '../model/ids.ts';
import { type OutboxPriority, type OutboxRow, outboxPriority } from '../model/thread.ts';

/** How many posts a waiting dialog stays behind; when more wait in its thread it overtakes them. */
const patience = 3;

export interface NextRows {
  /** At most one per thread, best first. */
  readonly ready: readonly OutboxRow[];
  /** ms since the epoch: when the next one is due, where only time is missing. */
  readonly nextAt: number | undefined;
}

interface Candidate {
  readonly row: OutboxRow;
  readonly priority: OutboxPriority;
}

const isPost = (row: OutboxRow): boolean => row.op === 'open' || row.op === 'post';

/**
 * What may go out of one thread. Posts keep their order (P4), and lend each other their urgency: a
 * question's own text before it goes with it. Only where a thread lags by more than `patience`
 * messages the dialog goes ahead of them. Edits wait for their own message and for nothing else.
 */
const candidatesOf = (rows: readonly OutboxRow[]): readonly Candidate[] => {
  const posts = rows.filter(isPost);
  const [head] = posts;
  if (head?.op === 'open') return [{ row: head, priority: outboxPriority.urgent }];
  const near = posts.slice(0, patience + 1).map((row) => row.priority);
  const overtaking = posts.slice(patience + 1).find((r) => r.priority === outboxPriority.urgent);
  const seen = new Set(posts.map((row) => `${row.item} ${row.part}`));
  const touches = rows.filter((row) => {
    if (isPost(row)) return false;
    const message = `${row.item} ${row.part}`;
    if (seen.has(message)) return false;
    seen.add(message);
    return true;
  });
  return [
    ...(head === undefined ? [] : [{ row: head, priority: Math.min(...near) as OutboxPriority }]),
    ...(overtaking === undefined ? [] : [{ row: overtaking, priority: overtaking.priority }]),
    ...touches.map((row) => ({ row, priority: row.priority })),
  ];
};

const byUrgency = (a: Candidate, b: Candidate): number =>
  a.priority - b.priority || a.row.id - b.row.id;

/**
 * One row per thread that is not busy: questions and receipts before text, text before progress,
 * progress before heads. Different threads never wait for each other.
 * @param rows every waiting row, by id.
 */
export const nextRows = (
  rows: readonly OutboxRow[],
  isBusy: (thread: ThreadId) => boolean,
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
    const candidates = candidatesOf(waiting);
    const best = candidates.filter(({ row }) => row.notBefore <= now).sort(byUrgency)[0];
    if (best !== undefined) ready.push(best);
    for (const { row } of candidates)
      if (row.notBefore > now) nextAt = Math.min(nextAt ?? row.notBefore, row.notBefore);
  }
  return { ready: ready.sort(byUrgency).map(({ row }) => row), nextAt };
};
