import { readFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { loadConfig, processDeps as loadDeps } from '../bridge/config-load.ts';
import { ownProcess } from '../bridge/own-process.ts';
import { systemClock } from '../bridge/system-clock.ts';
import { hookSocketPath } from '../provider/claude-code/hook-socket.ts';
import { terminalAsker } from './asker.ts';
import type { CliDeps } from './cli-deps.ts';
import { platformChecks } from './compose-checks.ts';
import { playOnThisMachine } from './compose-contract.ts';
import { makeProvider } from './compose-provider.ts';
import { findProgram } from './find-program.ts';
import { thisMachine } from './machine.ts';
import { createTerminal } from './terminal.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const versionOf = (packageFile: URL): string => {
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };
  return version;
};

/** What commands touch, of this very process. */
export const processDeps = (makeBridge: CliDeps['makeBridge']): CliDeps => ({
  version: versionOf(new URL('../../package.json', import.meta.url)),
  home: homedir(),
  cwd: process.cwd(),
  terminal: createTerminal({ out: process.stdout, err: process.stderr }),
  clock: systemClock,
  lock: ownProcess(() => systemClock.now()),
  load: (asked) => loadConfig(asked, loadDeps()),
  makeProvider: (config, stateDir) =>
    makeProvider(config, stateDir, { onProblem: () => undefined }).provider,
  makeBridge,
  machine: thisMachine,
  playContract: playOnThisMachine,
  platforms: platformChecks(systemClock),
  asker: terminalAsker,
  env: process.env,
  findProgram: (name) => findProgram(name, process.env.PATH ?? ''),
  onSignal: (listener) => {
    for (const signal of SIGNALS) process.on(signal, listener);
    return () => {
      for (const signal of SIGNALS) process.off(signal, listener);
    };
  },
  exit: (code) => process.exit(code),
  program: [process.execPath, ...process.execArgv, process.argv[1] ?? ''],
  hookSocket: (stateDir) => hookSocketPath(stateDir, tmpdir(), process.getuid?.() ?? 0),
});
