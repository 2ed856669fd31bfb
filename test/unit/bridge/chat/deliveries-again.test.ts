import { expect, test } from 'vitest';
import { openDatabase } from '../../../../src/bridge/store/database.ts';
import { createInboxStore } from '../../../../src/bridge/store/inbox.ts';
import { HOLD_MS, heldByDialog, RUN, reply, setUp, webEvent } from './chat-side.ts';

test('O17 L1 what a crash left unsettled is sent again; the host types it once', async () => {
  const { clock, host, start } = setUp();
  const first = start();
  host.losesAnswers = true;
  await first.say('a', reply('one'));
  await clock.advance(0);
  expect(first.shown()).toEqual(['one waiting']);
  await first.stop();
  host.losesAnswers = false;
  const second = start();
  await clock.advance(0);
  expect(second.shown()).toEqual(['one confirmed']);
  expect(host.typed).toEqual([`${RUN}: one`]);
});

test('L1 what was typed before a long absence is confirmed after it, not expired', async () => {
  const { clock, host, start } = setUp();
  const first = start();
  host.losesAnswers = true;
  await first.say('a', reply('one'));
  await clock.advance(0);
  await first.stop();
  await clock.advance(HOLD_MS * 10);
  host.losesAnswers = false;
  const second = start();
  await clock.advance(0);
  expect(second.shown()).toEqual(['one confirmed']);
});

test('L1 what was not typed before a long absence is refused after it, not typed', async () => {
  const { clock, host, start } = setUp();
  const first = start();
  host.isDown = true;
  await first.say('a', reply('one'));
  await clock.advance(0);
  await first.stop();
  await clock.advance(HOLD_MS * 10);
  host.isDown = false;
  const second = start();
  await clock.advance(0);
  expect(host.typed).toEqual([]);
  expect(second.shown()).toEqual(['one refused expired']);
});

test('L1 an event that was stored before a crash is decided after it', async () => {
  const { clock, host, start } = setUp();
  const side = start();
  await side.stop();
  const db = openDatabase(side.path, clock.now());
  createInboxStore(db).put(webEvent('z', reply('late'), clock.now()), clock.now());
  db.close();
  start();
  await clock.advance(6_000);
  expect(host.typed).toEqual([`${RUN}: late`]);
});

test('D3 unknown is never typed again on its own, not after a restart either; late proof confirms it', async () => {
  const { clock, host, start } = setUp();
  host.set(RUN, { status: 'unknown', reason: 'no proof came', screen: '> one' });
  const first = start();
  await first.say('a', reply('one'));
  await clock.advance(0);
  expect(first.receipts.at(-1)).toMatchObject({ mark: '❓', screen: '> one' });
  await first.stop();
  const second = start();
  await clock.advance(120_000);
  expect(host.commands).toHaveLength(1);
  const delivery = second.views()[0]?.id;
  if (delivery === undefined) throw new Error('the delivery is gone');
  second.deliveries.onHostEvent({
    type: 'outcome',
    delivery,
    run: RUN,
    outcome: { status: 'confirmed' },
  });
  expect(second.shown()).toEqual(['one confirmed']);
});

test('D3 Send again types a returned reply anew, once, and a crash does not make it twice', async () => {
  const { clock, host, start } = setUp();
  const first = start();
  host.set(RUN, { status: 'returned', reason: 'Escape took it back' });
  await first.say('a', reply('one'));
  await clock.advance(0);
  const delivery = first.views()[0]?.id;
  if (delivery === undefined) throw new Error('the delivery is gone');
  await clock.advance(120_000);
  expect(host.typed).toHaveLength(1);
  host.losesAnswers = true;
  await first.say('b', { type: 'send-again', delivery });
  await clock.advance(0);
  expect(host.typed).toHaveLength(2);
  await first.stop();
  host.losesAnswers = false;
  const second = start();
  await clock.advance(1_000);
  expect(host.typed).toHaveLength(2);
  expect(second.shown()).toEqual(['one returned']);
});

test('D3 Send again that is held keeps being a Send again', async () => {
  const { clock, host, start } = setUp();
  const side = start();
  host.set(RUN, { status: 'returned', reason: 'Escape took it back' });
  await side.say('a', reply('one'));
  await clock.advance(0);
  const delivery = side.views()[0]?.id;
  if (delivery === undefined) throw new Error('the delivery is gone');
  host.set(RUN, { status: 'held', reason: { why: 'foreign-draft' } });
  await side.say('b', { type: 'send-again', delivery });
  await clock.advance(3_000);
  host.set(RUN, { status: 'confirmed' });
  await clock.advance(1_000);
  expect(host.typed).toHaveLength(2);
  expect(side.shown()).toEqual(['one confirmed']);
});

test('D3 Discard of a returned reply tells the host; of a held one nothing was there to clear', async () => {
  const { clock, host, start } = setUp();
  const side = start();
  host.set(RUN, (command) =>
    command.type === 'discard'
      ? { status: 'refused', reason: { why: 'discarded', detail: '' } }
      : { status: 'returned', reason: 'Escape took it back' },
  );
  await side.say('a', reply('one'));
  await clock.advance(0);
  const first = side.views()[0]?.id;
  if (first === undefined) throw new Error('the delivery is gone');
  await side.say('b', { type: 'discard', delivery: first });
  await clock.advance(0);
  host.set(RUN, heldByDialog);
  await side.say('c', reply('two'));
  await clock.advance(0);
  const second = side.views()[1]?.id;
  if (second === undefined) throw new Error('the delivery is gone');
  await side.say('d', { type: 'discard', delivery: second });
  await clock.advance(0);
  expect(side.shown()).toEqual(['one refused discarded', 'two refused discarded']);
  expect(host.commands.filter((c) => c.type === 'discard')).toHaveLength(1);
});

test('L1 a lost link is asked again with patience, and nothing is typed twice', async () => {
  const { clock, host, start } = setUp();
  const side = start();
  host.isDown = true;
  await side.say('a', reply('one'));
  await clock.advance(10_000);
  host.isDown = false;
  await clock.advance(20_000);
  expect(host.typed).toEqual([`${RUN}: one`]);
  expect(side.shown()).toEqual(['one confirmed']);
});

test('L1, S2 an event whose handling fails for a while (a full disk) is handled without a restart', async () => {
  const { clock, host, start } = setUp();
  const side = start();
  const { handled } = side.inboxStore;
  let isFull = true;
  side.inboxStore.handled = (key, now) => {
    if (isFull) throw new Error('database or disk is full');
    handled(key, now);
  };
  await side.say('a', reply('hello'));
  await clock.advance(10_000);
  expect(host.typed).toEqual([]);
  expect(side.errors).toHaveLength(1);
  isFull = false;
  await clock.advance(60_000);
  expect(host.typed).toEqual([`${RUN}: hello`]);
});
