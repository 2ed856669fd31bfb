import { describe, expect, test } from 'vitest';
import { type ChannelId, id, type SessionId } from '../../../../src/bridge/model/ids.ts';
import { dialog, lifecycle, pending, said, text, tool } from './items.ts';
import { memoryChannel, outRig } from './out-rig.ts';

const many = (count: number, from = 10) =>
  Array.from({ length: count }, (_, n) => text(`m${from + n}`, from + n, `text ${from + n}`));

describe('P4 publish and dispatch', () => {
  test('a thread opens with its head, items follow in order', async () => {
    const rig = outRig();
    await rig.items([said('u', 1, 'please'), tool('t', 2, { status: 'running' })], 'new');
    await rig.items([tool('t', 2), text('a', 3, 'done')]);
    rig.start();
    await rig.drain();
    const [head, ...rest] = rig.read();
    expect(head).toMatch(/^Fix it\n⚙️ working\n📁 \/w\/app\n/);
    expect(rest).toEqual(['please', '✓ Bash `do t`', 'done']);
    // The result was there before anything was posted: the post itself has it.
    expect(rig.platform.messages.every((m) => m.history.length === 1)).toBe(true);
  });

  test('the same event again, under its own or another envelope, plans nothing', async () => {
    const rig = outRig();
    const items = [said('u', 1, 'a'), tool('t', 2), dialog('d', 3)];
    await rig.items(items, 'new');
    rig.start();
    await rig.drain();
    const before = rig.platform.calls.length;
    await rig.items(items, 'new');
    await rig.publish({ type: 'run', run: rig.setRun({}) }, 'e1');
    await rig.drain();
    expect(rig.platform.calls.length).toBe(before);
  });

  test('a revision edits the message it revises', async () => {
    const rig = outRig();
    rig.start();
    await rig.items([said('u', 1, 'go'), text('a', 2, 'ok')], 'new');
    await rig.drain();
    await rig.items([said('u', 1, 'go', { status: 'unsent' })]);
    await rig.drain();
    expect(rig.read().slice(1)).toEqual(['go\n\n_(taken back before it was sent)_', 'ok']);
  });

  test('a text that grows or shrinks over parts: edited, posted, removed', async () => {
    const rig = outRig({ limit: 120 });
    rig.start();
    const long = (n: number) => Array.from({ length: n }, (_, k) => `line number ${k}`).join('\n');
    await rig.items([text('a', 1, long(5))], 'new');
    await rig.drain();
    expect(rig.read()).toHaveLength(2);
    await rig.items([text('a', 1, long(12))]);
    await rig.drain();
    expect(rig.read().at(-1)).toMatch(/\(2\/2\)$/);
    await rig.items([text('a', 1, 'short')]);
    await rig.drain();
    expect(rig.read().slice(1)).toEqual(['short']);
  });

  test('beyond the bound a thread falls behind and catches up one by one', async () => {
    const rig = outRig();
    await rig.items(many(29), 'new');
    expect(rig.store.outbox.waiting()).toHaveLength(30);
    await rig.items(many(20, 39));
    expect(rig.store.outbox.waiting()).toHaveLength(30);
    expect(rig.store.behind.all()).toMatchObject([{ from: 39 }]);
    rig.start();
    await rig.drain();
    expect(rig.read().slice(1)).toEqual(many(49).map((item) => item.text));
  });

  test('O14 over 30 that piled up go up as one file, each counted as posted; dialogs stay messages', async () => {
    const rig = outRig();
    await rig.items(many(29), 'new');
    const late = [...many(40, 39), tool('t', 90, { status: 'running' }), dialog('d', 91)];
    await rig.items(late);
    rig.start();
    await rig.drain();
    const shown = rig.platform.thread('t1');
    expect(rig.read().at(-1)).toMatch(
      /^📎 41 items piled up while nothing could be posted \(40 texts, 1 tool call\)/,
    );
    expect(shown.filter((m) => m.file !== undefined)).toHaveLength(1);
    expect(shown.at(-1)?.file?.content.match(/text \d+/g)).toHaveLength(40);
    expect(rig.read().filter((t) => t.includes('Which one?'))).toHaveLength(1);
    const before = rig.platform.calls.length;
    await rig.items([...late.slice(0, -1), tool('t', 90)]);
    await rig.drain();
    expect(rig.platform.calls.length).toBe(before);
    await rig.items([text('z', 99, 'and on')]);
    await rig.drain();
    expect(rig.read().at(-1)).toBe('and on');
  });

  test('what comes while a backlog is read is not lost', async () => {
    const rig = outRig();
    await rig.items(many(60), 'new');
    rig.start();
    await rig.drain(() => rig.platform.messages.length > 3);
    await rig.items([text('x', 200, 'in between')]);
    await rig.drain();
    await rig.items([text('y', 201, 'after')]);
    await rig.drain();
    const all = rig.platform.messages.map((m) => (m.file?.content ?? m.history.at(-1)) as string);
    expect(all.join('\n').match(/in between/g)).toHaveLength(1);
    expect(rig.read().at(-1)).toBe('after');
  });
});

