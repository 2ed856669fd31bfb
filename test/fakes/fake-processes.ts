import type {
  ProcessEnvironment,
  Processes,
  ProcessStat,
} from '../../src/provider/claude-code/processes.ts';

export interface FakeProcess {
  readonly pid: number;
  readonly ppid?: number;
  readonly start?: string;
  readonly state?: string;
  readonly tty?: string;
  readonly command?: string;
  readonly argv?: readonly string[];
  readonly cwd?: string;
  readonly environment?: ProcessEnvironment;
  readonly group?: number;
  readonly foregroundGroup?: number;
}

/** A process table that a test writes. */
export class FakeProcesses implements Processes {
  readonly #table = new Map<number, FakeProcess>();
  /** How often a process's environment was read. */
  environmentReads = 0;

  run(process: FakeProcess): void {
    this.#table.set(process.pid, process);
  }

  end(pid: number): void {
    this.#table.delete(pid);
  }

  async pids(): Promise<readonly number[]> {
    return [...this.#table.keys()];
  }

  async stat(pid: number): Promise<ProcessStat | undefined> {
    const process = this.#table.get(pid);
    return (
      process && {
        pid,
        ppid: process.ppid ?? 1,
        start: process.start ?? `${pid}00`,
        startedAt: 1_800_000_000_000 + pid,
        state: process.state ?? 'S',
        group: process.group ?? pid,
        foregroundGroup: process.foregroundGroup ?? process.group ?? pid,
        tty: process.tty ?? '',
        command: process.command ?? 'bash',
      }
    );
  }

  async environment(pid: number): Promise<ProcessEnvironment> {
    this.environmentReads += 1;
    return this.#table.get(pid)?.environment ?? {};
  }

  async argv(pid: number): Promise<readonly string[]> {
    const process = this.#table.get(pid);
    return process?.argv ?? [process?.command ?? ''];
  }

  async cwd(pid: number): Promise<string | undefined> {
    return this.#table.get(pid)?.cwd;
  }

  isSame(stat: ProcessStat, entry: { readonly procStart: string }): boolean {
    return stat.start === entry.procStart;
  }
}
