import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../src/bridge/ports/clock.ts';

/** A clock for one flow of work: a sleep is over at once, and so much later. File access takes no time. */
export class JumpClock implements Clock {
  #now = 1_800_000_000_000;

  now(): number {
    return this.#now;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return;
    this.#now += ms;
    await setImmediate();
  }
}
