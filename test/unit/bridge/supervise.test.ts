import { describe, expect, it } from 'vitest';
import {
  FIRST_BACKOFF_MS,
  type Loop,
  MAX_BACKOFF_MS,
  RECOVERED_AFTER_MS,
  STOP_WITHIN_MS,
  Supervisor,
} from '../../../src/bridge/supervise.ts';
import { FakeClock } from '../../fakes/fake-clock.ts';

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

const setUp = () => {
  const clock = new FakeClock();
  const restarted: string[] = [];
  const supervisor = new Supervisor({ clock, log: quiet, onRestart: (l) => restarted.push(l) });
  return { clock, supervisor, restarted };
};

describe('Supervisor', () => {
  it('starts a loop again after a fault, later each time, up to a bound', async () => {
    const { clock, supervisor, restarted } = setUp();
    const starts: number[] = [];
    supervisor.start({
      name: 'dispatch',
      deadlineMs: 0,
      run: () => {
        starts.push(clock.now());
        return Promise.reject(new Error('no database'));
      },
    });
    await clock.advance(10 * MAX_BACKOFF_MS);
    const waits = starts.slice(1).map((at, i) => at - (starts[i] ?? 0));
    expect(waits.slice(0, 4)).toEqual([1, 2, 4, 8].map((n) => n * FIRST_BACKOFF_MS));
    expect(Math.max(...waits)).toBe(MAX_BACKOFF_MS);
    expect(restarted.length).toBe(starts.length - 1);
    expect(supervisor.health()[0]).toMatchObject({
      isHealthy: false,
      detail: 'stopped and will be started again: no database',
    });
    await supervisor.stop();
  });

  it('takes an end that nobody asked for as a fault', async () => {
    const { clock, supervisor, restarted } = setUp();
    supervisor.start({ name: 'inbox', deadlineMs: 0, run: () => Promise.resolve() });
    await clock.advance(FIRST_BACKOFF_MS);
    expect(restarted).toEqual(['inbox']);
    await supervisor.stop();
  });

  it('forgets faults once a loop ran long enough', async () => {
    const { clock, supervisor } = setUp();
    const starts: number[] = [];
    supervisor.start({
      name: 'observe',
      deadlineMs: 0,
      run: async (signal) => {
        starts.push(clock.now());
        // Fails at once three times, then after a long while, then at once again.
        if (starts.length === 4) await clock.sleep(RECOVERED_AFTER_MS, signal);
        throw new Error('again');
      },
    });
    await clock.advance(RECOVERED_AFTER_MS + 20 * FIRST_BACKOFF_MS);
    expect((starts[4] ?? 0) - (starts[3] ?? 0)).toBe(RECOVERED_AFTER_MS + FIRST_BACKOFF_MS);
    await supervisor.stop();
  });

  it('calls a loop unhealthy once its deadline passed without a beat', async () => {
    const { clock, supervisor } = setUp();
    let beat = (): void => {};
    supervisor.start({
      name: 'publish',
      deadlineMs: 30_000,
      run: (signal, b) => {
        beat = b;
        return untilAborted(signal);
      },
    });
    await clock.advance(30_000);
    expect(supervisor.health()[0]?.isHealthy).toBe(true);
    await clock.advance(1_000);
    expect(supervisor.health()[0]).toMatchObject({
      isHealthy: false,
      detail: 'no progress for 31 s',
    });
    beat();
    expect(supervisor.health()[0]?.isHealthy).toBe(true);
    await supervisor.stop();
  });

  it('stops all loops, and names those that do not end in time', async () => {
    const { clock, supervisor } = setUp();
    const ends: string[] = [];
    const loop = (name: string, stubborn: boolean): Loop => ({
      name,
      deadlineMs: 0,
      run: async (signal) => {
        await untilAborted(signal);
        if (stubborn) await new Promise(() => {});
        ends.push(name);
      },
    });
    supervisor.start(loop('good', false));
    supervisor.start(loop('stubborn', true));
    const stopped = supervisor.stop();
    await clock.advance(STOP_WITHIN_MS);
    expect(await stopped).toEqual(['stubborn']);
    expect(ends).toEqual(['good']);
  });

  it('stops at once while a loop waits to be started again', async () => {
    const { clock, supervisor, restarted } = setUp();
    supervisor.start({ name: 'x', deadlineMs: 0, run: () => Promise.reject(new Error('x')) });
    await clock.advance(0);
    expect(await supervisor.stop()).toEqual([]);
    await clock.advance(MAX_BACKOFF_MS);
    expect(restarted).toEqual([]);
  });
});
