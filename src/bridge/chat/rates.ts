import type { ActorId } from '../model/ids.ts';

/** More in a minute is no person's pace (A3). */
export const MOST_PER_MINUTE = 30;
const MINUTE_MS = 60_000;

export type Pace = 'fine' | 'too-fast' | 'still-too-fast';

/** How fast each person goes, by when they did it; forgotten at a restart. */
export class Rates {
  readonly #times = new Map<ActorId, { at: number[]; isTold: boolean }>();

  /** Counts one act. `at`: ms since the epoch, by the platform. */
  note(actor: ActorId, at: number): Pace {
    const known = this.#times.get(actor);
    const recent = (known?.at ?? []).filter((time) => time > at - MINUTE_MS);
    if (recent.length < MOST_PER_MINUTE) {
      this.#times.delete(actor);
      this.#times.set(actor, { at: [...recent, at], isTold: false });
      for (const oldest of this.#times.keys()) {
        if (this.#times.size <= 1_000) break;
        this.#times.delete(oldest);
      }
      return 'fine';
    }
    if (known?.isTold === true) return 'still-too-fast';
    this.#times.set(actor, { at: recent, isTold: true });
    return 'too-fast';
  }
}
