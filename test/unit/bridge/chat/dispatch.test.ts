import { describe, expect, test } from 'vitest';
import { type ActorId, id } from '../../../../src/bridge/model/ids.ts';
import type { Receipt } from '../../../../src/bridge/ports/receipt-sink.ts';
import type { Fault } from '../../../fakes/memory-platform.ts';
import { pending, said, text, tool } from './items.ts';
import { outRig } from './out-rig.ts';

describe('O12 L2 platform trouble costs no message and doubles none', () => {
  test.each<Fault['kind']>([
    'lost',
    'hang-after',
    'hang-before',
    'broken',
    'broken-after',
    'rate-limited',
    'auth',
  ])('%s, at each step of a thread', async (kind) => {
    const rig = outRig();
    rig.start();
    rig.platform.fail({ method: 'open', kind, times: 2 });
    await rig.items([said('u', 1, 'one'), tool('t', 2, { status: 'running' })], 'new');
    rig.platform.fail({ method: 'post', kind, times: 3 });
    rig.platform.fail({ method: 'find', kind: 'broken' });
    await rig.drain();
    rig.platform.fail({ method: 'edit', kind });
    await rig.items([tool('t', 2), text('a', 3, 'two')]);
    await rig.drain();
    expect(rig.read().slice(1)).toEqual(['one', '✓ Bash `do t`', 'two']);
    expect(rig.platform.messages).toHaveLength(4);
    expect(rig.troubles.length).toBeGreaterThan(4);
  });

  test('a rate limit of one thread does not hold back another', async () => {
    const rig = outRig();
    rig.start();
    await rig.items([said('u', 1, 'a')], 'new');
    await rig.drain();
    const first = rig.setRun({});
    rig.platform.fail({ method: 'post', kind: 'rate-limited', thread: 't1', retryAfterMs: 60_000 });
    await rig.items([said('v', 2, 'late')]);
    rig.setRun({ ...first, id: 'r2' as never, session: 's2' as never });
    await rig.items([said('x', 1, 'b', { session: 's2' })], 'new', 's2');
    await rig.clock.advance(2_000);
    const [, other] = rig.store.threads.all();
    expect(rig.read(other?.ref?.thread)).toHaveLength(2);
    expect(rig.read()).toHaveLength(2);
    await rig.clock.advance(60_000);
    expect(rig.read().at(-1)).toBe('late');
  });

  test('O11 a message that is refused for good is shown as failed; the next ones go', async () => {
    const rig = outRig();
    rig.start();
    await rig.items([said('u', 1, 'a')], 'new');
    await rig.drain();
    rig.platform.fail({ method: 'post', kind: 'rejected' });
    await rig.items([text('b', 2, 'too much'), text('c', 3, 'fine')]);
    await rig.drain();
    expect(rig.read().slice(1)).toEqual(['a', 'fine']);
    expect(rig.store.outbox.failures(9)).toMatchObject([{ item: 'b', error: expect.any(String) }]);
    await rig.items([text('b', 2, 'too much, again')]);
    await rig.drain();
    expect(rig.read()).toHaveLength(3);
  });

  test('P21 a deleted thread ends it, once, and costs no other', async () => {
    const rig = outRig();
    rig.start();
    await rig.items([said('u', 1, 'a')], 'new');
    await rig.drain();
    rig.platform.fail({ method: 'post', kind: 'thread-gone', times: 9 });
    await rig.items([text('b', 2, 'x'), text('c', 3, 'y')]);
    await rig.drain();
    await rig.items([text('d', 4, 'z')]);
    await rig.drain();
    expect(rig.store.threads.all()).toMatchObject([{ state: 'gone' }]);
    expect(rig.platform.calls.filter((c) => c.method === 'post')).toHaveLength(2);
  });
});

