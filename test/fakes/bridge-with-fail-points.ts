import { makeBridge } from '../../src/cli/compose.ts';
import { processDeps } from '../../src/cli/process-deps.ts';
import { runProgram } from '../../src/cli/program.ts';

/**
 * The bridge's own command with one difference: at the named point (`AFK_TEST_FAIL_POINT`, its Nth
 * time by `name#N`) the process ends itself by SIGKILL, as a power cut would.
 */
const [point, times] = (process.env.AFK_TEST_FAIL_POINT ?? '').split('#');
let left = Number(times ?? 1);
const failPoint = (name: string): void => {
  if (name !== point) return;
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
};

process.exitCode = await runProgram(
  process.argv.slice(2),
  processDeps((config, stateDir, log) => makeBridge(config, stateDir, log, { failPoint })),
);
