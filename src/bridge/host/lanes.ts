import type { RunId } from '../model/ids.ts';

interface Lane {
  isTaken: boolean;
  readonly control: (() => void)[];
  readonly replies: (() => void)[];
}

/**
 * One at a time types into a run (D8). Control (answers, interrupts) goes before every waiting reply
 * and waits at most for keys that are under way. Different runs never wait for each other.
 */
export class Lanes {
  readonly #lanes = new Map<RunId, Lane>();

  async alone<T>(run: RunId, kind: 'control' | 'reply', work: () => Promise<T>): Promise<T> {
    const lane = this.#lanes.get(run) ?? { isTaken: false, control: [], replies: [] };
    this.#lanes.set(run, lane);
    if (lane.isTaken) {
      await new Promise<void>((resolve) => {
        (kind === 'control' ? lane.control : lane.replies).push(resolve);
      });
    }
    lane.isTaken = true;
    try {
      return await work();
    } finally {
      const next = lane.control.shift() ?? lane.replies.shift();
      if (next === undefined) this.#lanes.delete(run);
      else next();
    }
  }
}
