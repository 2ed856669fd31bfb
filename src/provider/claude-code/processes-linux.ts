import { readFileSync } from 'node:fs';
import { readdir, readFile, readlink } from 'node:fs/promises';
import {
  ENVIRONMENT_NAMES,
  type ProcessEnvironment,
  type Processes,
  type ProcessStat,
} from './processes.ts';

/** USER_HZ: 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** A process that is gone or belongs to someone else: no answer, and no error. */
const orUndefined = async <T>(read: Promise<T>): Promise<T | undefined> => {
  try {
    return await read;
  } catch {
    return undefined;
  }
};

/**
 * When the system was booted, ms since the epoch. `btime` counts whole seconds; the time since then is
 * known better. What a fork copied is told from its own rows by a process's start, so it matters.
 */
export const bootTime = (stat: string, uptime: string, now: number): number => {
  const seconds = Number(/^btime (\d+)$/m.exec(stat)?.[1] ?? 0);
  const since = Number.parseFloat(uptime);
  const fine = Number.isNaN(since) ? 0 : now - since * 1000;
  return Math.min(Math.max(fine, seconds * 1000), seconds * 1000 + 999);
};

/** Reads /proc. `root` is another directory of the same shape in tests. */
export class LinuxProcesses implements Processes {
  readonly #root: string;
  readonly #bootedAt: number;

  constructor(root = '/proc') {
    this.#root = root;
    const [stat, uptime] = ['stat', 'uptime'].map((name) =>
      readFileSync(`${root}/${name}`, 'utf8'),
    );
    this.#bootedAt = bootTime(stat ?? '', uptime ?? '', Date.now());
  }

  async pids(): Promise<readonly number[]> {
    return (await readdir(this.#root)).filter((name) => /^\d+$/.test(name)).map(Number);
  }

  async stat(pid: number): Promise<ProcessStat | undefined> {
    // Synchronous on purpose: /proc/PID/stat never blocks, and 100 of them are read per tick.
    try {
      return parseStat(readFileSync(`${this.#root}/${pid}/stat`, 'utf8'), this.#bootedAt);
    } catch {
      return undefined;
    }
  }

  async environment(pid: number): Promise<ProcessEnvironment> {
    const text = await orUndefined(readFile(`${this.#root}/${pid}/environ`, 'utf8'));
    const pairs = (text ?? '').split('\0').map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at), pair.slice(at + 1)] as const;
    });
    const wanted: readonly string[] = ENVIRONMENT_NAMES;
    return Object.fromEntries(pairs.filter(([name, value]) => wanted.includes(name) && value));
  }

  async argv(pid: number): Promise<readonly string[]> {
    const text = await orUndefined(readFile(`${this.#root}/${pid}/cmdline`, 'utf8'));
    return (text ?? '').split('\0').slice(0, -1);
  }

  cwd(pid: number): Promise<string | undefined> {
    return orUndefined(readlink(`${this.#root}/${pid}/cwd`));
  }

  isSame(stat: ProcessStat, entry: { readonly procStart: string }): boolean {
    return stat.start === entry.procStart;
  }
}

/** proc(5); the program's name stands in brackets and can hold anything, brackets too. */
export const parseStat = (text: string, bootedAt: number): ProcessStat | undefined => {
  const match = /^(\d+) \((.*)\) (\S) (.*)$/s.exec(text.trimEnd());
  if (match === null) return undefined;
  const [, pid, command = '', state = '', rest = ''] = match;
  const fields = rest.split(' ');
  const start = fields[18];
  if (start === undefined) return undefined;
  return {
    pid: Number(pid),
    ppid: Number(fields[0]),
    start,
    startedAt: bootedAt + (Number(start) * 1000) / TICKS_PER_SECOND,
    state,
    group: Number(fields[1]),
    foregroundGroup: Number(fields[4]),
    tty: terminalName(Number(fields[3])),
    command,
  };
};

/** Device number of a terminal → its path, as tmux names it (Documentation/admin-guide/devices.txt). */
const terminalName = (device: number): string => {
  const major = (device >> 8) & 0xfff;
  const minor = (device & 0xff) | ((device >> 12) & 0xfff00);
  if (device === 0) return '';
  if (major >= 136 && major <= 143) return `/dev/pts/${(major - 136) * 256 + minor}`;
  return major === 4 ? `/dev/tty${minor}` : `device ${device}`;
};
