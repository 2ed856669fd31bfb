import { rename, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tempDir } from '../../../fakes/temp-dir.ts';
import { agentRow, FollowedRun, promptRow, turnEndRow } from './followed-run.ts';
import { fixture, until } from './reading.ts';

describe('observing a run in trouble', () => {
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

  it('L4 goes on when the file vanishes and returns', async () => {
    const run = follow(root);
    await run.append('');
    run.start();
    await until(() => run.looks).toBeGreaterThan(1);
    await run.append(promptRow('one'));
    await until(() => run.texts).toEqual(['one']);
    await rename(run.path(), `${run.path()}.away`);
    const { looks } = run;
    await until(() => run.looks).toBeGreaterThan(looks + 3);
    await rename(`${run.path()}.away`, run.path());
    await run.append(agentRow('two'));
    await until(() => run.texts).toEqual(['one', 'two']);
    expect(
      run.seen.flatMap((s) => s.items).filter((i) => i.kind === 'text' && i.text === 'one'),
    ).toHaveLength(1);
  });

  it('L4 starts again in a replaced file without showing the past anew', async () => {
    const run = follow(root);
    await run.append('');
    run.start();
    await until(() => run.looks).toBeGreaterThan(1);
    const past = Date.now() - 30_000;
    const old =
      promptRow('one', { at: past, uuid: 'u1' }) +
      agentRow('first', { at: past + 1, uuid: 'u2' }) +
      turnEndRow('u3', past + 2);
    await run.append(old);
    await until(() => run.last?.state.name).toBe('needs-input');
    const before = run.seen.flatMap((s) => s.items).length;
    await writeFile(`${run.path()}.new`, old + promptRow('two', { parent: 'u3' }));
    await rename(`${run.path()}.new`, run.path());
    await until(() => run.texts).toEqual(['one', 'first', 'two']);
    const again = run.seen
      .flatMap((s) => s.items)
      .slice(before)
      .map((i) => i.id);
    expect(again).not.toContain('u1.0');
    // Shorter than what was read: cut.
    await writeFile(run.path(), promptRow('three', { parent: null }));
    await until(() => run.texts).toContain('three');
  });

  it('reads nothing ahead while the consumer is busy', async () => {
    const run = follow(root);
    await run.append('');
    run.start();
    await until(() => run.looks).toBeGreaterThan(1);
    run.hold();
    const rows = Array.from({ length: 1_000 }, (_, i) => agentRow(`text ${i}`)).join('');
    await run.append(promptRow('go') + rows);
    await until(() => run.items.length).toBeGreaterThan(0);
    const { looks } = run;
    expect(run.items.length).toBeLessThanOrEqual(210);
    await run.append(agentRow('more'));
    expect(run.looks).toBe(looks);
    run.go();
    await until(() => run.texts.at(-1)).toBe('more');
    expect(run.items).toHaveLength(1_002);
    expect(Math.max(...run.seen.map((s) => s.items.length))).toBeLessThanOrEqual(210);
  });

  it.each([
    ['exited', 'absent' as const],
    ['killed', undefined],
    ['lost', 'unreadable' as const],
  ])('R13 R6 says how it ended: %s, after all was read', async (how, reading) => {
    const run = follow(root, {});
    run.entry({ status: 'waiting', waitingFor: 'input needed' });
    await run.append('');
    run.start();
    await until(() => run.looks).toBeGreaterThan(1);
    await run.append(fixture('killed-while-asking-2.1.332.jsonl'));
    await until(() => run.last?.state.name).toBe('question-pending');
    await run.append(agentRow('last word'));
    if (reading !== undefined) run.reading = reading;
    run.isAlive = false;
    await run.ended;
    expect(run.last?.state).toEqual({ name: 'ended', how });
    expect(run.texts).toContain('last word');
    expect(run.items.find((i) => i.kind === 'dialog')).toMatchObject({ status: 'run-ended' });
    expect(run.seen.filter((s) => s.state.name === 'ended')).toHaveLength(1);
    expect(run.last?.pendingDialog).toBeUndefined();
  });

  it('says a new state without items, and the same state only once', async () => {
    const run = follow(root).start();
    await until(() => run.seen.length).toBe(1);
    run.entry({ status: 'busy' });
    await until(() => run.last?.state.name).toBe('working');
    const { looks } = run;
    await until(() => run.looks).toBeGreaterThan(looks + 5);
    expect(run.seen).toHaveLength(2);
  });

  it('asks the screen while there is no registry file', async () => {
    const run = follow(root, { deps: { readScreen: async () => 'trust' } });
    run.reading = 'absent';
    run.start();
    await until(() => run.last?.state).toEqual({ name: 'blocked', cause: 'trust' });
  });

  it('ends at once when the signal aborts', async () => {
    const run = follow(root, { deps: { pollMs: 60_000 } }).start();
    await until(() => run.seen.length).toBe(1);
    await run.stop();
    await expect(run.ended).resolves.toBeUndefined();
  });
});