describe('R2 threads', () => {
  const ended = { name: 'ended', how: 'exited' } as const;
  test('R10 /clear goes on in the same thread after a separator', async () => {
    const rig = outRig();
    rig.start();
    await rig.items([said('u', 1, 'a')], 'new');
    rig.setRun({ session: id<SessionId>('s2') });
    await rig.runEvent();
    const typed = lifecycle('l', 1, { event: 'cleared', text: '/clear', session: 's2' });
    await rig.items([typed, said('v', 1, 'b', { session: 's2' })], 'cleared', 's2');
    await rig.items([said('w', 2, 'c', { session: 's2' })], 'same', 's2');
    await rig.drain();
    expect(rig.read().slice(1)).toEqual(['a', expect.stringContaining('Cleared'), 'b', 'c']);
    expect(rig.read('t2')).toEqual([]);
  });

  test('R08 a resume goes on in the thread, a second live process gets its own and a warning', async () => {
    const rig = outRig();
    rig.start();
    await rig.items([said('u', 1, 'a')], 'new');
    const first = rig.setRun({});
    rig.setRun({ id: 'r2' as never });
    await rig.items([said('u', 1, 'a'), said('v', 2, 'b')], 'resumed');
    await rig.drain();
    const [, second] = rig.store.threads.all();
    expect(rig.read(second?.ref?.thread)[1]).toMatch(/^⚠️ A second process/);
    await rig.publish({ type: 'run', run: { ...first, state: { name: 'ended', how: 'exited' } } });
    await rig.publish({
      type: 'run',
      run: rig.setRun({ state: { name: 'ended', how: 'exited' }, resumeCommand: 'claude -r s1' }),
    });
    rig.setRun({ id: 'r3' as never, state: { name: 'working' } });
    const mark = lifecycle('resumed', 3, { event: 'resumed', text: 'The session was resumed' });
    await rig.items([said('v', 2, 'b'), mark, said('w', 3, 'c')], 'resumed');
    await rig.drain();
    expect(rig.read(second?.ref?.thread).slice(2)).toEqual([
      'a',
      'b',
      '⏹ The run has ended (exited). To go on with it: `claude -r s1`',
    ]);
    expect(rig.read().slice(1)).toEqual([
      'a',
      '⏹ The run has ended (exited).',
      expect.stringContaining('Resumed'),
      'b',
      'c',
    ]);
  });

  test('a fork that is known by its items only is noted once, above them', async () => {
    const rig = outRig();
    rig.start();
    await rig.runEvent();
    await rig.items([said('u', 1, 'a')], 'forked');
    await rig.items([said('v', 2, 'b')], 'forked');
    await rig.drain();
    expect(rig.read().slice(1)).toEqual([expect.stringContaining('🍴 Forked'), 'a', 'b']);
  });

  test('a branch in the same process leaves its thread, and comes back to it', async () => {
    const rig = outRig();
    rig.start();
    await rig.items([said('u', 1, 'a')], 'new');
    rig.setRun({ session: id<SessionId>('s2') });
    await rig.runEvent();
    expect(rig.store.threads.all()).toHaveLength(1);
    await rig.items([said('v', 1, 'b', { session: 's2' })], 'forked', 's2');
    await rig.drain();
    const [first, branch] = rig.store.threads.all();
    expect(rig.read(branch?.ref?.thread).slice(1)).toEqual([expect.stringMatching(/^🍴/), 'b']);
    expect(rig.read()[0]).toContain('gone on with another conversation');
    expect(rig.read().at(-1)).toMatch(/^➡️ Its process has gone on/);
    rig.setRun({ session: id<SessionId>('s1') });
    await rig.clock.advance(60_000);
    await rig.runEvent();
    await rig.items([said('w', 2, 'c')]);
    await rig.drain();
    expect(rig.read().slice(-2)).toEqual([expect.stringContaining('▶️ Resumed'), 'c']);
    expect(rig.read()[0]).not.toContain('gone on');
    expect(rig.read(branch?.ref?.thread).at(-1)).toMatch(/^➡️ Its process has gone on/);
    expect(rig.store.threads.all()).toHaveLength(2);
    expect(first?.run).toBe(branch?.run);
  });

  test('a session whose thread a live run took along to another one gets a thread of its own', async () => {
    const rig = outRig();
    rig.start();
    await rig.items([said('u', 1, 'a')], 'new');
    rig.setRun({ session: id<SessionId>('s2') });
    await rig.items([said('v', 1, 'b', { session: 's2' })], 'cleared', 's2');
    rig.setRun({ id: 'r2' as never, session: id<SessionId>('s1') });
    await rig.items([said('w', 2, 'c')], 'resumed');
    await rig.drain();
    const threads = rig.store.threads.all();
    expect(threads).toHaveLength(2);
    expect(threads[0]?.run).not.toBe('r2');
    expect(rig.read(threads[1]?.ref?.thread).slice(1)).toEqual([
      expect.stringContaining('another one'),
      'c',
    ]);
  });

  test('a run that only starts has no thread yet; it resumes in the one of its conversation', async () => {
    const rig = outRig();
    rig.start();
    await rig.items([said('u', 1, 'a')], 'new');
    const { session, ...first } = rig.setRun({});
    await rig.publish({ type: 'run', run: { ...first, session, state: ended } as never });
    const starting = { ...first, id: 'r2' as never, state: { name: 'starting' } } as const;
    await rig.publish({ type: 'run', run: starting });
    await rig.publish({ type: 'dialog', run: starting, pending: null });
    expect(rig.store.threads.all()).toHaveLength(1);
    rig.setRun({ id: 'r2' as never, state: { name: 'idle' } });
    await rig.runEvent();
    await rig.items([said('v', 2, 'b')], 'resumed');
    await rig.drain();
    expect(rig.store.threads.all()).toHaveLength(1);
    expect(rig.read().slice(-2)).toEqual([expect.stringContaining('Resumed'), 'b']);
  });

  test('a start-up screen had a thread: it says that the run went on in another one', async () => {
    const rig = outRig();
    rig.start();
    await rig.items([said('u', 1, 'a')], 'new');
    const { session, ...first } = rig.setRun({});
    await rig.publish({ type: 'run', run: { ...first, session, state: ended } as never });
    const blocked = { name: 'blocked', cause: 'trust' } as const;
    await rig.publish({ type: 'run', run: { ...first, id: 'r2' as never, state: blocked } });
    rig.setRun({ id: 'r2' as never, state: { name: 'idle' } });
    await rig.runEvent();
    await rig.items([said('v', 2, 'b')], 'resumed');
    await rig.drain();
    const [, startUp] = rig.store.threads.all();
    const shown = rig.read(startUp?.ref?.thread);
    expect(shown[0]).toContain('➡️ gone on');
    expect(shown.at(-1)).toMatch(/^➡️ It went on with an earlier conversation/);
    expect(rig.read().slice(-2)).toEqual([expect.stringContaining('Resumed'), 'b']);
  });

  test('R1 each channel shows what its own match says, with its own verbosity', async () => {
    const channels = [
      memoryChannel({ id: id<ChannelId>('memory:quiet'), verbosity: 'quiet' }),
      memoryChannel({ id: id<ChannelId>('memory:other'), match: { cwd: '/elsewhere/**' } }),
      memoryChannel({ id: id<ChannelId>('memory:app'), match: { cwd: '/w/**' } }),
    ];
    const rig = outRig({ channels });
    rig.start();
    await rig.items([said('u', 1, 'a'), tool('t', 2)], 'new');
    await rig.drain();
    const shown = rig.store.threads.all().map((t) => [t.channel, rig.read(t.ref?.thread).length]);
    expect(shown).toEqual([
      ['memory:quiet', 2],
      ['memory:app', 3],
    ]);
  });

  test('an ignored thread shows nothing more', async () => {
    const rig = outRig();
    rig.start();
    await rig.items([said('u', 1, 'a')], 'new');
    await rig.drain();
    const [thread] = rig.store.threads.all();
    if (thread !== undefined) rig.store.threads.save({ ...thread, state: 'ignored' });
    await rig.items([said('v', 2, 'b')]);
    await rig.runEvent();
    await rig.drain();
    expect(rig.read()).toHaveLength(2);
    expect(rig.store.threads.all()).toHaveLength(1);
  });
});

