import { makeBridge } from './compose.ts';
import { processDeps } from './process-deps.ts';
import { runProgram } from './program.ts';

/** The whole program; the result is the exit code. */
export const runMain = (argv: readonly string[]): Promise<number> =>
  runProgram(
    argv,
    processDeps((config, stateDir, log) => makeBridge(config, stateDir, log)),
  );
