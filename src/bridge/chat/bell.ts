import type { Clock } from '../ports/clock.ts';

/** Wakes a loop that waits; a ring while nobody waits is not lost. */
export class Bell {
  #isRung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#isRung = true;
    this.#wake?.();
  }

  /** Resolves at the next ring, after `ms`, or when the signal aborts. */
  async wait(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
    if (this.#isRung || signal.aborted) {
      this.#isRung = false;
      return;
    }
    const nap = new AbortController();
    const end = (): void => nap.abort();
    this.#wake = end;
    signal.addEventListener('abort', end, { once: true });
    await clock.sleep(ms, nap.signal);
    signal.removeEventListener('abort', end);
    this.#wake = undefined;
    this.#isRung = false;
  }
}