describe('P5 head and state', () => {
  test('the head is edited sparingly; an end shows at once and closes what was open', async () => {
    const rig = outRig();
    rig.start();
    await rig.items([said('u', 1, 'a')], 'new');
    await rig.publish({ type: 'dialog', run: rig.setRun({}), pending: pending('d') });
    await rig.drain();
    for (const name of ['idle', 'working', 'idle', 'working', 'idle'] as const) {
      rig.setRun({ state: { name } });
      await rig.runEvent();
      await rig.clock.advance(1_000);
    }
    await rig.drain();
    const head = () => rig.platform.messages[0];
    expect(head()?.history).toHaveLength(2);
    expect(rig.read()[0]).toContain('💤 idle');
    await rig.clock.advance(60_000);
    rig.setRun({ state: { name: 'ended', how: 'killed' } });
    await rig.runEvent();
    await rig.drain();
    expect(rig.read()[0]).toContain('⏹ ended (killed)');
    expect(rig.read().at(-1)).toBe('⏹ The run has ended (killed).');
    const asked = rig.read().find((t) => t.includes('Which one?'));
    expect(asked).toContain('⏹ The run ended before it was answered');
  });

  test('D15 S2 a blocked screen is told once each time it begins', async () => {
    const rig = outRig();
    rig.start();
    rig.setRun({ state: { name: 'blocked', cause: 'trust' }, attachCommand: 'tmux attach -t x' });
    await rig.runEvent();
    await rig.runEvent();
    rig.setRun({ state: { name: 'idle' } });
    await rig.runEvent();
    await rig.clock.advance(1);
    rig.setRun({ state: { name: 'blocked', cause: 'trust' } });
    await rig.runEvent();
    await rig.drain();
    expect(rig.read().filter((t) => t.startsWith('🚧 Blocked: it asks whether'))).toHaveLength(2);
    expect(rig.read()[1]).toContain('`tmux attach -t x`');
  });
});

