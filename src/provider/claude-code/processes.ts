/** One process, as the system describes it in the moment of the call. */
export interface ProcessStat {
  readonly pid: number;
  readonly ppid: number;
  /**
   * When it started, in the system's own unit: clock ticks since boot on Linux, ms since the epoch
   * elsewhere. With the pid it names one process life.
   */
  readonly start: string;
  /** ms since the epoch; some 20 ms off on Linux, up to a second early elsewhere. */
  readonly startedAt: number;
  /** `T`: stopped (Ctrl-Z). `Z`, `X`: gone. */
  readonly state: string;
  readonly group: number;
  /** Process group in the foreground of its terminal; -1 without a terminal. */
  readonly foregroundGroup: number;
  /** `/dev/pts/3`; '' without a terminal. */
  readonly tty: string;
  /** Name of the program, at most 15 characters. */
  readonly command: string;
}

/** What of a process's environment at its start is of use; nothing else is kept. */
export interface ProcessEnvironment {
  /** `socket,server pid,session`. */
  readonly TMUX?: string;
  readonly HOME?: string;
  readonly CLAUDE_CONFIG_DIR?: string;
}

/**
 * The system's processes, asked anew at each call. A process that is gone, or that may not be
 * looked into, gives `undefined` or an empty answer; nothing is thrown for it.
 */
export interface Processes {
  /** All processes, of all users. */
  pids(): Promise<readonly number[]>;
  stat(pid: number): Promise<ProcessStat | undefined>;
  environment(pid: number): Promise<ProcessEnvironment>;
  argv(pid: number): Promise<readonly string[]>;
  cwd(pid: number): Promise<string | undefined>;
  /** Whether a process is the one that a registry entry was written for, and not a later one of the same number. */
  isSame(
    stat: ProcessStat,
    entry: { readonly procStart: string; readonly startedAt: number },
  ): boolean;
}

export const ENVIRONMENT_NAMES = ['TMUX', 'HOME', 'CLAUDE_CONFIG_DIR'] as const;

export const isAlive = (stat: ProcessStat | undefined): stat is ProcessStat =>
  stat !== undefined && stat.state !== 'Z' && stat.state !== 'X';

/** Asks for each process once: for the questions of one instant, whose answers must fit each other. */
export const askingOnce = (processes: Processes): Pick<Processes, 'stat'> => {
  const asked = new Map<number, Promise<ProcessStat | undefined>>();
  return {
    stat: (pid) => {
      const stat = asked.get(pid) ?? processes.stat(pid);
      asked.set(pid, stat);
      return stat;
    },
  };
};

/** The process and its ancestors, nearest first, at most `depth`. Ends where one is gone. */
export const ancestry = async (
  processes: Pick<Processes, 'stat'>,
  stat: ProcessStat,
  depth = 16,
): Promise<readonly ProcessStat[]> => {
  const chain = [stat];
  let next = stat.ppid;
  while (next > 1 && chain.length < depth) {
    const parent = await processes.stat(next);
    if (parent === undefined) break;
    chain.push(parent);
    next = parent.ppid;
  }
  return chain;
};

/** Programs that only pass a terminal through: keys for the pane reach what runs in them. */
const PASS_THROUGH = new Set(['script', 'asciinema', 'ttyrec', 'expect', 'unbuffer']);

/**
 * Whether keys that go to a terminal reach this process and nobody else: it is in the foreground
 * of the terminal itself, or of one that programs like `script` pass through. An agent inside an
 * editor's or a multiplexer's terminal is not.
 */
export const reachesTerminal = (
  chain: readonly ProcessStat[],
  tty: string,
): 'in-front' | 'behind' | 'elsewhere' => {
  const [own, ...ancestors] = chain;
  if (own === undefined || own.tty === '') return 'elsewhere';
  let isInFront = own.group === own.foregroundGroup;
  let inner = own;
  for (const outer of ancestors) {
    if (inner.tty === tty) break;
    if (outer.tty !== inner.tty) {
      if (!PASS_THROUGH.has(outer.command)) return 'elsewhere';
      isInFront &&= outer.group === outer.foregroundGroup;
    }
    inner = outer;
  }
  if (inner.tty !== tty) return 'elsewhere';
  return isInFront ? 'in-front' : 'behind';
};

/** Where an agent with this environment has its registry; `undefined`: it cannot be known. */
export const configDirOf = (environment: ProcessEnvironment): string | undefined =>
  environment.CLAUDE_CONFIG_DIR ??
  (environment.HOME === undefined ? undefined : `${environment.HOME}/.claude`);

/** Path of the tmux server that a process was started in. */
export const socketOf = (environment: ProcessEnvironment): string | undefined =>
  /^(\/.*),\d+,\d+$/.exec(environment.TMUX ?? '')?.[1];

/** Names that an agent's process may have; its command line decides. */
export const mayBeAgent = (stat: ProcessStat): boolean => /^(claude|node|bun)/.test(stat.command);

/** `/opt/bin/claude`, `node …/claude-code/cli.js`, `claude.exe`: the agent's program by its command line. */
export const isAgentCommand = (argv: readonly string[]): boolean =>
  argv
    .slice(0, 2)
    .some((word) => /(^|\/)claude(\.exe|\.js)?$|\/claude-code\/[^ ]+\.(js|exe)$/.test(word));
