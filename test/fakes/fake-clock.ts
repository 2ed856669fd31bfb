import type { Clock } from '../../src/bridge/ports/clock.ts';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** Lets every promise that can go on without time go on. */
const settled = async (): Promise<void> => {
  for (let i = 0; i < 5; i += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** A clock that stands still until `advance` moves it; sleepers wake in order. */
export class FakeClock implements Clock {
  #now: number;
  readonly #sleepers = new Set<Sleeper>();

  constructor(start = 1_800_000_000_000) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const sleeper: Sleeper = {
        at: this.#now + ms,
        wake: () => {
          this.#sleepers.delete(sleeper);
          signal?.removeEventListener('abort', sleeper.wake);
          resolve();
        },
      };
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', sleeper.wake, { once: true });
    });
  }

  /** Moves time on by `ms`, waking each sleeper at its moment; what they start is done first. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settled();
    for (;;) {
      const next = [...this.#sleepers].sort((a, b) => a.at - b.at)[0];
      if (next === undefined || next.at > end) break;
      this.#now = Math.max(this.#now, next.at);
      next.wake();
      await settled();
    }
    this.#now = end;
    await settled();
  }
}