describe('Q5 dialogs from several sources', () => {
  test('D01 one message: posted by the first source, buttons by the second, settled by the third', async () => {
    const rig = outRig();
    rig.start();
    await rig.items([dialog('d', 1)], 'new');
    await rig.publish({ type: 'dialog', run: rig.setRun({}), pending: null });
    await rig.publish({ type: 'dialog', run: rig.setRun({}), pending: pending('d') });
    await rig.drain();
    const shown = () => rig.platform.thread('t1').slice(1);
    const last = () => JSON.parse(shown()[0]?.history.at(-1) ?? '{}');
    expect(shown()).toHaveLength(1);
    expect(last().buttons).toEqual(['Red', 'Green']);
    await rig.publish({ type: 'dialog', run: rig.setRun({}), pending: null });
    await rig.items([dialog('d', 1, { status: 'answered', answers: { q: 'Green' } })]);
    await rig.publish({ type: 'dialog', run: rig.setRun({}), pending: pending('d') });
    await rig.drain();
    expect(shown()).toHaveLength(1);
    expect(last()).toMatchObject({ buttons: [], text: expect.stringContaining('**Green**') });
  });

  test('an approval that no transcript holds: closed, then how it ended by its call', async () => {
    const rig = outRig();
    rig.start();
    const content = { type: 'approval', tool: 'Bash', summary: 'rm x', input: '{}' } as const;
    const approval = pending('approval:t', { content });
    await rig.items([tool('t', 1, { status: 'running' })], 'new');
    await rig.publish({ type: 'dialog', run: rig.setRun({}), pending: approval });
    await rig.drain();
    await rig.publish({ type: 'dialog', run: rig.setRun({}), pending: null });
    await rig.drain();
    expect(rig.read().at(-1)).toContain('☑️ No longer open');
    await rig.items([tool('t', 1, { status: 'denied' })]);
    await rig.drain();
    expect(rig.read().at(-1)).toContain('⛔ Declined');
    expect(rig.store.ledger.kept('thread-1' as never, 'dialog:')).toEqual([]);
  });
});
