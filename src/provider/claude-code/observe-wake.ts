import type { Clock } from '../../bridge/ports/clock.ts';
import type { FileHints } from './watch.ts';

/** Sleeps between looks; a hint that came since the last look ends the sleep, or spares it. */
export class Wake {
  readonly #clock: Clock;
  readonly #hints: FileHints | undefined;
  readonly #listening = new Map<string, () => void>();
  #isRung = false;
  #nap: AbortController | undefined;

  constructor(deps: { readonly clock: Clock; readonly hints?: FileHints | undefined }) {
    this.#clock = deps.clock;
    this.#hints = deps.hints;
  }

  /** Listens to these files and to no others. */
  listen(paths: readonly string[]): void {
    for (const [path, stop] of this.#listening) {
      if (paths.includes(path)) continue;
      stop();
      this.#listening.delete(path);
    }
    if (this.#hints === undefined) return;
    for (const path of paths) {
      if (!this.#listening.has(path)) {
        this.#listening.set(path, this.#hints.listen(path, this.#ring));
      }
    }
  }

  /** At most `ms`. */
  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.#isRung && !signal.aborted) {
      const nap = new AbortController();
      const wake = (): void => nap.abort();
      this.#nap = nap;
      signal.addEventListener('abort', wake, { once: true });
      await this.#clock.sleep(ms, nap.signal);
      signal.removeEventListener('abort', wake);
      this.#nap = undefined;
    }
    this.#isRung = false;
  }

  stop(): void {
    this.listen([]);
  }

  readonly #ring = (): void => {
    this.#isRung = true;
    this.#nap?.abort();
  };
}
