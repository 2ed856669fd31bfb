import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { loadConfig, processDeps } from '../../src/bridge/config-load.ts';
import { ownProcess } from '../../src/bridge/own-process.ts';
import { systemClock } from '../../src/bridge/system-clock.ts';
import { makeBridge } from '../../src/cli/compose.ts';
import { makeProvider } from '../../src/cli/compose-provider.ts';
import { runProgram } from '../../src/cli/program.ts';
import { createTerminal } from '../../src/cli/terminal.ts';

/**
 * The bridge's own command with one difference: at the named point (`AFK_TEST_FAIL_POINT`, its Nth
 * time by `name:N` …) the process ends itself by SIGKILL, as a power cut would.
 */
const [point, times] = (process.env.AFK_TEST_FAIL_POINT ?? '').split('#');
let left = Number(times ?? 1);

process.exitCode = await runProgram(process.argv.slice(2), {
  version: JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version,
  home: homedir(),
  cwd: process.cwd(),
  terminal: createTerminal({ out: process.stdout, err: process.stderr }),
  clock: systemClock,
  lock: ownProcess(() => systemClock.now()),
  load: (asked) => loadConfig(asked, processDeps()),
  makeProvider: (config, stateDir) =>
    makeProvider(config, stateDir, { onProblem: () => undefined }).provider,
  makeBridge: (config, stateDir, log) =>
    makeBridge(config, stateDir, log, {
      failPoint: (name) => {
        if (name !== point) return;
        left -= 1;
        if (left === 0) process.kill(process.pid, 'SIGKILL');
      },
    }),
  onSignal: (listener) => {
    process.on('SIGTERM', listener);
    return () => process.off('SIGTERM', listener);
  },
  exit: (code) => process.exit(code),
});
