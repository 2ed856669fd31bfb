import { expect, test } from 'vitest';
import { makeDeliveryNames } from '../../../../src/bridge/chat/delivery-names.ts';
import { type DialogId, id, type RunId } from '../../../../src/bridge/model/ids.ts';
import type { DeliveryRecord, DeliveryStore } from '../../../../src/bridge/ports/chat-store.ts';
import { said } from './items.ts';

const run = id<RunId>('r1');
const names = (...records: readonly Partial<DeliveryRecord>[]) =>
  makeDeliveryNames({ forRun: () => records } as unknown as DeliveryStore);
const reply = (by: string, text: string, status = 'confirmed'): Partial<DeliveryRecord> =>
  ({ kind: 'reply', by, text, outcome: { status } }) as Partial<DeliveryRecord>;

test.each([
  ['the same words', [reply('Alice', 'go')], 'go', 'Alice'],
  ['a space of ours at an end', [reply('Alice', '!ls')], ' !ls', 'Alice'],
  ['the latest of the same words', [reply('Alice', 'go'), reply('Bob', 'go')], 'go', 'Bob'],
  ['other words', [reply('Alice', 'go')], 'stop', undefined],
  [
    'held: not typed yet, so somebody else typed it',
    [reply('Alice', 'go', 'held')],
    'go',
    undefined,
  ],
  ['refused', [reply('Alice', 'go', 'refused')], 'go', undefined],
])('P1 %s', (_, records, words, by) => {
  expect(names(...records).ofText(run, said('u', 1, words))?.by).toBe(by);
});

test('what a machine said came from nobody in chat', () => {
  const item = said('u', 1, 'go', { origin: 'task' });
  expect(names(reply('Alice', 'go')).ofText(run, item)).toBeUndefined();
});

test('Q5 who answered a dialog', () => {
  const dialog = id<DialogId>('d1');
  const answer = { ...reply('Alice', ''), kind: 'answer', dialog } as const;
  expect(names(answer).ofDialog(run, dialog)).toBe('Alice');
  expect(names(answer).ofDialog(run, id<DialogId>('d2'))).toBeUndefined();
});
