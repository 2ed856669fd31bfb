#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { loadConfig, processDeps } from './bridge/config-load.ts';
import { ownProcess } from './bridge/own-process.ts';
import { systemClock } from './bridge/system-clock.ts';
import { makeBridge } from './cli/compose.ts';
import { makeProvider } from './cli/compose-provider.ts';
import { runProgram } from './cli/program.ts';
import { createTerminal } from './cli/terminal.ts';

const { version } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as {
  version: string;
};

process.exitCode = await runProgram(process.argv.slice(2), {
  version,
  home: homedir(),
  cwd: process.cwd(),
  terminal: createTerminal({ out: process.stdout, err: process.stderr }),
  clock: systemClock,
  lock: ownProcess(() => systemClock.now()),
  load: (asked) => loadConfig(asked, processDeps()),
  makeProvider: (config, stateDir) =>
    makeProvider(config, stateDir, { onProblem: () => undefined }).provider,
  makeBridge: (config, stateDir, log) => makeBridge(config, stateDir, log),
  onSignal: (listener) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, listener);
    return () => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, listener);
    };
  },
  exit: (code) => process.exit(code),
});
