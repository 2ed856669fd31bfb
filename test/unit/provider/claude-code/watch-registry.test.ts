import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { watchRegistry } from '../../../../src/provider/claude-code/watch-registry.ts';

const clock = {
  now: () => Date.now(),
  sleep: (ms: number, signal?: AbortSignal) =>
    wait(ms, undefined, signal && { signal }).catch(() => undefined),
};

describe('watching the registry', () => {
  let dir: string;
  let hints: number;
  let stop: AbortController;
  let done: Promise<void>;
  let problems: unknown[];
  const start = (): void => {
    done = watchRegistry(
      { clock, configDirs: () => [dir], onProblem: (what) => problems.push(what) },
      stop.signal,
      () => {
        hints += 1;
      },
    );
  };
  const hinted = async (): Promise<void> => {
    await expect.poll(() => hints, { timeout: 2000 }).toBeGreaterThan(0);
    hints = 0;
  };
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'afk-watch-'));
    hints = 0;
    problems = [];
    stop = new AbortController();
  });
  afterEach(async () => {
    stop.abort();
    await done;
    rmSync(dir, { recursive: true, force: true });
    expect(problems).toEqual([]);
  });

  it('hints within 2 s that an agent appeared, changed and went', async () => {
    const sessions = join(dir, 'sessions');
    mkdirSync(sessions);
    start();
    writeFileSync(join(sessions, '1.json'), '{}');
    await hinted();
    await expect
      .poll(
        () => {
          writeFileSync(join(sessions, '1.json'), `{"status":"${Math.random()}"}`);
          return hints;
        },
        { timeout: 2000 },
      )
      .toBeGreaterThan(0);
    hints = 0;
    rmSync(join(sessions, '1.json'));
    await hinted();
  });

  it('hints when the directory itself appears', async () => {
    start();
    mkdirSync(join(dir, 'sessions'));
    writeFileSync(join(dir, 'sessions', '1.json'), '{}');
    await hinted();
  });

  it('ends when it is told to', async () => {
    start();
    stop.abort();
    await done;
    expect(hints).toBe(0);
  });
});
