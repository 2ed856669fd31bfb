import type { Clock } from '../../bridge/ports/clock.ts';
import type { Log } from '../../bridge/ports/log.ts';

export interface QueueDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

const firstPause = 250;
const longestPause = 30_000;
const mostWaiting = 1_000;
/** About an hour: what cannot be stored for so long must not hold back all that came after it. */
const mostTries = 120;

/**
 * Does one thing after the other for each channel, and each until it is done: Discord does not send
 * a message again because it could not be stored.
 */
export class DeliveryQueue {
  readonly #deps: QueueDeps;
  readonly #tails = new Map<string, Promise<void>>();
  #waiting = 0;

  constructor(deps: QueueDeps) {
    this.#deps = deps;
  }

  /** @returns false: too much waits already; it has to be read back later. */
  add(channel: string, act: () => Promise<void>): boolean {
    if (this.#waiting >= mostWaiting) return false;
    this.#waiting++;
    const before = this.#tails.get(channel) ?? Promise.resolve();
    const tail = before
      .then(() => this.#untilDone(act))
      .finally(() => {
        this.#waiting--;
        if (this.#tails.get(channel) === tail) this.#tails.delete(channel);
      });
    this.#tails.set(channel, tail);
    return true;
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    await Promise.all(this.#tails.values());
  }

  async #untilDone(act: () => Promise<void>): Promise<void> {
    const { clock, log, signal } = this.#deps;
    for (let n = 1; !signal.aborted; n++) {
      try {
        await act();
        return;
      } catch (error) {
        if (n === mostTries) {
          log.error({ err: error, tries: n }, 'what came from Discord is given up');
          return;
        }
        log.debug({ err: error, tries: n }, 'what came from Discord is tried again');
      }
      await clock.sleep(Math.min(longestPause, firstPause * 2 ** Math.min(n - 1, 10)), signal);
    }
  }
}
