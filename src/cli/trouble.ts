import type { Clock } from '../bridge/ports/clock.ts';
import type { Log } from '../bridge/ports/log.ts';

/** What is said of something that could not be looked at this time; it will be again. */
export type OnProblem = (what: string, error: unknown) => void;

/** ms; a tmux server that hangs is asked every few seconds, and would fill the log. */
const AGAIN_AFTER_MS = 10 * 60_000;

/** Warns of a trouble once, and of the same one again only after ten minutes; in between it is debug. */
export const warnSparingly = (deps: { readonly log: Log; readonly clock: Clock }): OnProblem => {
  const toldAt = new Map<string, number>();
  return (what, error) => {
    const now = deps.clock.now();
    for (const [known, at] of toldAt) if (now - at >= AGAIN_AFTER_MS) toldAt.delete(known);
    if (toldAt.has(what)) {
      deps.log.debug({ err: error }, what);
      return;
    }
    toldAt.set(what, now);
    deps.log.warn({ err: error }, what);
  };
};
