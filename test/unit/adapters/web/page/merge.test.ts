import { expect, test } from 'vitest';
import { mergeItems, toBlocks } from '../../../../../src/adapters/web/page/merge.js';
import type { Item } from '../../../../../src/bridge/model/conversation.ts';
import {
  type DialogId,
  type ItemId,
  id,
  type SessionId,
} from '../../../../../src/bridge/model/ids.ts';

const base = (name: string, order: number, session = 's1') => ({
  id: id<ItemId>(name),
  session: id<SessionId>(session),
  order,
  at: session === 's1' ? order : 1_000 + order,
  digest: '1',
});
const say = (
  name: string,
  order: number,
  more: Partial<Extract<Item, { kind: 'text' }>> = {},
): Item => ({
  ...base(name, order),
  kind: 'text',
  role: 'agent',
  origin: 'agent',
  status: 'sent',
  text: name,
  ...more,
});
const tool = (name: string, order: number, parent?: string): Item => ({
  ...base(name, order),
  kind: 'tool',
  name: 'Bash',
  summary: name,
  input: '{}',
  status: 'done',
  ...(parent === undefined ? {} : { parent: id<ItemId>(parent) }),
});

test('O5 older windows go above, new items below, each once', () => {
  const latest = mergeItems([], [say('c', 3), say('d', 4)]);
  const all = mergeItems(latest, [say('a', 1), say('b', 2), say('c', 3)]);
  expect(all.map((item) => item.id)).toEqual(['a', 'b', 'c', 'd']);
  expect(mergeItems(all, [say('b', 2)])).toBe(all);
});

test('O5 a revision replaces what it revises, in its place', () => {
  const before = mergeItems([], [tool('a', 1), say('b', 2)]);
  const after = mergeItems(before, [{ ...tool('a', 1), digest: '2' }]);
  expect(after.map((item) => `${item.id}${item.digest}`)).toEqual(['a2', 'b1']);
});

test('R2 a cleared conversation goes on below, although its offsets begin anew', () => {
  const before = mergeItems([], [say('a', 500)]);
  const after = mergeItems(before, [{ ...say('b', 3), ...base('b', 3, 's2') }]);
  expect(after.map((item) => item.id)).toEqual(['a', 'b']);
});

test('P1 consecutive tool calls are one activity; thinking is left out unless asked for', () => {
  const items = [
    say('a', 1),
    tool('b', 2),
    say('t', 3, { origin: 'thinking' }),
    tool('c', 4),
    say('d', 5),
    tool('e', 6),
  ];
  const kinds = (shows: boolean) => toBlocks(items, shows).blocks.map((block) => block.kind);
  expect(kinds(false)).toEqual(['text', 'activity', 'text', 'activity']);
  expect(kinds(true)).toEqual(['text', 'activity', 'text', 'activity', 'text', 'activity']);
});

test('P1 what a subagent did folds under the call that started it', () => {
  const { blocks, childrenOf } = toBlocks(
    [tool('task', 1), tool('x', 2, 'task'), say('y', 3, { parent: id<ItemId>('task') })],
    false,
  );
  expect(blocks).toHaveLength(1);
  expect(childrenOf('task').map((item) => item.id)).toEqual(['x', 'y']);
});

test('P1 a dialog stands alone between activities', () => {
  const dialog: Item = {
    ...base('q', 2),
    kind: 'dialog',
    dialog: id<DialogId>('q'),
    status: 'open',
    content: { type: 'plan', plan: 'x' },
  };
  expect(toBlocks([tool('a', 1), dialog, tool('b', 3)], false).blocks.map((b) => b.kind)).toEqual([
    'activity',
    'dialog',
    'activity',
  ]);
});
