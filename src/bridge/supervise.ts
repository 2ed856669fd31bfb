import type { Clock } from './ports/clock.ts';
import type { Log } from './ports/log.ts';

/** A part of the bridge that goes on until its signal aborts. */
export interface Loop {
  readonly name: string;
  /** Without a `beat` for this long, in ms, the loop is unhealthy. 0: it has nothing to beat for. */
  readonly deadlineMs: number;
  /** Ends soon after the signal aborts. An earlier end or a rejection is a fault: it is started again. */
  run(signal: AbortSignal, beat: () => void): Promise<void>;
}

export interface LoopHealth {
  readonly name: string;
  readonly isHealthy: boolean;
  /** A sentence for the operator. */
  readonly detail: string;
  readonly restarts: number;
  /** ms since the epoch. */
  readonly lastBeatAt: number;
}

export interface SuperviseDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Told of every restart, for the metrics. */
  readonly onRestart?: (loop: string) => void;
}

export const FIRST_BACKOFF_MS = 500;
export const MAX_BACKOFF_MS = 60_000;
/** A loop that ran this long is taken to have recovered: its next fault starts at the first backoff. */
export const RECOVERED_AFTER_MS = 120_000;
/** A shutdown takes no longer. */
export const STOP_WITHIN_MS = 5_000;

interface Running {
  readonly loop: Loop;
  done: Promise<void>;
  isDone: boolean;
  restarts: number;
  lastBeatAt: number;
  /** Of the last end, while it waits to be started again. */
  fault: string | undefined;
}

/** Starts loops, starts them again after a fault, knows which of them make progress, stops them together. */
export class Supervisor {
  readonly #deps: SuperviseDeps;
  readonly #abort = new AbortController();
  readonly #running: Running[] = [];

  constructor(deps: SuperviseDeps) {
    this.#deps = deps;
  }

  start(loop: Loop): void {
    const running: Running = {
      loop,
      done: Promise.resolve(),
      isDone: false,
      restarts: 0,
      lastBeatAt: this.#deps.clock.now(),
      fault: undefined,
    };
    this.#running.push(running);
    running.done = this.#keepGoing(running).finally(() => {
      running.isDone = true;
    });
  }

  health(): readonly LoopHealth[] {
    const now = this.#deps.clock.now();
    return this.#running.map(({ loop, restarts, lastBeatAt, fault }) => {
      const silentMs = now - lastBeatAt;
      const isLate = loop.deadlineMs > 0 && silentMs > loop.deadlineMs;
      const detail =
        fault !== undefined
          ? `stopped and will be started again: ${fault}`
          : isLate
            ? `no progress for ${Math.round(silentMs / 1000)} s`
            : 'running';
      return {
        name: loop.name,
        isHealthy: fault === undefined && !isLate,
        detail,
        restarts,
        lastBeatAt,
      };
    });
  }

  /** Stops all loops. Gives the names of those that had not ended in time; they are left behind. */
  async stop(): Promise<readonly string[]> {
    this.#abort.abort();
    const late = new AbortController();
    await Promise.race([
      Promise.all(this.#running.map((running) => running.done)),
      this.#deps.clock.sleep(STOP_WITHIN_MS, late.signal),
    ]);
    late.abort();
    return this.#running.filter(({ isDone }) => !isDone).map(({ loop }) => loop.name);
  }

  async #keepGoing(running: Running): Promise<void> {
    const { clock, log, onRestart } = this.#deps;
    const { signal } = this.#abort;
    const { loop } = running;
    let backoffMs = FIRST_BACKOFF_MS;
    while (!signal.aborted) {
      const began = clock.now();
      running.lastBeatAt = began;
      running.fault = undefined;
      const fault = await this.#runOnce(running, signal);
      if (signal.aborted) return;
      running.fault = fault instanceof Error ? fault.message : String(fault);
      if (clock.now() - began >= RECOVERED_AFTER_MS) backoffMs = FIRST_BACKOFF_MS;
      log.error({ loop: loop.name, err: fault, backoffMs }, 'a loop ended and is started again');
      await clock.sleep(backoffMs, signal);
      if (signal.aborted) return;
      backoffMs = Math.min(backoffMs * 2, MAX_BACKOFF_MS);
      running.restarts += 1;
      onRestart?.(loop.name);
    }
  }

  /** What ended the loop; it never rejects. */
  async #runOnce(running: Running, signal: AbortSignal): Promise<unknown> {
    try {
      await running.loop.run(signal, () => {
        running.lastBeatAt = this.#deps.clock.now();
      });
      return new Error('it ended although nothing asked it to');
    } catch (error) {
      return error;
    }
  }
}
