import { expect, test } from 'vitest';
import {
  type DecideContext,
  decide,
  MAX_WAITING_REPLIES,
} from '../../../../src/bridge/chat/decide.ts';
import type { ChatEvent, ChatEventBody, MessageRef } from '../../../../src/bridge/model/chat.ts';
import {
  type ActorId,
  type ChannelId,
  type DeliveryId,
  type DialogId,
  id,
  type PlatformId,
} from '../../../../src/bridge/model/ids.ts';
import type { DeliveryRecord } from '../../../../src/bridge/ports/chat-store.ts';
import { RUN } from './chat-side.ts';

const slack = id<PlatformId>('slack');
const thread = { platform: slack, channel: id<ChannelId>('slack:C0'), thread: '1.0' };
const messageRef: MessageRef = { thread, message: '2.0' };

const event = (body: ChatEventBody, at = 1_000_000): ChatEvent => ({
  key: 'slack:C0:2.0',
  platform: slack,
  actor: {
    id: id<ActorId>('slack:T0/user:U0BOB'),
    displayName: 'Bob',
    groups: [],
    isBot: false,
    isGuest: false,
  },
  target: { thread },
  at,
  body,
});

const ctx = (more: Partial<DecideContext> = {}): DecideContext => ({
  role: 'driver',
  whomToAsk: 'an owner',
  run: RUN,
  isLeft: false,
  delivery: undefined,
  waiting: 0,
  pace: 'fine',
  stopSigns: ['🛑'],
  isIgnored: false,
  confirmWithinMs: 60_000,
  now: 1_000_000,
  holdForMs: 60_000,
  maxReplyBytes: 10_000,
  ...more,
});

const record = (outcome: DeliveryRecord['outcome'], more: Partial<DeliveryRecord> = {}) =>
  ({
    id: id<DeliveryId>('d1'),
    seq: 1,
    eventKey: 'k',
    run: RUN,
    kind: 'reply',
    actor: id<ActorId>('slack:T0/user:U0BOB'),
    by: 'Bob',
    target: { thread },
    messageRef,
    text: 'hello',
    outcome,
    holdUntil: 2_000_000,
    createdAt: 1,
    updatedAt: 1,
    again: false,
    isSending: false,
    isDiscarding: false,
    revision: 1,
    ...more,
  }) satisfies DeliveryRecord;

const reply: ChatEventBody = { type: 'reply', text: 'hello', messageRef };

test('R2 a reply in a thread that its run has left reaches nobody', () => {
  const decided = decide(
    event({ type: 'reply', text: 'hello', messageRef }),
    ctx({ isLeft: true }),
  );
  expect(decided).toMatchObject({ type: 'refuse', reason: { why: 'not-sendable' } });
});

test.each<[string, DecideContext['role']]>([
  ['nobody', undefined],
  ['an observer', 'observer'],
])('A1 what %s writes never becomes a delivery, and the refusal says whom to ask', (_, role) => {
  const decision = decide(event(reply), ctx({ role }));
  expect(decision).toMatchObject({ type: 'refuse', reason: { why: 'no-right' } });
  expect(decision.type === 'refuse' && decision.reason.detail).toContain('an owner');
});

test.each<ChatEventBody>([
  { type: 'answer', dialog: id<DialogId>('q'), answer: { type: 'approve' } },
  { type: 'interrupt', turn: undefined },
  { type: 'continue' },
  { type: 'send-again', delivery: id<DeliveryId>('d1') },
  { type: 'discard', delivery: id<DeliveryId>('d1') },
])('A1 an observer cannot $type', (body) => {
  const delivery = record({ status: 'returned', reason: 'x' });
  expect(decide(event(body), ctx({ role: 'observer', delivery })).type).toBe('refuse');
});

test('D1 a driver’s reply becomes one delivery; the same event gives the same id', () => {
  const first = decide(event(reply), ctx());
  expect(first).toMatchObject({
    type: 'create',
    delivery: { kind: 'reply', text: 'hello', outcome: { status: 'waiting' } },
  });
  expect(decide(event(reply), ctx())).toEqual(first);
});

test.each([
  ['an empty one', { type: 'reply', text: ' \n' } as ChatEventBody, ctx(), 'not-sendable'],
  ['a huge one', { type: 'reply', text: 'x'.repeat(10_001) } as ChatEventBody, ctx(), 'too-large'],
  ['one too many', reply, ctx({ waiting: MAX_WAITING_REPLIES }), 'too-many-waiting'],
])('A3 S2 %s is refused with a reason', (_, body, context, why) => {
  expect(decide(event(body), context)).toMatchObject({
    delivery: { outcome: { status: 'refused', reason: { why } } },
  });
});

test('D4 a reply from history that is older than the hold time asks instead of going', () => {
  const body: ChatEventBody = { ...reply, isFromHistory: true };
  expect(decide(event(body, 1_000_000 - 60_001), ctx())).toMatchObject({
    delivery: { outcome: { status: 'held', reason: { why: 'stale' } } },
  });
  expect(decide(event(body, 1_000_000 - 59_000), ctx())).toMatchObject({
    delivery: { outcome: { status: 'waiting' } },
  });
});

test('I1 a confirmation older than a minute interrupts nothing', () => {
  const body: ChatEventBody = { type: 'interrupt', turn: undefined };
  expect(decide(event(body, 1_000_000 - 60_001), ctx())).toMatchObject({
    delivery: { outcome: { status: 'refused', reason: { why: 'expired' } } },
  });
});

test('D7 an edit or deletion of what never became a delivery concerns nobody', () => {
  expect(decide(event({ type: 'edit', messageRef, text: 'x' }), ctx()).type).toBe('ignore');
  expect(decide(event({ type: 'delete', messageRef }), ctx({ role: undefined })).type).toBe(
    'ignore',
  );
});

test('D7 an edit changes the reply, an edit to nothing deletes it', () => {
  const delivery = record({ status: 'held', reason: { why: 'starting' } });
  expect(decide(event({ type: 'edit', messageRef, text: 'new' }), ctx({ delivery }))).toMatchObject(
    { type: 'wish', wish: { type: 'edit', text: 'new' } },
  );
  expect(decide(event({ type: 'edit', messageRef, text: ' ' }), ctx({ delivery }))).toMatchObject({
    type: 'wish',
    wish: { type: 'delete' },
  });
});

test.each<DeliveryRecord['outcome']>([
  { status: 'confirmed' },
  { status: 'queued' },
  { status: 'unknown', reason: 'x', screen: '' },
  { status: 'refused', reason: { why: 'expired', detail: '' } },
])('D3 Send again of a $status reply types nothing', (outcome) => {
  const body: ChatEventBody = { type: 'send-again', delivery: id<DeliveryId>('d1') };
  expect(decide(event(body), ctx({ delivery: record(outcome) })).type).toBe('refuse');
});

test('a button of another run’s delivery does nothing', () => {
  const delivery = record({ status: 'returned', reason: 'x' }, { run: id('other') });
  const body: ChatEventBody = { type: 'send-again', delivery: delivery.id };
  expect(decide(event(body), ctx({ delivery })).type).toBe('refuse');
});
