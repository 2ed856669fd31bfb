import { join } from 'node:path';
import { loadToken } from '../adapters/web/token.ts';
import { type Config, secretsOf } from '../bridge/config.ts';
import { fileSchema } from '../bridge/config-schema.ts';
import { acquireLock, HeldError } from '../bridge/instance-lock.ts';
import { createLog, type RootLog } from '../bridge/log.ts';
import { prepareStateDir, type StateDir } from '../bridge/state-dir.ts';
import type { BridgeProcess, CliDeps, GlobalOptions } from './cli-deps.ts';
import { CliError } from './exit-codes.ts';
import { pageLink, removePageNote, writePageNote } from './page-note.ts';
import { lockTokens } from './token-lock.ts';
import { untilSignal } from './until-signal.ts';

export interface StartOptions extends GlobalOptions {
  readonly logFile?: string;
}

const BY_DEFAULT = fileSchema.parse({});

const isChanged = (value: unknown, byDefault: unknown): boolean =>
  JSON.stringify(value) !== JSON.stringify(byDefault);

/** Keys that only chat platforms will read; their defaults are no wish of anybody. */
const unread = ({ replies }: Config): readonly string[] => [
  ...(isChanged(replies.commands, BY_DEFAULT.replies.commands) ? ['replies.commands'] : []),
  ...(isChanged(replies.attachments, BY_DEFAULT.replies.attachments)
    ? ['replies.attachments']
    : []),
];

/** What may stand in the file but is not there yet: never ignored in silence. */
export const notYet = (config: Config): readonly string[] => [
  ...unread(config).map((key) => `${key}: not built yet; remove it`),
  ...(config.runs.outsideTmux
    ? ['runs.outsideTmux: not built yet; remove it or set it to false']
    : []),
];

/** A1: platforms on which nobody may drive. */
export const readOnly = ({ slack, discord, access }: Config): readonly string[] => {
  const listed = new Set([...access.owners, ...access.drivers].map(({ platform }) => platform));
  const silent = [
    ...(slack === undefined || listed.has('slack') ? [] : ['Slack']),
    ...(discord === undefined || listed.has('discord') ? [] : ['Discord']),
  ];
  return silent.map(
    (platform) =>
      `${platform} is read-only: nobody of it stands in access.owners or access.drivers, so nobody there can reply or answer`,
  );
};

const take = (config: Config, stateDir: StateDir, deps: CliDeps): void => {
  try {
    acquireLock(stateDir.path, deps.lock);
    lockTokens(config, deps.home, deps.lock);
  } catch (error) {
    if (error instanceof HeldError) throw new CliError('held', error.userMessage ?? error.message);
    throw error;
  }
};

const greet = async (bridge: BridgeProcess, link: string, deps: CliDeps): Promise<void> => {
  const { terminal } = deps;
  const bare = link.slice(0, link.indexOf('#'));
  terminal.print(
    terminal.isTty ? `page: ${link}` : `page: ${bare} (its link with the token: afk-bridge ls)`,
  );
  const runs = await bridge.reader.list();
  if (runs.length > 0) {
    terminal.print(`runs: ${runs.length} (afk-bridge ls)`);
    return;
  }
  terminal.print('runs: none yet. Start Claude Code in any tmux pane of this user, or:');
  terminal.print('  afk-bridge run -- claude');
};

const serve = async (config: Config, stateDir: StateDir, log: RootLog, deps: CliDeps) => {
  const signal = untilSignal(deps);
  const bridge = deps.makeBridge(config, stateDir, log);
  try {
    const { url, token } = await bridge.start();
    const link = pageLink(url, token);
    writePageNote(stateDir.path, { pid: deps.lock.pid, version: deps.version, link });
    log.info({ url, version: deps.version, stateDir: stateDir.path }, 'started');
    await greet(bridge, link, deps);
    await signal.came;
  } finally {
    removePageNote(stateDir.path);
    await bridge.stop();
    signal.release();
    log.info({}, 'stopped');
  }
};

/** `afk-bridge start`: the bridge, until a signal. */
export const start = async (options: StartOptions, deps: CliDeps): Promise<void> => {
  const { config, file, warnings } = deps.load(options.config);
  const missing = notYet(config);
  if (missing.length > 0) throw new CliError('notPossible', missing.join('\n'));
  if (deps.findProgram('tmux') === undefined) {
    throw new CliError(
      'notPossible',
      'tmux is not installed or not in PATH; install it, for example by: sudo apt install tmux',
    );
  }
  const stateDir = prepareStateDir(config.stateDir);
  take(config, stateDir, deps);
  const { terminal } = deps;
  const logFile =
    options.logFile ?? (terminal.isTty ? join(stateDir.path, 'afk-bridge.log') : undefined);
  const secrets = [...secretsOf(config), loadToken(stateDir.path)];
  const log = createLog({ level: config.logLevel, file: logFile, secrets });
  terminal.print(`afk-bridge ${deps.version}`);
  terminal.print(`configuration: ${file ?? 'none, everything default'}`);
  if (logFile !== undefined) terminal.print(`log: ${logFile}`);
  for (const warning of [...warnings, ...readOnly(config)]) {
    terminal.say(`warning: ${warning}`);
    log.warn({}, warning);
  }
  await serve(config, stateDir, log, deps);
};
