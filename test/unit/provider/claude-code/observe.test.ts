import { mkdir, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BlockedCause } from '../../../../src/bridge/model/run-state.ts';
import { systemClock } from '../../../../src/bridge/system-clock.ts';
import { tempDir } from '../../../fakes/temp-dir.ts';
import { agentRow, FollowedRun, promptRow, turnEndRow } from './followed-run.ts';
import { fixture, until } from './reading.ts';

describe('observing a run', () => {
  let root: string;
  let started: FollowedRun[] = [];
  const follow = (...args: ConstructorParameters<typeof FollowedRun>): FollowedRun => {
    const run = new FollowedRun(...args);
    started.push(run);
    return run;
  };

  beforeEach(() => {
    root = tempDir();
  });
  afterEach(async () => {
    for (const run of started) await run.stop();
    started = [];
  });

  it('R11 T15 R4 reads a transcript that is born later from its first byte', async () => {
    const run = follow(root).start();
    await until(() => run.last?.state.name).toBe('idle');
    expect(run.last).toMatchObject({ session: 'aaaa', items: [], origin: 'new' });
    await run.append(promptRow('one') + agentRow('first') + turnEndRow() + promptRow('two'));
    await until(() => run.texts).toEqual(['one', 'first', 'two']);
    expect(run.last?.origin).toBe('new');
    expect(run.last?.transcriptPath).toBe(run.path());
  });

  it('R4 reads it whole even if the bridge restarts before it is born', async () => {
    const before = follow(root).start();
    await until(() => before.seen.length).toBe(1);
    const { cursor } = before.last ?? { cursor: '' };
    await before.stop();
    await before.append(promptRow('one') + agentRow('first') + turnEndRow() + promptRow('two'));
    const after = follow(root).start(cursor);
    await until(() => after.texts).toEqual(['one', 'first', 'two']);
  });

  it('R4 shows of a run met late the last turn only', async () => {
    const run = follow(root);
    await run.write(fixture('plain-turns-2.1.332.jsonl'));
    run.start();
    await until(() => run.texts.length).toBe(2);
    expect(run.texts[0]).toBe('#md');
    expect(run.last).toMatchObject({ origin: 'met-late', state: { name: 'needs-input' } });
  });

  it('S1 shows the open question of a run met late', async () => {
    const run = follow(root);
    await run.write(fixture('killed-while-asking-2.1.332.jsonl'));
    run.entry({ status: 'waiting', waitingFor: 'input needed' });
    run.start();
    await until(() => run.last?.state.name).toBe('question-pending');
    expect(run.last?.pendingDialog).toMatchObject({ content: { type: 'question' } });
    expect(run.items.at(-1)).toMatchObject({ kind: 'dialog', status: 'open' });
  });

  it('S1: a screen that is not known while a process starts or ends is no blocked run yet; one that is known is', async () => {
    let later = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + later };
    let screen: BlockedCause = 'unknown-screen';
    const run = follow(root, { deps: { clock, readScreen: async () => screen } });
    run.reading = 'absent';
    run.start();
    await expect.poll(() => run.looks).toBeGreaterThan(3);
    expect(run.last?.state).toEqual({ name: 'starting' });
    screen = 'trust';
    await expect.poll(() => run.last?.state).toEqual({ name: 'blocked', cause: 'trust' });
    screen = 'unknown-screen';
    await expect.poll(() => run.last?.state).toEqual({ name: 'starting' });
    later = 11_000;
    await expect.poll(() => run.last?.state).toMatchObject({ cause: 'unknown-screen' });
  });

  it('Q5 closes what an earlier, killed process of the session left open', async () => {
    const run = follow(root, { startedAt: Date.now() + 3_600_000 });
    await run.write(fixture('killed-while-asking-2.1.332.jsonl'));
    run.start();
    await until(() => run.items.at(-1)).toMatchObject({ kind: 'dialog', status: 'run-ended' });
  });

  it('T01 keeps a half-written line until its end comes', async () => {
    const run = follow(root);
    const row = promptRow('whole');
    await run.append(row.slice(0, 40));
    run.start();
    await until(() => run.looks).toBeGreaterThan(3);
    expect(run.items).toEqual([]);
    await run.append(row.slice(40));
    await until(() => run.texts).toEqual(['whole']);
  });

  it('L1 gives from every cursor exactly what an uninterrupted reading gives', async () => {
    const bytes = fixture('queued-until-turn-end-2.1.332.jsonl');
    const whole = follow(root);
    await whole.append('');
    whole.start();
    await until(() => whole.looks).toBeGreaterThan(1);
    // Grows row by row, so that there are many cursors.
    for (const line of bytes.toString().split('\n').slice(0, -1)) {
      await whole.append(`${line}\n`);
      const { looks } = whole;
      await until(() => whole.looks).toBeGreaterThan(looks + 1);
    }
    await until(() => whole.items.at(-1)).toMatchObject({ text: 'second', endsTurn: true });
    expect(whole.items).toHaveLength(5);
    expect(new Set(whole.seen.map((seen) => seen.cursor)).size).toBeGreaterThan(4);
    await whole.stop();
    for (const [index, { cursor }] of whole.seen.entries()) {
      if (cursor === '') continue;
      const again = follow(root).start(cursor);
      const given = new Map(
        whole.seen.slice(0, index + 1).flatMap((seen) => seen.items.map((i) => [i.id, i] as const)),
      );
      await until(() => {
        const together = new Map(given);
        for (const item of again.items) together.set(item.id, item);
        return [...together.values()].sort((a, b) => a.order - b.order);
      }).toEqual(whole.items);
      await again.stop();
    }
  });

  it('R2 goes on across /clear: the old file to its end, then the new one from its first byte', async () => {
    const run = follow(root);
    await run.append('');
    run.start();
    await until(() => run.looks).toBeGreaterThan(1);
    run.hold();
    await run.append(promptRow('old'));
    await until(() => run.texts).toEqual(['old']);
    // The consumer is busy while the end of the old file comes and the session changes.
    await run.append(agentRow('old end') + turnEndRow());
    await run.append(fixture('clear-2.1.332.jsonl'), 'bbbb');
    run.entry({ sessionId: 'bbbb' });
    run.go();
    await until(() => run.texts).toContain('after clear');
    const shown = run.seen.flatMap((s) =>
      s.items.map((i) => ({ session: s.session, origin: s.origin, i })),
    );
    const old = shown.find(({ i }) => i.kind === 'text' && i.text === 'old end');
    expect(old?.session).toBe('aaaa');
    const cleared = shown.find(({ i }) => i.kind === 'lifecycle' && i.event === 'cleared');
    expect(cleared).toMatchObject({ session: 'bbbb' });
    expect(run.last?.run.session).toBe('bbbb');
  });

  it('R2 reads the end of what was cleared while nobody looked', async () => {
    const first = follow(root);
    await first.append('');
    first.start();
    await until(() => first.looks).toBeGreaterThan(1);
    await first.append(promptRow('old'));
    await until(() => first.texts).toEqual(['old']);
    const { cursor } = first.last ?? { cursor: '' };
    await first.stop();
    await first.append(agentRow('old end') + turnEndRow());
    await first.append(promptRow('new one') + agentRow('yes') + promptRow('new two'), 'bbbb');
    const second = follow(root, { session: 'bbbb', deps: { lastCursor: () => cursor } });
    second.start();
    await until(() => second.texts).toEqual(['old', 'old end', 'new one', 'yes', 'new two']);
    expect(second.last?.origin).toBe('cleared');
  });

  it('R2 says that a later process resumed the session, once', async () => {
    const first = follow(root);
    await first.append('');
    first.start();
    await until(() => first.looks).toBeGreaterThan(1);
    await first.append(promptRow('one') + agentRow('first') + turnEndRow());
    await until(() => first.last?.state.name).toBe('needs-input');
    const { cursor } = first.last ?? { cursor: '' };
    await first.stop();
    const later = { id: 'host-8-200', startedAt: Date.now() };
    const second = follow(root, later).start(cursor);
    await second.append(promptRow('two', { at: Date.now() + 5 }));
    await until(() => second.texts).toContain('two');
    expect(second.last?.origin).toBe('resumed');
    const resumed = second.items.filter((i) => i.kind === 'lifecycle' && i.event === 'resumed');
    expect(resumed).toHaveLength(1);
    const { cursor: after } = second.last ?? { cursor: '' };
    await second.stop();
    const third = follow(root, later).start(after);
    await third.append(agentRow('second') + turnEndRow());
    await until(() => third.texts).toContain('second');
    expect(third.last?.origin).toBe('same');
  });

  it('R2 goes on from the saved cursor when the session is known after the start-up screen only', async () => {
    const first = follow(root);
    await first.append('');
    first.start();
    await expect.poll(() => first.looks).toBeGreaterThan(1);
    await first.append(promptRow('one') + agentRow('first') + turnEndRow());
    await expect.poll(() => first.last?.state.name).toBe('needs-input');
    const { cursor } = first.last ?? { cursor: '' };
    await first.stop();
    // Nobody looked while these came.
    await first.append(promptRow('two') + agentRow('second') + turnEndRow());
    await first.append(promptRow('three') + agentRow('third') + turnEndRow());
    const saved = { sessionCursor: () => cursor };
    const second = follow(root, { id: 'host-8-200', startedAt: Date.now(), deps: saved });
    const { reading } = second;
    second.reading = 'absent';
    const { session: _, ...starting } = second.run;
    Object.assign(second, { run: starting });
    second.start();
    await expect.poll(() => second.last?.state.name).toBe('starting');
    second.reading = reading;
    await expect.poll(() => second.texts).toContain('third');
    expect(second.texts.slice(-5)).toEqual(['first', 'two', 'second', 'three', 'third']);
    expect(second.last?.origin).toBe('resumed');
  });

  it('R2 reads of a run that is gone no more than what came before its successor started', async () => {
    const resumedAt = Date.now() - 1_000;
    const old = follow(root);
    await old.append('');
    old.start();
    await expect.poll(() => old.looks).toBeGreaterThan(1);
    await old.append(promptRow('one', { at: resumedAt - 5_000 }));
    await expect.poll(() => old.texts).toEqual(['one']);
    const { cursor } = old.last ?? { cursor: '' };
    await old.stop();
    // Nobody looks: last words, the end, a successor with words of its own.
    await old.append(agentRow('last words', { at: resumedAt - 4_000 }));
    await old.append(turnEndRow(undefined, resumedAt - 4_000));
    await old.append(promptRow('two', { at: resumedAt + 500 }) + agentRow('second'));
    const gone = follow(root);
    gone.reading = 'absent';
    gone.isAlive = false;
    Object.assign(gone, { run: { ...gone.run, endedBefore: resumedAt } });
    gone.start(cursor);
    await gone.ended;
    expect(gone.texts).toEqual(['one', 'last words']);
    expect(gone.last?.state).toEqual({ name: 'ended', how: 'exited' });
    const next = follow(root, { id: 'host-8-200', startedAt: resumedAt }).start(gone.last?.cursor);
    await expect.poll(() => next.texts).toContain('second');
    expect(next.texts.slice(-2)).toEqual(['two', 'second']);
    expect(next.last?.origin).toBe('resumed');
  });

  it('R2 does not show the copied history of a fork', async () => {
    // The recorded rows, as if the fork had been made now.
    const text = fixture('resume-and-fork-2.1.332.jsonl').toString();
    const times = [...text.matchAll(/"timestamp":"([^"]+)"/g)].map((m) => Date.parse(m[1] ?? ''));
    const forkedAt = Date.parse(/"#say forked".*?"timestamp":"([^"]+)"/.exec(text)?.[1] ?? '');
    const shift = Date.now() - forkedAt;
    expect(Math.min(...times)).toBeLessThan(forkedAt - 500);
    const moved = text.replace(/"timestamp":"([^"]+)"/g, (_all, when: string) =>
      JSON.stringify({ timestamp: new Date(Date.parse(when) + shift).toISOString() }).slice(1, -1),
    );
    const run = follow(root, { startedAt: Date.now() - 500 });
    await run.write(moved);
    run.start();
    await until(() => run.texts).toEqual(['#say forked', 'forked']);
    expect(run.last?.origin).toBe('forked');
  });

  it('R2 does not show what /branch copied into the session that the process goes on in', async () => {
    const run = follow(root);
    await run.append('');
    run.start();
    await expect.poll(() => run.looks).toBeGreaterThan(1);
    await run.append(promptRow('old') + agentRow('old end') + turnEndRow());
    await run.append(fixture('branch-2.1.332.jsonl'), 'bbbb');
    run.entry({ sessionId: 'bbbb' });
    await expect.poll(() => run.texts).toContain('on the branch');
    expect(run.texts).toEqual(['old', 'old end', '#say on the branch', 'on the branch']);
    expect(run.last).toMatchObject({ session: 'bbbb', origin: 'forked' });
  });

  it('R4 shows of a branch that is met late its own last turn, or nothing', async () => {
    const branch = fixture('branch-2.1.332.jsonl').toString();
    const met = follow(root);
    await met.write(branch);
    met.start();
    await expect.poll(() => met.texts).toEqual(['#say on the branch', 'on the branch']);
    expect(met.last?.origin).toBe('forked');
    await met.stop();
    const fresh = follow(root);
    await fresh.write(branch.slice(0, branch.indexOf('{"type":"file-history-snapshot"')));
    fresh.start();
    await expect.poll(() => fresh.looks).toBeGreaterThan(2);
    expect(fresh.texts).toEqual([]);
  });

  it('R2 marks what a rewind left behind, and that it happened', async () => {
    const run = follow(root);
    await run.append('');
    run.start();
    await until(() => run.looks).toBeGreaterThan(1);
    await run.append(fixture('rewind-2.1.332.jsonl'));
    await until(() => run.texts).toContain('after rewind');
    const status = run.items.flatMap((i) =>
      i.kind === 'text' ? [`${i.text} ${i.status}`] : [`${i.kind}`],
    );
    expect(status).toEqual([
      '#say first sent',
      'first sent',
      '#say second abandoned',
      'second abandoned',
      'lifecycle',
      '#say after rewind sent',
      'after rewind sent',
    ]);
  });

  it('R2 finds a rewind over several turns, and over a restart', async () => {
    const run = follow(root);
    await run.append('');
    run.start();
    await until(() => run.looks).toBeGreaterThan(1);
    await run.append(
      promptRow('1', { uuid: 'p1', parent: null }) +
        agentRow('one', { uuid: 'a1', parent: 'p1' }) +
        turnEndRow('e1') +
        promptRow('2', { uuid: 'p2', parent: 'e1' }) +
        agentRow('two', { uuid: 'a2', parent: 'p2' }) +
        turnEndRow('e2') +
        promptRow('3', { uuid: 'p3', parent: 'e2' }) +
        agentRow('three', { uuid: 'a3', parent: 'p3' }) +
        turnEndRow('e3'),
    );
    await until(() => run.texts).toContain('three');
    await until(() => run.last?.state.name).toBe('needs-input');
    const { cursor } = run.last ?? { cursor: '' };
    await run.stop();
    const again = follow(root).start(cursor);
    await again.append(promptRow('4', { uuid: 'p4', parent: 'e1' }) + agentRow('four'));
    await until(() => again.texts).toContain('four');
    const abandoned = again.items.flatMap((i) =>
      i.kind === 'text' && i.status === 'abandoned' ? [i.text] : [],
    );
    expect(abandoned).toEqual(['2', 'two', '3', 'three']);
    // And an ordinary next prompt after a restart is no rewind.
    await again.append(turnEndRow('e4') + promptRow('5', { parent: 'e4' }));
    await until(() => again.texts).toContain('5');
    expect(again.items.filter((i) => i.kind === 'lifecycle')).toHaveLength(1);
  });

  it('D3 reports an un-sent prompt when the next one skips it', async () => {
    const run = follow(root);
    await run.append('');
    run.start();
    await until(() => run.looks).toBeGreaterThan(1);
    await run.append(fixture('unsent-before-first-token-2.1.332.jsonl'));
    await until(() => run.texts).toContain('next');
    const unsent = run.seen.flatMap((s) => s.evidence).filter((e) => e.type === 'unsent');
    expect(unsent).toHaveLength(1);
    expect(run.items).toContainEqual(
      expect.objectContaining({ text: '#hang 20', status: 'unsent' }),
    );
  });

  it('T07 P1 folds what subagents do under the call that started them', async () => {
    const run = follow(root);
    await run.append('');
    run.start();
    await until(() => run.looks).toBeGreaterThan(1);
    await run.append(fixture('subagent-2.1.332.jsonl'));
    await until(() => run.texts.length).toBeGreaterThan(2);
    const agents = run.path().replace(/\.jsonl$/, '/subagents');
    const child = 'agent-a053e2016307ca3db';
    await run.append('', 'x');
    await mkdir(agents, { recursive: true });
    await writeFile(
      `${agents}/${child}.meta.json`,
      '{"toolUseId":"toolu_015efcbbbc839a99eb1fe6f0f3"}',
    );
    await writeFile(`${agents}/${child}.jsonl`, fixture('subagent-child-2.1.332.jsonl'));
    await until(() => run.items.find((i) => i.parent !== undefined)).toMatchObject({
      kind: 'text',
      text: 'subagent-says-hi',
      parent: 'toolu_015efcbbbc839a99eb1fe6f0f3',
    });
    const order = run.items.map((i) =>
      i.kind === 'tool' ? i.name : i.parent === undefined ? '-' : 'child',
    );
    expect(order.indexOf('child')).toBe(order.indexOf('Agent') + 1);
  });
});
