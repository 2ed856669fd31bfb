/** One file `<config dir>/sessions/<pid>.json` as far as we use it (compat/claude-code, registry). */
export interface RegistryEntry {
  readonly pid: number;
  readonly sessionId: string;
  readonly cwd: string;
  /** ms since the epoch. */
  readonly startedAt: number;
  /** Start time in clock ticks, as in /proc/PID/stat. */
  readonly procStart: string;
  readonly version: string;
  /** `interactive` | `bg` | what a later version brings. */
  readonly kind: string;
  /** `cli`; others are programs that drive the agent. */
  readonly entrypoint?: string;
  /** `session:@win.%pane`, when it runs in tmux. */
  readonly tmux?: string;
  /** Name that a person or a setting gave the session. */
  readonly name?: string;
  readonly status: 'idle' | 'busy' | 'waiting' | 'unknown';
  /** Written before the start-up was over: no status yet, and perhaps not the session that it comes to. */
  readonly isUnfinished?: true;
  /** `input needed` | `permission prompt` | `dialog open` | ''. */
  readonly waitingFor?: string;
  /** ms since the epoch. */
  readonly statusUpdatedAt?: number;
  /** Remote-control id, when the run has one: part of its own link. */
  readonly bridgeSessionId?: string;
}
