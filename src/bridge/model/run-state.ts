import type { DialogContent } from './conversation.ts';
import type { DialogId, RunId, SessionId, TurnId } from './ids.ts';

/** Screens that stop a run and that no dialog explains. `unknown-screen` is everything not recognised. */
export type BlockedCause =
  | 'trust'
  | 'api-key'
  | 'login'
  | 'usage-limit'
  | 'survey'
  | 'update'
  | 'bypass-notice'
  | 'auto-mode-notice'
  | 'menu'
  | 'transcript-view'
  | 'unknown-screen';

export type EndedHow = 'exited' | 'killed' | 'lost';

/** The one state of a run (product S1). */
export type RunState =
  | { readonly name: 'starting' }
  | { readonly name: 'idle' }
  | { readonly name: 'working'; readonly turn?: TurnId; readonly background?: number }
  | { readonly name: 'needs-input' }
  | {
      readonly name: 'question-pending' | 'plan-pending' | 'approval-pending';
      readonly dialog?: DialogId;
    }
  | { readonly name: 'blocked'; readonly cause: BlockedCause }
  | { readonly name: 'ended'; readonly how: EndedHow }
  | { readonly name: 'unreachable'; readonly why: string };

/** What S1 says a reply would be, in each state. */
export const replyIs = (state: RunState): 'delivered' | 'queued' | 'held' | 'refused' => {
  switch (state.name) {
    case 'idle':
    case 'needs-input':
      return 'delivered';
    case 'working':
      return 'queued';
    case 'starting':
    case 'question-pending':
    case 'plan-pending':
    case 'approval-pending':
    case 'blocked':
      return 'held';
    case 'ended':
    case 'unreachable':
      return 'refused';
  }
};

/** A pane, known by what cannot be given to another process (R3). */
export interface PaneIdentity {
  /** Path of the tmux server's socket. */
  readonly socket: string;
  readonly serverPid: number;
  /** Seconds since the epoch, tmux `#{start_time}`. */
  readonly serverStart: number;
  /** tmux pane id, `%12`. */
  readonly pane: string;
}

/** One agent process life, as the provider sees it. Plain JSON. */
export interface RunHandle {
  readonly id: RunId;
  readonly pid: number;
  /** Start time of the process in clock ticks since boot (/proc/PID/stat field 22), as a string. */
  readonly procStart: string;
  /** When the process started, ms since the epoch. */
  readonly startedAt: number;
  /** It was gone by then, ms since the epoch: what is newer in its transcript is a later process's. */
  readonly endedBefore?: number;
  /** Absent: outside tmux, read-only. */
  readonly pane?: PaneIdentity;
  readonly cwd: string;
  readonly branch?: string;
  /** The agent's own configuration directory, where its registry is; of use to the provider only. */
  readonly configDir?: string;
  /** The provider's session now; absent while a start-up screen is open. */
  readonly session?: SessionId;
  /** tmux session name, for the rules of the configuration only; never a key. */
  readonly tmuxSession?: string;
  /** Name that the provider or a person gave the run. */
  readonly name?: string;
  /** Version of the agent program, `2.1.332`. */
  readonly version?: string;
  /** The run's own remote link, when the agent has one. */
  readonly deepLink?: string;
}

/** What the lists show of a run. Plain JSON. */
export interface RunSummary extends RunHandle {
  readonly state: RunState;
  readonly title: string;
  /** ms since the epoch. */
  readonly lastActivityAt: number;
  readonly transcriptPath?: string;
  readonly pendingDialog?: PendingDialog;
  /** The command with which a person resumes an ended run. */
  readonly resumeCommand?: string;
  /** The command with which a person on the host sees the pane. */
  readonly attachCommand?: string;
}

/** A dialog that waits now, whatever source knew it first (Q1, Q5). */
export interface PendingDialog {
  readonly id: DialogId;
  readonly content: DialogContent;
  /** ms since the epoch. */
  readonly since: number;
  /** The bridge can answer it now, by a hook or a verified recipe; else only the link is offered. */
  readonly isAnswerable: boolean;
  /** The run's hook waits for an answer: every kind of dialog can be answered, by data (Q3). */
  readonly hook?: {
    /** Standing permissions that may be given with a yes, in full words; the index is its `standing`. */
    readonly standing: readonly { readonly index: number; readonly words: string }[];
  };
}
