import type { RunHandle } from '../../bridge/model/run-state.ts';
import { ancestry, isAlive, type Processes, reachesTerminal } from './processes.ts';
import type { ProcessSight } from './readiness.ts';

const GONE: ProcessSight = { isAlive: false, isStopped: false, isInFront: false };

/** What the system says of the run's process now; `tty`: the pane's terminal, where it is known (R3). */
export const sightOf = async (
  processes: Processes,
  run: RunHandle,
  tty: string | undefined,
): Promise<ProcessSight> => {
  const stat = await processes.stat(run.pid);
  if (!isAlive(stat) || stat.start !== run.procStart) return GONE;
  const chain = await ancestry(processes, stat);
  return {
    isAlive: true,
    isStopped: stat.state === 'T' || stat.state === 't',
    isInFront: tty !== undefined && reachesTerminal(chain, tty) === 'in-front',
  };
};
