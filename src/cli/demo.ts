import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { secretsOf } from '../bridge/config.ts';
import { createLog } from '../bridge/log.ts';
import { prepareStateDir } from '../bridge/state-dir.ts';
import { type DemoBridge, playDemo } from '../demo/demo.ts';
import type { Stage } from '../demo/stage.ts';
import type { CliDeps } from './cli-deps.ts';
import { EXIT } from './exit-codes.ts';
import { pageLink } from './page-note.ts';

/** The usual port of the page where it is free, else any. */
const freePort = (wanted: number): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(0));
    server.listen(wanted, '127.0.0.1', () => server.close(() => resolve(wanted)));
  });

const usualPort = 4317;
/** How often it is looked whether whoever started the demo is still there, ms. */
const parentCheck = 500;

/** JSON strings are YAML strings; a `$` in a temporary path must not look like a variable. */
const quoted = (path: string): string => JSON.stringify(path.replaceAll('${', '$${'));

const configText = (stage: Stage, port: number): string =>
  [
    `stateDir: ${quoted(stage.stateDir)}`,
    `claudeCode: { configDir: ${quoted(stage.configDir)} }`,
    `tmux: { sockets: [${quoted(stage.socket)}] }`,
    `web: { port: ${port} }`,
    '',
  ].join('\n');

const startBridge = async (stage: Stage, deps: CliDeps): Promise<DemoBridge> => {
  const file = join(stage.root, 'afk-bridge.yaml');
  writeFileSync(file, configText(stage, await freePort(usualPort)), { mode: 0o600 });
  const { config } = deps.load(file);
  const stateDir = prepareStateDir(config.stateDir);
  const logFile = join(stateDir.path, 'afk-bridge.log');
  const log = createLog({ level: 'info', file: logFile, secrets: secretsOf(config) });
  const bridge = deps.makeBridge(config, stateDir, log);
  try {
    const { url, token } = await bridge.start();
    // Shown wherever the output goes: this token opens scripted agents only and ends with them.
    return { link: pageLink(url, token), stop: () => bridge.stop() };
  } catch (error) {
    await bridge.stop();
    throw error;
  }
};

/** One Ctrl-C can arrive several times: from the terminal, and again from npm and tsx above us. */
const isSameSignalMs = 1000;

/** Aborts at a signal, or when the process that started this one is gone. A later signal ends it at once. */
const untilLeft = (deps: CliDeps): { readonly signal: AbortSignal; release(): void } => {
  const control = new AbortController();
  let leftAt: number | undefined;
  const leave = (): void => {
    leftAt ??= deps.clock.now();
    control.abort();
  };
  const forget = deps.onSignal(() => {
    if (leftAt === undefined) deps.terminal.say('ending the demo; once more to end at once');
    else if (deps.clock.now() - leftAt > isSameSignalMs) deps.exit(EXIT.hurried);
    leave();
  });
  const parent = process.ppid;
  const timer = setInterval(() => process.ppid !== parent && leave(), parentCheck);
  return {
    signal: control.signal,
    release: () => {
      forget();
      clearInterval(timer);
    },
  };
};

/** `afk-bridge demo`: three scripted agents and a bridge that shows them; nothing of it stays. */
export const demo = async (deps: CliDeps): Promise<void> => {
  const left = untilLeft(deps);
  try {
    await playDemo(
      {
        startBridge: (stage) => startBridge(stage, deps),
        say: (line) => deps.terminal.print(line),
        tmux: {},
        tempDir: tmpdir(),
      },
      left.signal,
    );
  } finally {
    left.release();
  }
};
