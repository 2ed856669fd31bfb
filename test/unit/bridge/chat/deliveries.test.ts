import { expect, test } from 'vitest';
import type { DeliveryOutcome } from '../../../../src/bridge/model/delivery.ts';
import { dialog, HOLD_MS, heldByDialog, OTHER, RUN, reply, setUp } from './chat-side.ts';

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

test('O16 S2 a reply that is held too long is refused as expired and typed never', async () => {
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

test('I07 D8 an interrupt goes while a reply is being typed', async () => {
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

test('I05 I3 after a confirmed interrupt older replies stay held, whatever the hold time, until continue', async () => {
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

test('D6 a dialog that the host cannot name is named by what was published of the run', async () => {
  const { clock, host, start } = setUp();
  const side = start();
  const pending = (isAnswerable: boolean) =>
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
        state: { name: 'question-pending' },
        pendingDialog: {
          id: dialog,
          since: 0,
          isAnswerable,
          content: {
            type: 'question',
            questions: [{ question: 'Which?', header: '', multiSelect: false, options: [] }],
          },
        },
      },
    });
  host.set(RUN, { status: 'held', reason: { why: 'dialog', takesOwnWords: true } });
  pending(true);
  await side.say('a', reply('one'));
  await clock.advance(0);
  expect(side.views()[0]?.actions).toEqual(['use-as-answer', 'discard']);
  pending(false);
  await clock.advance(2_000);
  expect(side.views()[0]?.actions).toEqual(['discard']);
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
