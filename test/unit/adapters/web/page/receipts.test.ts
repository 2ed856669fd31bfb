import { expect, test } from 'vitest';
import { matchDeliveries, toReceipts } from '../../../../../src/adapters/web/page/receipts.js';
import { groupRuns, replyHint } from '../../../../../src/adapters/web/page/words.js';
import type { DeliveryView } from '../../../../../src/bridge/model/chat.ts';
import type { Item } from '../../../../../src/bridge/model/conversation.ts';
import {
  type DeliveryId,
  type ItemId,
  id,
  type RunId,
  type SessionId,
} from '../../../../../src/bridge/model/ids.ts';
import { type RunState, replyIs } from '../../../../../src/bridge/model/run-state.ts';
import { run } from '../web-side.ts';

const NOW = 1_000_000_000;

const view = (
  n: number,
  outcome: DeliveryView['outcome'],
  more: Partial<DeliveryView> = {},
): DeliveryView => ({
  id: id<DeliveryId>(`d${n}`),
  run: id<RunId>('r'),
  kind: 'reply',
  by: 'Ann',
  text: 'again',
  outcome,
  actions: [],
  eventKey: `web:k${n}`,
  createdAt: NOW + n,
  updatedAt: NOW + n,
  ...more,
});
const said = (name: string, at: number, text = 'again'): Item => ({
  id: id<ItemId>(name),
  session: id<SessionId>('s'),
  order: at,
  at,
  digest: '1',
  kind: 'text',
  role: 'user',
  origin: 'person',
  status: 'sent',
  text,
});
const shown = (
  deliveries: readonly DeliveryView[],
  items: readonly Item[] = [],
  now = NOW + 1_000,
) =>
  toReceipts({
    deliveries,
    sent: [],
    matched: matchDeliveries(items, deliveries),
    dismissed: new Set(),
    now,
  }).map((receipt) => receipt.key);

test('D3 the same words sent twice need two rows in the transcript', () => {
  const deliveries = [view(1, { status: 'confirmed' }), view(2, { status: 'confirmed' })];
  const matched = matchDeliveries([said('old', NOW - 60_000), said('a', NOW + 10)], deliveries);
  expect([...matched].map(([item, delivery]) => [item, delivery.id])).toEqual([['a', 'd1']]);
});

test('D3 what waits or needs a look stays; what the transcript holds goes', () => {
  const deliveries = [
    view(1, { status: 'confirmed' }),
    view(2, { status: 'queued' }),
    view(3, { status: 'returned', reason: 'x' }),
    view(4, { status: 'refused', reason: { why: 'expired', detail: '' } }),
    view(5, { status: 'unknown', reason: 'x', screen: '' }),
  ];
  expect(shown(deliveries, [said('a', NOW + 5)])).toEqual([
    'd2:queued',
    'd3:returned',
    'd4:refused',
    'd5:unknown',
  ]);
  expect(shown(deliveries, [], NOW + 3_600_000)).toEqual([
    'd2:queued',
    'd3:returned',
    'd5:unknown',
  ]);
});

test('L2 what was sent here stands once: as sent until its delivery is known', () => {
  const sent = {
    key: 'k1',
    run: 'r',
    path: '',
    body: {},
    what: 'reply' as const,
    text: 'x',
    at: NOW,
    state: 'accepted' as const,
  };
  const of = (deliveries: DeliveryView[]) =>
    toReceipts({
      deliveries,
      sent: [sent],
      matched: new Map(),
      dismissed: new Set(),
      now: NOW,
    }).map((r) => r.type);
  expect(of([])).toEqual(['sent']);
  expect(of([view(1, { status: 'waiting' })])).toEqual(['delivery']);
});

const STATES: readonly RunState[] = [
  { name: 'idle' },
  { name: 'blocked', cause: 'trust' },
  { name: 'working' },
  { name: 'ended', how: 'exited' },
  { name: 'needs-input' },
  { name: 'question-pending' },
  { name: 'starting' },
  { name: 'unreachable', why: 'the pane is gone.' },
];

test('O5 who waits for a person stands first, the ended last', () => {
  const runs = STATES.map((state, n) => ({
    ...run,
    id: id<RunId>(`r${n}`),
    state,
    replyIs: replyIs(state),
  }));
  const groups = groupRuns(runs);
  expect(groups.map((group) => group.title)).toEqual([
    'Waiting for you',
    'Working',
    'Idle',
    'Ended',
  ]);
  expect(groups[0]?.runs.map((one) => one.state.name)).toEqual([
    'question-pending',
    'blocked',
    'needs-input',
  ]);
});

test('S1 before sending the composer says what a reply would be', () => {
  for (const state of STATES) {
    expect(replyHint({ ...run, state, replyIs: replyIs(state) })).toMatch(/\.$/);
  }
});
