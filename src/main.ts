#!/usr/bin/env node
import { makeBridge } from './cli/compose.ts';
import { processDeps } from './cli/process-deps.ts';
import { runProgram } from './cli/program.ts';

process.exitCode = await runProgram(
  process.argv.slice(2),
  processDeps((config, stateDir, log) => makeBridge(config, stateDir, log)),
);
