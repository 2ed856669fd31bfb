import { findHolder } from '../bridge/instance-lock.ts';
import type { RunHandle } from '../bridge/model/run-state.ts';
import {
  type AgentProvider,
  isRunCommands,
  isScreenInspector,
} from '../bridge/ports/agent-provider.ts';
import { prepareStateDir } from '../bridge/state-dir.ts';
import type { CliDeps, GlobalOptions } from './cli-deps.ts';
import { CliError } from './exit-codes.ts';
import { findRun } from './find-run.ts';
import { readPageNote } from './page-note.ts';
import { type Snapshot, snapshots } from './snapshot.ts';
import { columns, oneLine, shortPath, span } from './table.ts';
import { dialogLines, replyWords, stateWords } from './words.ts';

export interface StatusOptions extends GlobalOptions {
  readonly json?: boolean;
  readonly screen?: boolean;
}

type Row = readonly [name: string, value: string | undefined];

const printRows = (rows: readonly Row[], deps: CliDeps): void => {
  const known = rows.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  for (const line of columns(known)) deps.terminal.print(line);
};

/** The bridge itself: does one run, which version, where. */
const bridgeStatus = (options: StatusOptions, deps: CliDeps): void => {
  const { config, file } = deps.load(options.config);
  const stateDir = prepareStateDir(config.stateDir);
  const holder = findHolder(stateDir.path, deps.lock);
  const note = holder === undefined ? undefined : readPageNote(stateDir.path, holder.pid);
  const status = {
    running: holder ?? null,
    runningVersion: note?.version ?? null,
    installedVersion: deps.version,
    configuration: file ?? null,
    stateDir: stateDir.path,
  };
  if (options.json === true) {
    deps.terminal.print(JSON.stringify(status, null, 2));
    return;
  }
  const isOld = note !== undefined && note.version !== deps.version;
  printRows(
    [
      [
        'bridge',
        holder === undefined
          ? 'not running (afk-bridge start)'
          : `running as process ${holder.pid} for ${span(deps.clock.now() - holder.since)}`,
      ],
      [
        'version',
        isOld
          ? `${note.version} runs, ${deps.version} is installed: restart it`
          : (note?.version ?? deps.version),
      ],
      ['configuration', file ?? 'none, everything default'],
      ['state', stateDir.path],
    ],
    deps,
  );
};

const runRows = (
  { run, seen }: Snapshot,
  provider: AgentProvider,
  deps: CliDeps,
): readonly Row[] => {
  const commands = isRunCommands(provider) ? provider : undefined;
  const ago = (at: number): string => `${span(deps.clock.now() - at)} ago`;
  return [
    ['run', run.id],
    ['title', seen?.title === undefined ? run.name : oneLine(seen.title, 100)],
    ['state', seen === undefined ? 'not readable' : stateWords(seen.state)],
    ['a reply', seen === undefined ? undefined : replyWords(seen.state)],
    ['last activity', seen === undefined ? undefined : ago(seen.lastActivityAt)],
    ['started', ago(run.startedAt)],
    ['directory', shortPath(run.cwd, deps.home)],
    ['branch', run.branch],
    ['process', `${run.pid}${run.version === undefined ? '' : `, version ${run.version}`}`],
    ['pane', run.pane === undefined ? 'outside tmux' : `${run.pane.pane} of ${run.pane.socket}`],
    ['session', run.session],
    ['transcript', seen?.transcriptPath],
    ['link', run.deepLink],
    ['attach', commands?.attachCommand(run)],
    ['resume', commands?.resumeCommand(run)],
  ];
};

const printScreen = async (
  provider: AgentProvider,
  run: RunHandle,
  deps: CliDeps,
): Promise<void> => {
  if (!isScreenInspector(provider)) {
    throw new CliError('notPossible', `${provider.displayName} has no screen to look at`);
  }
  const { screen, reading, reply } = await provider.inspect(run, new AbortController().signal);
  deps.terminal.print(`\n${screen}\n`);
  deps.terminal.print(`read as: ${reading}`);
  deps.terminal.print(`a reply: ${reply}`);
};

/** `afk-bridge status [RUN] [--screen]`. */
export const status = async (
  name: string | undefined,
  options: StatusOptions,
  deps: CliDeps,
): Promise<void> => {
  if (name === undefined) {
    if (options.screen === true) throw new CliError('usage', '--screen wants a run: status RUN');
    bridgeStatus(options, deps);
    return;
  }
  const { config } = deps.load(options.config);
  const provider = deps.makeProvider(config, prepareStateDir(config.stateDir));
  const run = findRun(await provider.discover(new AbortController().signal), name);
  const [snapshot = { run }] = await snapshots(provider, [run], deps.clock);
  const { seen } = snapshot;
  if (options.json === true) {
    const record = {
      ...snapshot.run,
      title: seen?.title ?? null,
      state: seen?.state ?? null,
      lastActivityAt: seen?.lastActivityAt ?? null,
      transcriptPath: seen?.transcriptPath ?? null,
      pendingDialog: seen?.pendingDialog ?? null,
    };
    deps.terminal.print(JSON.stringify(record, null, 2));
    return;
  }
  printRows(runRows(snapshot, provider, deps), deps);
  if (seen?.pendingDialog !== undefined) {
    const { content, isAnswerable } = seen.pendingDialog;
    deps.terminal.print(`\nopen dialog${isAnswerable ? '' : ' (to be answered at the terminal)'}:`);
    for (const line of dialogLines(content)) deps.terminal.print(`  ${line}`);
  }
  if (options.screen === true) await printScreen(provider, snapshot.run, deps);
};
