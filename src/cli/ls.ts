import type { Config } from '../bridge/config.ts';
import { findHolder } from '../bridge/instance-lock.ts';
import { isShown } from '../bridge/model/run-match.ts';
import { prepareStateDir } from '../bridge/state-dir.ts';
import type { CliDeps, GlobalOptions } from './cli-deps.ts';
import { readPageNote } from './page-note.ts';
import { type Snapshot, snapshots } from './snapshot.ts';
import { columns, oneLine, shortPath, span } from './table.ts';
import { stateWords } from './words.ts';

export interface LsOptions extends GlobalOptions {
  readonly json?: boolean;
}

const rowOf = ({ run, seen }: Snapshot, config: Config, deps: CliDeps): readonly string[] => [
  run.id,
  seen === undefined ? 'not readable' : stateWords(seen.state),
  seen === undefined ? '' : span(deps.clock.now() - seen.lastActivityAt),
  run.pane?.pane ?? '',
  shortPath(run.cwd, deps.home) + (run.branch === undefined ? '' : ` (${run.branch})`),
  (isShown(config.runs.rules, run) ? '' : 'private: not shown; ') +
    oneLine(seen?.title ?? run.name ?? '', 60),
];

const recordOf = ({ run, seen }: Snapshot, config: Config) => ({
  ...run,
  title: seen?.title ?? null,
  state: seen?.state ?? null,
  lastActivityAt: seen?.lastActivityAt ?? null,
  isShown: isShown(config.runs.rules, run),
});

/** `afk-bridge ls`: the runs there are now, and where the page is. */
export const ls = async (options: LsOptions, deps: CliDeps): Promise<void> => {
  const { config } = deps.load(options.config);
  const stateDir = prepareStateDir(config.stateDir);
  const provider = deps.makeProvider(config, stateDir);
  const runs = await provider.discover(new AbortController().signal);
  const seen = await snapshots(provider, runs, deps.clock);
  const holder = findHolder(stateDir.path, deps.lock);
  const link = holder === undefined ? undefined : readPageNote(stateDir.path, holder.pid)?.link;
  const { terminal } = deps;
  if (options.json === true) {
    const records = seen.map((snapshot) => recordOf(snapshot, config));
    terminal.print(JSON.stringify({ runs: records, page: link ?? null }, null, 2));
    return;
  }
  if (seen.length === 0) {
    terminal.print('no runs: start Claude Code in any tmux pane of this user, or:');
    terminal.print('  afk-bridge run -- claude');
  } else {
    const head = ['RUN', 'STATE', 'ACTIVE', 'PANE', 'DIRECTORY', 'TITLE'];
    const rows = seen.map((snapshot) => rowOf(snapshot, config, deps));
    for (const line of columns([head, ...rows])) terminal.print(line);
  }
  terminal.print(
    holder === undefined
      ? 'page: no bridge is running (afk-bridge start)'
      : `page: ${link ?? 'starting'}`,
  );
};