describe('L2 what an operator must mend is told once, and recovers', () => {
  test.each<Fault['kind']>(['auth', 'no-access'])('%s', async (kind) => {
    const rig = outRig();
    rig.start();
    await rig.items([said('u', 1, 'a')], 'new');
    await rig.drain();
    rig.platform.fail({ method: 'post', kind, times: 4 });
    await rig.items([text('b', 2, 'x'), text('c', 3, 'y')]);
    await rig.clock.advance(70_000);
    expect(rig.told).toEqual([expect.stringMatching(/^nothing goes out: .* kept and tried again/)]);
    expect(rig.lasting.all()).toMatchObject([{ platform: 'memory', threads: 1 }]);
    await rig.drain();
    expect(rig.told).toEqual([rig.told[0], expect.stringMatching(/^over: /)]);
    expect(rig.lasting.all()).toEqual([]);
    expect(rig.read().slice(1)).toEqual(['a', 'x', 'y']);
  });

  test('a lost answer is no news, a platform that stays away is', async () => {
    const rig = outRig();
    rig.start();
    await rig.items([said('u', 1, 'a')], 'new');
    rig.platform.fail({ method: 'post', kind: 'lost' });
    await rig.drain();
    expect(rig.told).toEqual([]);
    rig.platform.fail({ method: 'post', kind: 'broken', times: 5 });
    await rig.items([text('b', 2, 'x')]);
    await rig.drain();
    expect(rig.told).toHaveLength(2);
    expect(rig.read().slice(1)).toEqual(['a', 'x']);
  });
});

test('what has no budget left holds back nothing else of its thread', async () => {
  const budgets = { receipt: { burst: 1, perMinute: 1, per: 'platform' } } as const;
  const rig = outRig({ budgets });
  rig.start();
  await rig.items([said('u', 1, 'a')], 'new');
  await rig.drain();
  const [thread] = rig.store.threads.all();
  if (thread?.ref === undefined) throw new Error('not open');
  for (const name of ['one', 'two']) {
    const message = rig.platform.say('memory:c', 't1', id<ActorId>('memory:alice'), name);
    const messageRef = { thread: thread.ref, message };
    const about = { actor: id<ActorId>('memory:alice'), buttons: [], isPrivate: false };
    const target = { thread: thread.ref };
    rig.receipts.show({ ...about, key: name, target, messageRef, mark: '🕓' });
  }
  await rig.clock.advance(1_000);
  await rig.items([text('b', 2, 'meanwhile')]);
  await rig.clock.advance(1_000);
  expect(rig.read().at(-1)).toBe('meanwhile');
  expect(rig.store.outbox.waiting()).toMatchObject([{ op: 'receipt' }]);
});

test('after "too many" the others go at the pace of the budget: no storm', async () => {
  const budgets = { post: { burst: 50, perMinute: 60, per: 'channel' } } as const;
  const rig = outRig({ budgets });
  for (let n = 0; n < 20; n++) {
    rig.setRun({ id: `r${n}` as never, session: `s${n}` as never });
    await rig.items([text(`i${n}`, 1, 'x')], 'new', `s${n}`);
  }
  rig.platform.fail({ method: 'post', kind: 'rate-limited', times: 20, retryAfterMs: 30_000 });
  rig.start();
  await rig.clock.advance(500);
  const first = rig.troubles.length;
  await rig.clock.advance(4_000);
  expect(rig.troubles.length - first).toBeLessThanOrEqual(5);
  await rig.drain();
  const texts = rig.platform.messages.filter((m) => m.history[0]?.includes('"x"'));
  expect(texts).toHaveLength(20);
});

test('a thread with much to say and twenty others take turns', async () => {
  const budgets = { post: { burst: 1, perMinute: 60, per: 'channel' } } as const;
  const rig = outRig({ budgets });
  rig.setRun({ id: 'loud' as never, session: 'loud' as never });
  const many = Array.from({ length: 30 }, (_, k) => text(`l${k}`, k, 'loud'));
  await rig.items(many, 'new', 'loud');
  for (let n = 0; n < 3; n++) {
    rig.setRun({ id: `r${n}` as never, session: `s${n}` as never });
    const few = [text(`i${n}`, 1, 'quiet'), text(`j${n}`, 2, 'quiet')];
    await rig.items(few, 'new', `s${n}`);
  }
  rig.start();
  await rig.clock.advance(10_000);
  expect(rig.platform.messages.filter((m) => m.history[0]?.includes('quiet'))).toHaveLength(6);
});

test('the text of a row that went out, or never will, is nowhere in the outbox', async () => {
  const rig = outRig();
  rig.start();
  rig.platform.fail({ method: 'post', kind: 'rejected' });
  await rig.items([text('a', 1, 'private words'), text('b', 2, 'more of them')], 'new');
  await rig.drain();
  expect(rig.store.outbox.failures(9).map((row) => rig.store.outbox.data(row.id))).toEqual(['']);
});

