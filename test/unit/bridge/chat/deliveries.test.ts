import { expect, onTestFinished, test } from 'vitest';
import type { DeliveryOutcome } from '../../../../src/bridge/model/delivery.ts';
import { type DialogId, id } from '../../../../src/bridge/model/ids.ts';
import { openDatabase } from '../../../../src/bridge/store/database.ts';
import { createInboxStore } from '../../../../src/bridge/store/inbox.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { FakeHost } from '../../../fakes/fake-link.ts';
import { tempDir } from '../../../fakes/temp-dir.ts';
import { HOLD_MS, OTHER, RUN, startChatSide, webEvent } from './chat-side.ts';

const dialog = id<DialogId>('toolu_1');
const heldByDialog: DeliveryOutcome = {
  status: 'held',
  reason: { why: 'dialog', dialog, takesOwnWords: true },
};

const setUp = () => {
  const dir = tempDir();
  const clock = new FakeClock();
  const host = new FakeHost(() => clock.now());
  const start = () => {
    const side = startChatSide(dir, clock, host);
    let isStopped = false;
    const stop = async () => {
      if (!isStopped) {
        isStopped = true;
        await side.stop();
      }
    };
    onTestFinished(stop);
    return { ...side, stop };
  };
  return { clock, host, start };
};

const reply = (text: string) => ({ type: 'reply' as const, text });

test('D1 L1 one reply, told twice, is typed once and its receipt is settled', async () => {
  const { clock, host, start } = setUp();
  const side = start();
  await side.say('k1', reply('hello'));
  await side.say('k1', reply('hello'));
  await clock.advance(0);
  expect(host.typed).toEqual([`${RUN}: hello`]);
  expect(side.receipts.map((r) => r.mark)).toEqual(['✅']);
  expect(side.audit.at(-1)).toMatchObject({
    who: 'web:owner',
    what: 'reply',
    outcome: 'confirmed',
  });
});

test('D8 replies of one run go in order behind a held one; another run does not wait', async () => {
  const { clock, host, start } = setUp();
  const side = start();
  host.set(RUN, heldByDialog);
  await side.say('a', reply('one'));
  await side.say('b', reply('two'));
  await side.say('c', reply('elsewhere'), OTHER);
  await clock.advance(500);
  expect(side.shown()).toEqual(['one held dialog', 'two held behind']);
  expect(host.typed).toEqual([`${OTHER}: elsewhere`]);
  host.set(RUN, { status: 'confirmed' });
  await clock.advance(1_000);
  expect(host.typed.slice(1)).toEqual([`${RUN}: one`, `${RUN}: two`]);
});

test('S2 a held reply is tried again as soon as the state of its run changes', async () => {
  const { clock, host, start } = setUp();
  const side = start();
  host.set(RUN, heldByDialog);
  await side.say('a', reply('one'));
  await clock.advance(100);
  host.set(RUN, { status: 'confirmed' });
  side.deliveries.onHostEvent({
    type: 'run',
    run: {
      id: RUN,
      pid: 1,
      procStart: '1',
      startedAt: 0,
      cwd: '/w',
      title: 't',
      lastActivityAt: 0,
      state: { name: 'needs-input' },
    },
  });
  await clock.advance(0);
  expect(host.typed).toEqual([`${RUN}: one`]);
});

test('S2 a reply that is held too long is refused as expired and typed never', async () => {
  const { clock, host, start } = setUp();
  const side = start();
  host.set(RUN, heldByDialog);
  await side.say('a', reply('one'));
  await clock.advance(HOLD_MS + 2_000);
  expect(side.shown()).toEqual(['one refused expired']);
  host.set(RUN, { status: 'confirmed' });
  await clock.advance(5_000);
  expect(host.typed).toEqual([]);
});

test('D8 an answer overtakes held replies and never waits behind them', async () => {
  const { clock, host, start } = setUp();
  const side = start();
  host.set(RUN, (command) => (command.type === 'reply' ? heldByDialog : { status: 'confirmed' }));
  await side.say('a', reply('one'));
  await clock.advance(10);
  await side.say('b', { type: 'answer', dialog, answer: { type: 'choose', choices: [[1]] } });
  await clock.advance(0);
  expect(side.views().map((v) => `${v.kind} ${v.outcome.status}`)).toEqual([
    'reply held',
    'answer confirmed',
  ]);
});

