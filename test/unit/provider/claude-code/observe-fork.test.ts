import { afterEach, describe, expect, it } from 'vitest';
import { tempDir } from '../../../fakes/temp-dir.ts';
import { FollowedRun, promptRow } from './followed-run.ts';
import { until } from './reading.ts';

describe('observing a fork', () => {
  let run: FollowedRun | undefined;
  afterEach(() => run?.stop());

  it('R2 is not taken for a new session while its file holds only rows without a time', async () => {
    const fork = new FollowedRun(tempDir(), { startedAt: Date.now() - 500 });
    run = fork;
    fork.start();
    await expect.poll(() => fork.looks).toBeGreaterThan(1);
    // Live, 2.1.332: bookkeeping first, the copied rows in a later write.
    await fork.append(
      '{"type":"mode","mode":"normal"}\n{"type":"custom-title","customTitle":"x"}\n',
    );
    const looks = fork.looks;
    // Long enough for the file to be found and opened.
    await expect.poll(() => fork.looks, { timeout: 10_000 }).toBeGreaterThan(looks + 100);
    const old = new Date(Date.now() - 60_000).toISOString();
    const copied = promptRow('old').replace(/"timestamp":"[^"]+"/, `"timestamp":"${old}"`);
    await fork.append(copied + promptRow('on the fork'));
    await until(() => fork.texts).toEqual(['on the fork']);
    expect(fork.last?.origin).toBe('forked');
  });
});
