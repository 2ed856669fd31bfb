import type { RunHandle } from '../bridge/model/run-state.ts';
import type { AgentProvider, Observation } from '../bridge/ports/agent-provider.ts';
import type { Clock } from '../bridge/ports/clock.ts';

export interface Snapshot {
  readonly run: RunHandle;
  /** Absent: it could not be read in time. */
  readonly seen?: Observation;
}

const WITHIN_MS = 5_000;

/** The first observation of a run: what it does now. */
const glance = async (
  provider: AgentProvider,
  run: RunHandle,
  signal: AbortSignal,
): Promise<Observation | undefined> => {
  for await (const seen of provider.observe(run, undefined, signal)) return seen;
  return undefined;
};

/** Looks at runs once, all at the same time; one that cannot be read does not hold up the others. */
export const snapshots = async (
  provider: AgentProvider,
  runs: readonly RunHandle[],
  clock: Clock,
): Promise<readonly Snapshot[]> => {
  const enough = new AbortController();
  const late = clock.sleep(WITHIN_MS, enough.signal).then(() => undefined);
  try {
    return await Promise.all(
      runs.map(async (run): Promise<Snapshot> => {
        const look = glance(provider, run, enough.signal).catch(() => undefined);
        const seen = await Promise.race([look, late]);
        return seen === undefined ? { run } : { run: seen.run, seen };
      }),
    );
  } finally {
    enough.abort();
  }
};
