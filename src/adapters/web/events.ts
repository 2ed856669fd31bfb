import type { Handler } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { RunId } from '../../bridge/model/ids.ts';
import type { Clock } from '../../bridge/ports/clock.ts';
import type { ChangeFeed } from '../../bridge/ports/run-reader.ts';
import { problem } from './guard.ts';

const HEARTBEAT_MS = 15_000;
/** What changes within this time is told once. */
const GATHER_MS = 40;
const MAX_LISTENERS = 64;

/**
 * `GET /api/events`: `hello` at once, then `run` with an id, `list`, and `beat`. Only that
 * something changed, never what: the page reads it. A page that reconnects reads everything anew.
 */
export const streamEvents = (deps: {
  readonly changes: ChangeFeed;
  readonly clock: Clock;
  /** Aborts when the server stops. */
  readonly signal: AbortSignal;
}): Handler => {
  let listeners = 0;
  return (c) => {
    // HEAD is routed here too; its stream is never read, so it would be counted for ever.
    if (c.req.method !== 'GET') return problem(c, 405, 'method', 'Only GET is possible here.');
    if (listeners >= MAX_LISTENERS) {
      return problem(c, 503, 'too-many', 'Too many pages are open at once.');
    }
    listeners += 1;
    return streamSSE(c, async (stream) => {
      const gone = new AbortController();
      const signal = AbortSignal.any([gone.signal, deps.signal]);
      const changed = new Set<RunId | undefined>();
      let wake: () => void = () => {};
      const unsubscribe = deps.changes.subscribe((run) => {
        changed.add(run);
        wake();
      });
      stream.onAbort(() => gone.abort());
      try {
        await stream.writeSSE({ event: 'hello', data: '{}', retry: 1_000 });
        while (!signal.aborted) {
          if (changed.size === 0) {
            const nap = new AbortController();
            wake = () => nap.abort();
            await deps.clock.sleep(HEARTBEAT_MS, AbortSignal.any([signal, nap.signal]));
            if (signal.aborted) break;
            if (changed.size === 0) {
              await stream.writeSSE({ event: 'beat', data: '{}' });
              continue;
            }
            await deps.clock.sleep(GATHER_MS, signal);
          }
          const told = [...changed];
          changed.clear();
          for (const run of told) {
            await stream.writeSSE(
              run === undefined
                ? { event: 'list', data: '{}' }
                : { event: 'run', data: JSON.stringify({ run }) },
            );
          }
        }
      } finally {
        unsubscribe();
        listeners -= 1;
      }
    });
  };
};