test('D8 an interrupt goes while a reply is being typed', async () => {
  const { clock, host, start } = setUp();
  const side = start();
  let finish: (outcome: DeliveryOutcome) => void = () => {};
  host.set(RUN, (command) =>
    command.type === 'reply'
      ? new Promise((resolve) => {
          finish = resolve;
        })
      : { status: 'confirmed' },
  );
  await side.say('a', reply('one'));
  await clock.advance(10);
  await side.say('b', { type: 'interrupt', turn: undefined });
  await clock.advance(0);
  expect(side.views().at(-1)?.outcome.status).toBe('confirmed');
  finish({ status: 'queued' });
  await clock.advance(0);
  expect(side.views()[0]?.outcome.status).toBe('queued');
});

test('I3 after a confirmed interrupt older replies stay held, whatever the hold time, until continue', async () => {
  const { clock, host, start } = setUp();
  const side = start();
  host.set(RUN, (command) => (command.type === 'reply' ? heldByDialog : { status: 'confirmed' }));
  await side.say('a', reply('old'));
  await clock.advance(10);
  await side.say('b', { type: 'interrupt', turn: undefined });
  await clock.advance(HOLD_MS * 3);
  expect(side.shown()[0]).toBe('old held paused');
  host.set(RUN, { status: 'confirmed' });
  await side.say('c', reply('new'));
  await clock.advance(5_000);
  expect(host.typed).toEqual([`${RUN}: new`]);
  await side.say('d', { type: 'continue' });
  await clock.advance(0);
  expect(host.typed).toEqual([`${RUN}: new`, `${RUN}: old`]);
});

test('I3 an interrupt that came too late pauses nothing', async () => {
  const { clock, host, start } = setUp();
  const side = start();
  const late: DeliveryOutcome = {
    status: 'refused',
    reason: { why: 'already-finished', detail: 'done' },
  };
  host.set(RUN, (command) => (command.type === 'interrupt' ? late : heldByDialog));
  await side.say('a', reply('one'));
  await clock.advance(10);
  await side.say('b', { type: 'interrupt', turn: undefined });
  await clock.advance(2_000);
  expect(side.shown()[0]).toBe('one held dialog');
});

test('L1 what a crash left unsettled is sent again; the host types it once', async () => {
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

test('D6 a held reply becomes the own-words answer of the open dialog', async () => {
  const { clock, host, start } = setUp();
  const side = start();
  host.set(RUN, (command) => (command.type === 'answer' ? { status: 'confirmed' } : heldByDialog));
  await side.say('a', reply('use sqlite'));
  await clock.advance(0);
  expect(side.views()[0]?.actions).toEqual(['use-as-answer', 'discard']);
  const delivery = side.views()[0]?.id;
  if (delivery === undefined) throw new Error('the delivery is gone');
  await side.say('b', { type: 'use-as-answer', delivery, dialog });
  await clock.advance(0);
  expect(host.commands.at(-1)).toMatchObject({
    type: 'answer',
    dialog,
    answer: { type: 'own-words', text: 'use sqlite' },
  });
  expect(side.shown()).toEqual(['use sqlite confirmed']);
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

test('S2 a host that never answers is asked again after the deadline', async () => {
  const { clock, host, start } = setUp();
  const side = start();
  host.set(RUN, () => new Promise(() => {}));
  await side.say('a', reply('one'));
  await clock.advance(30_000);
  expect(host.commands.length).toBeGreaterThan(1);
  host.set(RUN, { status: 'confirmed' });
  await clock.advance(40_000);
  expect(side.shown()).toEqual(['one confirmed']);
});

test('I1 an answer or interrupt that could not go within a minute is refused', async () => {
  const { clock, host, start } = setUp();
  const first = start();
  await first.stop();
  const second = start();
  host.set(RUN, { status: 'held', reason: { why: 'starting' } });
  await second.say('a', { type: 'answer', dialog, answer: { type: 'approve' } });
  await clock.advance(62_000);
  expect(second.views()[0]?.outcome).toMatchObject({
    status: 'refused',
    reason: { why: 'expired' },
  });
});

test('texts are erased once a delivery is settled for a while, keys stay', async () => {
  const { clock, start } = setUp();
  const side = start();
  await side.say('a', reply('secret plan'));
  await clock.advance(15 * 60_000);
  expect(side.views()[0]?.text).toBe('');
  await side.say('a', reply('secret plan'));
  await clock.advance(0);
  expect(side.views()).toHaveLength(1);
});

test('listeners hear of every change of a run', async () => {
  const { clock, start } = setUp();
  const side = start();
  const heard: unknown[] = [];
  const stop = side.changes.subscribe((run) => heard.push(run));
  await side.say('a', reply('one'));
  await clock.advance(0);
  expect(heard).toContain(RUN);
  const before = heard.length;
  stop();
  await side.say('b', reply('two'));
  await clock.advance(0);
  expect(heard).toHaveLength(before);
});
