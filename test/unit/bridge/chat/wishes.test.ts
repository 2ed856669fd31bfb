import { expect, onTestFinished, test } from 'vitest';
import type { MessageRef } from '../../../../src/bridge/model/chat.ts';
import type { DeliveryOutcome } from '../../../../src/bridge/model/delivery.ts';
import {
  type ChannelId,
  type DialogId,
  id,
  type PlatformId,
} from '../../../../src/bridge/model/ids.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { FakeHost } from '../../../fakes/fake-link.ts';
import { tempDir } from '../../../fakes/temp-dir.ts';
import { HOLD_MS, RUN, startChatSide, webEvent } from './chat-side.ts';

const messageRef: MessageRef = {
  thread: { platform: id<PlatformId>('slack'), channel: id<ChannelId>('slack:C0'), thread: '1' },
  message: '2',
};
const reply = { type: 'reply' as const, text: 'first text', messageRef };
const held: DeliveryOutcome = { status: 'held', reason: { why: 'starting' } };

/** A reply whose command is under way until `finish`. */
const underWay = async () => {
  const clock = new FakeClock();
  const host = new FakeHost(() => clock.now());
  const side = startChatSide(tempDir(), clock, host);
  onTestFinished(side.stop);
  let finish: (outcome: DeliveryOutcome) => void = () => {};
  const promise = new Promise<DeliveryOutcome>((resolve) => {
    finish = resolve;
  });
  host.set(RUN, () => promise);
  await side.say('a', reply);
  await clock.advance(0);
  const [view] = side.views();
  if (view === undefined) throw new Error('no delivery');
  return {
    clock,
    host,
    side,
    delivery: view.id,
    finish: async (outcome: DeliveryOutcome, then: DeliveryOutcome = { status: 'confirmed' }) => {
      host.set(RUN, then);
      finish(outcome);
      await clock.advance(0);
    },
  };
};

test('D7 an edit while keys may be under way: the new text goes where nothing was typed', async () => {
  const { side, host, clock, finish } = await underWay();
  await side.say('b', { type: 'edit', messageRef, text: 'second text' });
  await clock.advance(0);
  await finish(held);
  await clock.advance(2_000);
  expect(host.typed).toEqual([`${RUN}: second text`]);
});

test('D7 an edit while keys may be under way: a note where it was typed', async () => {
  const { side, host, clock, finish } = await underWay();
  await side.say('b', { type: 'edit', messageRef, text: 'second text' });
  await clock.advance(0);
  await finish({ status: 'confirmed' });
  await clock.advance(2_000);
  expect(host.typed).toEqual([`${RUN}: first text`]);
  expect(side.receipts.map((r) => r.text)).toContainEqual(expect.stringContaining('already sent'));
});

test('D7 deleted before it was typed: refused; afterwards: a note', async () => {
  const early = await underWay();
  await early.side.say('b', { type: 'delete', messageRef });
  await early.clock.advance(0);
  await early.finish(held);
  await early.clock.advance(2_000);
  expect(early.host.typed).toEqual([]);
  expect(early.side.shown()).toEqual(['first text refused edited-away']);

  const late = await underWay();
  await late.finish({ status: 'queued' });
  await late.side.say('b', { type: 'delete', messageRef });
  await late.clock.advance(0);
  expect(late.side.shown()).toEqual(['first text queued']);
  expect(late.side.receipts.at(-1)?.text).toContain('does not take it back');
});

test('D6 discard and use-as-answer wait for what is under way', async () => {
  const discarded = await underWay();
  await discarded.side.say('b', { type: 'discard', delivery: discarded.delivery });
  await discarded.clock.advance(0);
  await discarded.finish(held);
  expect(discarded.side.shown()).toEqual(['first text refused discarded']);

  const typed = await underWay();
  const dialog = id<DialogId>('q');
  await typed.side.say('b', { type: 'use-as-answer', delivery: typed.delivery, dialog });
  await typed.clock.advance(0);
  await typed.finish({ status: 'confirmed' });
  expect(typed.side.views().map((v) => `${v.kind} ${v.outcome.status}`)).toEqual([
    'reply confirmed',
  ]);
});

test('D7 a returned reply that was edited is sent again with the new text', async () => {
  const { side, host, clock, finish, delivery } = await underWay();
  await finish({ status: 'returned', reason: 'Escape came' });
  await side.say('b', { type: 'edit', messageRef, text: 'second text' });
  await side.say('c', { type: 'send-again', delivery });
  await clock.advance(1_000);
  expect(host.typed.at(-1)).toBe(`${RUN}: second text`);
});

test('D3 a late outcome that came before the command’s own is not undone by it', async () => {
  const { side, finish, delivery } = await underWay();
  side.deliveries.onHostEvent({
    type: 'outcome',
    delivery,
    run: RUN,
    outcome: { status: 'confirmed' },
  });
  await finish({ status: 'queued' });
  expect(side.shown()).toEqual(['first text confirmed']);
});

test('D3 what is settled stays settled, whatever comes later', async () => {
  const { side, clock, finish, delivery } = await underWay();
  await finish({ status: 'refused', reason: { why: 'ended', detail: '' } });
  const late = (outcome: DeliveryOutcome) =>
    side.deliveries.onHostEvent({ type: 'outcome', delivery, run: RUN, outcome });
  late({ status: 'confirmed' });
  late(held);
  await clock.advance(5_000);
  expect(side.shown()).toEqual(['first text refused ended']);
});

test('D4 an old reply from history waits for a person, holds nobody up, and goes when it is wanted', async () => {
  const clock = new FakeClock();
  const host = new FakeHost(() => clock.now());
  const side = startChatSide(tempDir(), clock, host);
  onTestFinished(side.stop);
  await side.inbox.sink(
    webEvent('a', { ...reply, text: 'old', isFromHistory: true }, clock.now() - HOLD_MS - 1),
  );
  await side.say('b', { ...reply, text: 'new' });
  await clock.advance(HOLD_MS * 2);
  expect(host.typed).toEqual([`${RUN}: new`]);
  const [old] = side.views();
  if (old === undefined) throw new Error('no delivery');
  expect(side.receipts.find((r) => r.delivery === old.id)?.buttons.map((b) => b.label)).toEqual([
    'Send',
    'Discard',
  ]);
  await side.say('c', { type: 'send-again', delivery: old.id });
  await clock.advance(0);
  expect(host.typed).toEqual([`${RUN}: new`, `${RUN}: old`]);
});

test('A2 who may not drive is told privately; nothing of it is kept or typed', async () => {
  const clock = new FakeClock();
  const host = new FakeHost(() => clock.now());
  const side = startChatSide(tempDir(), clock, host);
  onTestFinished(side.stop);
  const event = webEvent('a', reply, clock.now());
  await side.inbox.sink({ ...event, actor: { ...event.actor, id: id('slack:T0/user:U0EVE') } });
  await clock.advance(0);
  expect(host.commands).toEqual([]);
  expect(side.views()).toEqual([]);
  expect(side.receipts).toMatchObject([{ isPrivate: true, mark: '⛔' }]);
  expect(side.audit).toMatchObject([{ who: 'slack:T0/user:U0EVE', outcome: 'refused: no-right' }]);
});
