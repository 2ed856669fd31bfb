import type { ThreadId } from '../model/ids.ts';

/** Threads that are remembered; one that is forgotten counts as one that had no turn yet. */
const most = 5_000;

/** Whose turn was when, so that a thread with much to say does not keep others waiting. */
export class Turns {
  readonly #turns = new Map<ThreadId, number>();
  #count = 0;

  had(thread: ThreadId): void {
    this.#turns.delete(thread);
    this.#turns.set(thread, ++this.#count);
    const [oldest] = this.#turns.keys();
    if (this.#turns.size > most && oldest !== undefined) this.#turns.delete(oldest);
  }

  /** 0: none that is remembered. */
  last(thread: ThreadId): number {
    return this.#turns.get(thread) ?? 0;
  }
}
