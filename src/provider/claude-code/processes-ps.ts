import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Clock } from '../../bridge/ports/clock.ts';
import type { ProcessEnvironment, Processes, ProcessStat } from './processes.ts';

const run = promisify(execFile);

const FORMAT = 'pid=,ppid=,pgid=,tpgid=,tty=,stat=,lstart=,ucomm=';

/** How far the registry's time may be from the process's: the agent writes it while it starts. */
const START_SLACK_MS = 15_000;
const INSTANT_MS = 100;

/**
 * The same by `ps`, where there is no /proc (macOS). Untested on a real one: the environment and
 * the working directory stay unknown, so only configured directories and sockets are seen, and a
 * reused pid is told by the time of its start alone.
 */
export class PsProcesses implements Processes {
  #taken:
    | { readonly at: number; readonly stats: Promise<ReadonlyMap<number, ProcessStat>> }
    | undefined;
  readonly #clock: Clock;

  constructor(deps: { readonly clock: Clock }) {
    this.#clock = deps.clock;
  }

  async pids(): Promise<readonly number[]> {
    return [...(await this.#all()).keys()];
  }

  async stat(pid: number): Promise<ProcessStat | undefined> {
    return (await this.#all()).get(pid);
  }

  environment(): Promise<ProcessEnvironment> {
    return Promise.resolve({});
  }

  async argv(pid: number): Promise<readonly string[]> {
    const out = await output(['-ww', '-o', 'args=', '-p', String(pid)]);
    return out.trim().split(/\s+/).filter(Boolean);
  }

  cwd(): Promise<string | undefined> {
    return Promise.resolve(undefined);
  }

  isSame(stat: ProcessStat, entry: { readonly startedAt: number }): boolean {
    return Math.abs(stat.startedAt - entry.startedAt) < START_SLACK_MS;
  }

  /** One `ps` serves the questions of an instant: 100 runs must not start 300 processes. */
  #all(): Promise<ReadonlyMap<number, ProcessStat>> {
    const now = this.#clock.now();
    if (this.#taken === undefined || now - this.#taken.at > INSTANT_MS)
      this.#taken = { at: now, stats: this.#ask() };
    return this.#taken.stats;
  }

  async #ask(): Promise<ReadonlyMap<number, ProcessStat>> {
    const lines = (await output(['-ax', '-o', FORMAT])).split('\n');
    return new Map(
      lines.flatMap((line) => parsePsLine(line) ?? []).map((stat) => [stat.pid, stat]),
    );
  }
}

/** `ps` ends with 1 where it finds nobody: that is an empty answer. */
const output = async (args: readonly string[]): Promise<string> => {
  try {
    return (await run('ps', args, { env: { ...process.env, LC_ALL: 'C' }, timeout: 3000 })).stdout;
  } catch {
    return '';
  }
};

export const parsePsLine = (line: string): ProcessStat | undefined => {
  const match =
    /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(-?\d+)\s+(\S+)\s+(\S)\S*\s+(\w+\s+\w+\s+\d+\s+[\d:]+\s+\d+)\s+(.*)$/.exec(
      line,
    );
  if (match === null) return undefined;
  const [, pid, ppid, group, foreground, tty = '', state = '', started = '', command = ''] = match;
  const startedAt = Date.parse(started);
  return {
    pid: Number(pid),
    ppid: Number(ppid),
    start: String(startedAt),
    startedAt,
    state,
    group: Number(group),
    foregroundGroup: Number(foreground),
    tty: tty.startsWith('?') || tty === '-' ? '' : `/dev/${tty}`,
    command: command.trim(),
  };
};
