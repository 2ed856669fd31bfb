import { makeBridge } from '../../src/cli/compose.ts';
import { processDeps } from '../../src/cli/process-deps.ts';
import { runProgram } from '../../src/cli/program.ts';

/**
 * `idle-child.ts imports`: only has the bridge's packages in memory and waits to be ended.
 * `idle-child.ts bridge FILE`: the shipped command `start` with this configuration.
 */
const [what, file] = process.argv.slice(2);
const deps = processDeps((config, stateDir, log) => makeBridge(config, stateDir, log));
if (what === 'bridge' && file !== undefined) {
  process.exitCode = await runProgram(['--config', file, 'start'], deps);
} else {
  setInterval(() => undefined, 60_000);
  process.stdout.write('ready\n');
}
