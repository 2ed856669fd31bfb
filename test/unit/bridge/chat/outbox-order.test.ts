import { expect, test } from 'vitest';
import { nextRows } from '../../../../src/bridge/chat/outbox-order.ts';
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

const ids = (all: readonly OutboxRow[], busy: readonly string[] = []) =>
  nextRows(all, (thread) => busy.includes(thread), 100).ready.map((row) => row.id);

test.each<[string, readonly OutboxRow[], readonly number[]]>([
  ['one per thread, in order', rows('text a', 'text a', 'text b'), [1, 3]],
  ['nothing before the thread is open', rows('open a', 'receipt a', 'question a'), [1]],
  [
    'questions and receipts first',
    rows('head a', 'edit b', 'text c', 'question d', 'receipt e'),
    [4, 5, 3, 2, 1],
  ],
  ['in a thread: text before progress before head', rows('head a', 'edit a', 'text a'), [3]],
  ["a receipt need not wait for its thread's text", rows('text a', 'receipt a'), [2]],
  [
    'the text before a question goes first, as urgent as it',
    rows('text b', 'text a', 'question a'),
    [2, 1],
  ],
  [
    'a question overtakes a thread that lags',
    rows('text a', 'text a', 'text a', 'text a', 'question a'),
    [5],
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
  expect(ids(rows('text a', 'text b'), ['a'])).toEqual([2]);
});

test('the next time is told where only time is missing', () => {
  const all = rows('text a x 500', 'text a y 200', 'head b z 300');
  expect(nextRows(all, () => false, 100)).toEqual({ ready: [], nextAt: 300 });
  expect(nextRows(rows('text a'), () => false, 100).nextAt).toBeUndefined();
});
