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
  /** Does it again and again until a hint comes. */
  const untilHinted = async (change: () => void): Promise<void> => {
    hints = 0;
    await expect
      .poll(
        () => {
          change();
          return hints;
        },
        { timeout: 10_000, interval: 100 },
      )
      .toBeGreaterThan(0);
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

  it('hints that an agent appeared, changed and went', async () => {
    const sessions = join(dir, 'sessions');
    mkdirSync(sessions);
    start();
    // What is there before the first look is no news: the next agent is.
    let pid = 0;
    await untilHinted(() => {
      pid += 1;
      writeFileSync(join(sessions, `${pid}.json`), '{}');
    });
    await untilHinted(() =>
      writeFileSync(join(sessions, '1.json'), `{"status":"${Math.random()}"}`),
    );
    await untilHinted(() => {
      rmSync(join(sessions, `${pid}.json`), { force: true });
      pid -= 1;
    });
  });

  it('hints when the directory itself appears', async () => {
    start();
    let pid = 0;
    await untilHinted(() => {
      pid += 1;
      mkdirSync(join(dir, 'sessions'), { recursive: true });
      writeFileSync(join(dir, 'sessions', `${pid}.json`), '{}');
    });
  });

  it('ends when it is told to', async () => {
    start();
    stop.abort();
    await done;
    expect(hints).toBe(0);
  });
});
