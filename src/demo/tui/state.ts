import type { Draft } from './draft.ts';
import { emptyDraft } from './draft.ts';
import type { Menu } from './menu.ts';
import type { QuestionPicker } from './picker.ts';
import type { Chain } from './rows.ts';
import type { JsonObject, Script, Step } from './script.ts';

/** One thing that stands above the input box. */
export type Shown =
  | {
      readonly kind: 'person' | 'agent' | 'tool' | 'done' | 'note' | 'warning';
      readonly text: string;
    }
  | { readonly kind: 'answered'; readonly lines: readonly string[]; readonly isDeclined: boolean }
  | { readonly kind: 'shell'; readonly command: string; readonly output: string };

/** A text that left the input box. */
export interface Sent {
  readonly text: string;
  readonly isShell: boolean;
  /** ms since the epoch. */
  readonly sentAt: number;
}

/** The call that a turn waits for: a tool that runs, or a dialog. */
export interface Call {
  readonly step: Step & { type: 'tool' | 'ask' | 'plan' };
  readonly toolUseId: string;
  /** uuid of the row that holds it. */
  readonly assistantUuid: string;
  isRunning: boolean;
}

export interface Turn {
  readonly id: number;
  readonly promptId: string;
  /** What the agent was told, and how it came. */
  readonly prompt: string;
  readonly isTyped: boolean;
  readonly startedAt: number;
  /** Leaf before the prompt's row: where the next prompt hangs when this one is un-sent. */
  readonly leafBefore: string | null;
  steps: readonly Step[];
  hasToken: boolean;
  /** Text that streams now, and how much of it is on the screen. */
  stream: { readonly text: string; readonly ms: number; shown: number } | undefined;
  messageId: string;
  requestId: string;
  blockIndex: number;
  call: Call | undefined;
  /** `RESULT: …` of the last call. */
  result: string;
}

/** A dialog on the screen, or held back because someone types. */
export interface OpenDialog {
  picker: QuestionPicker | Menu;
  isVisible: boolean;
  /** Keys before then do nothing: the dialog appeared late. */
  deafUntil: number;
}

/** Everything that the scripted TUI knows. Times are in its own pace (see clock of the edge), ms. */
export interface Tui {
  columns: number;
  rows: number;
  readonly chain: Chain;
  /** As the rows name it: `default` is shown as "manual". */
  mode: string;
  phase: 'starting' | 'trust' | 'ready' | 'ended';
  readonly bornAt: number;
  draft: Draft;
  isShell: boolean;
  pastes: number;
  queue: Sent[];
  shown: Shown[];
  turn: Turn | undefined;
  turns: number;
  dialog: OpenDialog | undefined;
  isTranscriptView: boolean;
  typedAt: number;
  enteredAt: number;
  escapedAt: number;
  exitKeyAt: number;
  hint: 'clear' | 'exit' | 'expand' | undefined;
  /** The last turn failed: the placeholder offers to resend. */
  hasFailed: boolean;
  wasUnsent: boolean;
  readonly script: Script;
  scene: number;
  /** Counts the times it fell idle: a scene timer of an earlier time is void. */
  idles: number;
  readonly planDirectory: string;
}

/** Where a prompt came from, for the ground truth. */
export type Via = 'typed' | 'queued' | 'absorbed' | 'scene';

/** What really happened; one line of the ground truth each. */
export type Truth =
  | { readonly type: 'received'; readonly text: string; readonly via: Via }
  | { readonly type: 'unsent'; readonly text: string }
  | { readonly type: 'lost'; readonly text: string }
  | { readonly type: 'command'; readonly name: string }
  | { readonly type: 'shell'; readonly command: string }
  | { readonly type: 'interrupt'; readonly during: 'text' | 'tool' | 'before-first-token' }
  | { readonly type: 'dialog-opened'; readonly dialog: string; readonly toolUseId?: string }
  | { readonly type: 'dialog-key'; readonly dialog: string; readonly key: string }
  | {
      readonly type: 'dialog-closed';
      readonly dialog: string;
      readonly how: string;
      readonly answers?: Readonly<Record<string, string>>;
      readonly words?: string;
    };

export type Timer =
  | { readonly name: 'started' | 'show-dialog' }
  | { readonly name: 'advance' | 'stream' | 'tool-done'; readonly turn: number }
  | { readonly name: 'scene'; readonly idles: number };

export interface RegistryPatch {
  readonly status?: 'idle' | 'busy' | 'waiting';
  readonly waitingFor?: string;
  readonly sessionId?: string;
}

export type Effect =
  /** Append these rows to the session's transcript in one write, after what was asked for before. */
  | {
      readonly type: 'rows';
      readonly session: string;
      readonly rows: readonly JsonObject[];
      readonly afterMs: number;
    }
  | { readonly type: 'registry'; readonly patch: RegistryPatch; readonly afterMs: number }
  | { readonly type: 'truth'; readonly entry: Truth }
  | { readonly type: 'timer'; readonly timer: Timer; readonly ms: number }
  | { readonly type: 'exit'; readonly code: number };

/** What an event may use: its time, and where effects go. */
export interface Moment {
  /** The TUI's own clock, ms. */
  readonly now: number;
  /** ms since the epoch, for the record. */
  readonly at: number;
  readonly emit: (effect: Effect) => void;
}

export const newTui = (
  options: Pick<Tui, 'columns' | 'rows' | 'chain' | 'mode' | 'script' | 'planDirectory'> & {
    readonly isUntrusted: boolean;
    readonly now: number;
  },
): Tui => ({
  columns: options.columns,
  rows: options.rows,
  chain: options.chain,
  mode: options.mode,
  script: options.script,
  planDirectory: options.planDirectory,
  phase: options.isUntrusted ? 'trust' : 'starting',
  bornAt: options.now,
  draft: emptyDraft,
  isShell: false,
  pastes: 0,
  queue: [],
  shown: [],
  turn: undefined,
  turns: 0,
  dialog: options.isUntrusted
    ? { picker: { kind: 'trust', cursor: 0 }, isVisible: true, deafUntil: 0 }
    : undefined,
  isTranscriptView: false,
  typedAt: Number.NEGATIVE_INFINITY,
  enteredAt: Number.NEGATIVE_INFINITY,
  escapedAt: Number.NEGATIVE_INFINITY,
  exitKeyAt: Number.NEGATIVE_INFINITY,
  hint: undefined,
  hasFailed: false,
  wasUnsent: false,
  scene: 0,
  idles: 0,
});