test('P05 progress edits give way: many changes, few edits', async () => {
  const budgets = { edit: { burst: 1, perMinute: 30, per: 'platform' } } as const;
  const rig = outRig({ budgets });
  rig.start();
  await rig.items([tool('t0', 1)], 'new');
  await rig.drain();
  for (let n = 1; n <= 20; n++) {
    await rig.items([tool(`t${n}`, 1 + n)]);
    await rig.clock.advance(100);
  }
  await rig.drain();
  const activity = rig.platform.thread('t1')[1];
  expect(activity?.history.length).toBeLessThanOrEqual(4);
  expect(rig.read()[1]).toContain('do t20');
});

test('V5 a question is out while twenty threads wait in the same channel', async () => {
  const budgets = { post: { burst: 1, perMinute: 60, per: 'channel' } } as const;
  const rig = outRig({ budgets });
  for (let n = 0; n < 20; n++) {
    rig.setRun({ id: `r${n}` as never, session: `s${n}` as never });
    const items = Array.from({ length: 20 }, (_, k) => text(`i${n}-${k}`, k, 'x'));
    await rig.items(items, 'new', `s${n}`);
  }
  rig.start();
  await rig.clock.advance(3_000);
  await rig.publish({ type: 'dialog', run: rig.setRun({}), pending: pending('d') });
  await rig.clock.advance(2_000);
  expect(rig.platform.messages.some((m) => m.history[0]?.includes('Which one?'))).toBe(true);
});

describe('D3 receipts', () => {
  const receipt = (target: Receipt['target'], more: Partial<Receipt>): Receipt => ({
    key: 'k1',
    target,
    actor: id<ActorId>('memory:alice'),
    buttons: [],
    isPrivate: false,
    ...more,
  });
  const opened = async () => {
    const rig = outRig();
    rig.start();
    await rig.items([said('u', 1, 'a')], 'new');
    await rig.drain();
    const thread = rig.store.threads.all()[0]?.ref;
    if (thread === undefined) throw new Error('not open');
    const message = rig.platform.say('memory:c', 't1', id<ActorId>('memory:alice'), 'do it');
    return { rig, target: { thread }, messageRef: { thread, message } };
  };

  test('a mark on the message; a text that a later receipt of the same delivery replaces', async () => {
    const { rig, target, messageRef } = await opened();
    const about = { messageRef, delivery: 'd1' as never };
    rig.receipts.show(receipt(target, { ...about, mark: '⏸', text: 'A dialog is open.' }));
    rig.receipts.show(receipt(target, { ...about, mark: '⏸', text: 'A dialog is open.' }));
    await rig.drain();
    expect(rig.read().at(-1)).toBe('⏸ A dialog is open.');
    rig.receipts.show(receipt(target, { ...about, key: 'k2', mark: '✅' }));
    await rig.drain();
    expect(rig.read().slice(2)).toEqual(['✅ Done.']);
    const marked = rig.platform.messages.find((m) => m.id === messageRef.message);
    expect(marked?.marks).toEqual(['⏸', '✅']);
  });

  test('the happy path is a mark and no text', async () => {
    const { rig, target, messageRef } = await opened();
    rig.receipts.show(receipt(target, { messageRef, mark: '✅' }));
    await rig.drain();
    expect(rig.read()).toHaveLength(2);
  });

  test('P35 A2 a refusal is for the eyes of one person', async () => {
    const { rig, target } = await opened();
    const text = 'Ask an owner to let you.';
    rig.receipts.show(receipt(target, { isPrivate: true, mark: '⛔', text }));
    rig.receipts.show(receipt(target, { isPrivate: true, mark: '⛔', text }));
    await rig.drain();
    expect(rig.platform.whispers).toMatchObject([{ actor: 'memory:alice' }]);
    expect(rig.read()).toHaveLength(2);
  });
});

test('the loop ends within seconds although a call hangs; the message is found at the next start', async () => {
  const rig = outRig({ timeoutMs: 60_000 });
  rig.start();
  await rig.items([said('u', 1, 'a')], 'new');
  await rig.drain();
  rig.platform.fail({ method: 'post', kind: 'hang-after' });
  await rig.items([text('b', 2, 'once')]);
  await rig.clock.advance(1_000);
  const ended = rig.halt();
  await rig.clock.advance(3_000);
  await ended;
  expect(rig.store.outbox.waiting()).toMatchObject([{ item: 'b', isUncertain: true }]);
  rig.start();
  await rig.drain();
  expect(rig.read().slice(1)).toEqual(['a', 'once']);
});
