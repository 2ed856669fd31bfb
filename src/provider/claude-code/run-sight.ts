import type { RunHandle } from '../../bridge/model/run-state.ts';
import { ancestry, isAlive, type Processes, reachesTerminal } from './processes.ts';
import type { ProcessSight } from './readiness.ts';
import type { Registry, RegistryReading } from './registry.ts';

/** The agent writes its file while it starts; so far its time may be from the process's own. */
const START_SLACK_MS = 15_000;

/** The registry file of this very run, read now: a file of a later process of the same number is none of it. */
export const registryOf =
  (registry: Registry, defaultConfigDir: string) =>
  async (run: RunHandle): Promise<RegistryReading> => {
    const reading = await registry.read(run.configDir ?? defaultConfigDir, run.pid);
    if (typeof reading === 'string' || reading.procStart === run.procStart) return reading;
    // Where process starts are not counted in ticks (no /proc) the two times must agree.
    const isNear = Math.abs(reading.startedAt - run.startedAt) < START_SLACK_MS;
    return isNear ? reading : 'absent';
  };

/** The process of this very run, asked now. `tty`: of its pane; without one its own terminal counts. */
export const processOf =
  (processes: Processes) =>
  async (run: RunHandle, tty: string | undefined): Promise<ProcessSight> => {
    const stat = await processes.stat(run.pid);
    if (!isAlive(stat) || stat.start !== run.procStart)
      return { isAlive: false, isStopped: false, isInFront: false };
    const chain = await ancestry(processes, stat);
    return {
      isAlive: true,
      isStopped: stat.state === 'T' || stat.state === 't',
      isInFront: reachesTerminal(chain, tty ?? stat.tty) === 'in-front',
    };
  };
