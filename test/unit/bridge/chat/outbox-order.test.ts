import { expect, test } from 'vitest';
import { nextRows, type Threads } from '../../../../src/bridge/chat/outbox-order.ts';
import type { ThreadId } from '../../../../src/bridge/model/ids.ts';
import type { OutboxRow } from '../../../../src/bridge/model/thread.ts';

const kinds = {
  open: { op: 'open', priority: 1 },
  text: { op: 'post', priority: 1 },
  question: { op: 'post', priority: 0 },
  edit: { op: 'edit', priority: 2 },
  head: { op: 'edit', priority: 3 },
  receipt: { op: 'receipt', priority: 0 },
} as const;

/** `kind thread [item] [@due]`, numbered from 1. */
const rows = (...texts: readonly string[]): readonly OutboxRow[] =>
  texts.map((words, n) => {
    const [kind = 'text', thread = 'a', item = `i${n + 1}`, due = '0'] = words.split(' ');
    return {
      id: n + 1,
      thread: thread as ThreadId,
      item,
      part: 0,
      attempts: 0,
      isUncertain: false,
      createdAt: 0,
      notBefore: Number(due),
      ...kinds[kind as keyof typeof kinds],
    };
  });

const quiet = { isBusy: () => false, lastTurn: () => 0 };
const ids = (all: readonly OutboxRow[], threads: Partial<Threads> = {}, now = 100) =>
  nextRows(all, { ...quiet, ...threads }, now).ready.map(({ row }) => row.id);

test.each<[string, readonly OutboxRow[], readonly number[]]>([
  ['one per thread, in order', rows('text a', 'text a', 'text b'), [1, 3]],
  ['nothing before the thread is open', rows('open a', 'receipt a', 'question a'), [1]],
  [
    'questions and receipts first',
    rows('head a', 'edit b', 'text c', 'question d', 'receipt e'),
    [4, 5, 3, 2, 1],
  ],
  ['in a thread: text before progress before head', rows('head a', 'edit a', 'text a'), [3, 2, 1]],
  ["a receipt need not wait for its thread's text", rows('text a', 'receipt a'), [2, 1]],
  [
    'the text before a question goes first, as urgent as it',
    rows('text b', 'text a', 'question a'),
    [2, 1],
  ],
  [
    'a question overtakes a thread that lags',
    rows('text a', 'text a', 'text a', 'text a', 'question a'),
    [5, 1],
  ],
  ['an edit waits for its own post', rows('text a x', 'edit a x'), [1]],
  ['edits of one message keep their order', rows('edit a x 500', 'edit a x'), []],
  [
    'a post that waits for its time holds back later posts only',
    rows('text a x 500', 'text a', 'edit a z'),
    [3],
  ],
  ['other threads do not wait for it', rows('text a x 500', 'text b'), [2]],
])('%s', (_, all, want) => {
  expect(ids(all)).toEqual(want);
});

test('a busy thread is left alone', () => {
  expect(ids(rows('text a', 'text b'), { isBusy: (thread) => thread === 'a' })).toEqual([2]);
});

test('among equals the thread goes whose turn is longest ago', () => {
  const turns: Readonly<Record<string, number>> = { a: 3, b: 1, c: 2 };
  const lastTurn = (thread: string) => turns[thread] ?? 0;
  const all = rows('text a', 'text b', 'text c', 'text d', 'question a');
  expect(ids(all, { lastTurn })).toEqual([1, 4, 2, 3]);
  expect(ids(rows('text a', 'text b', 'receipt a'), { lastTurn })).toEqual([3, 2, 1]);
});

test('a head that gave way for a minute goes with progress', () => {
  const all = rows('head a', 'edit b');
  expect(ids(all, {}, 60_000)).toEqual([2, 1]);
  expect(ids(all, {}, 60_001)).toEqual([1, 2]);
});

test('a question that waited half a second overtakes the text before it', () => {
  const all = rows('text b', 'text a', 'question a');
  expect(ids(all, {}, 500)).toEqual([2, 1]);
  expect(ids(all, {}, 501)).toEqual([3, 1, 2]);
});

test('the next time is told where only time is missing', () => {
  const all = rows('text a x 500', 'text a y 200', 'head b z 300');
  expect(nextRows(all, quiet, 100)).toEqual({ ready: [], nextAt: 300 });
  expect(nextRows(rows('text a'), quiet, 100).nextAt).toBeUndefined();
});
