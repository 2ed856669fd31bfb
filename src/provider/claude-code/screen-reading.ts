import type { BlockedCause } from '../../bridge/model/run-state.ts';

/** What stands in the input box. */
export type Draft =
  | { readonly type: 'empty' }
  /** Dim text that the agent itself put there; the box is empty. */
  | { readonly type: 'placeholder'; readonly text: string }
  | {
      readonly type: 'text';
      /** Lines joined as far as wrapping can be told from a line feed; best effort. */
      readonly text: string;
      /** Without any white space: what can be compared with certainty. */
      readonly compact: string;
      /** `[Pasted text #1 +4 lines]`, `[Image #2]` … in their order; each stands for text that is not visible. */
      readonly chips: readonly string[];
      /** The box scrolls: only these lines of the draft are in sight. */
      readonly isClipped: boolean;
      /** The pane ends before the box does: rows of the draft, and its end, may be below it. */
      readonly cutOff?: CutOff;
    };

export interface CutOff {
  /** The beginning of the draft is out of sight as well. */
  readonly isTopHidden: boolean;
  /** Columns of the draft's last row: its end, wherever that is. Absent: not known. */
  readonly lastRowColumns?: number;
  /** Columns of the last row in sight. */
  readonly seenRowColumns: number;
  /** Columns that a row takes. */
  readonly width: number;
}

/** One numbered choice as it is visible; the label may be cut or wrapped (`isCut`). */
export interface ScreenOption {
  readonly number: number;
  readonly label: string;
  readonly isCursor: boolean;
  /** Only where several may be chosen. */
  readonly isChecked?: boolean;
  readonly isCut: boolean;
}

/**
 * - `single`, `multi`: one page of a question (with `tabs` it is one of several).
 * - `preview`: a digit only moves the cursor.
 * - `review`: the last page before several answers are sent.
 * - `unknown`: the pane is too small to show a choice of the page.
 */
export type QuestionPage = 'single' | 'multi' | 'preview' | 'review' | 'unknown';

export type DialogReading =
  | {
      readonly kind: 'dialog';
      readonly dialog: 'question';
      readonly page: QuestionPage;
      /** Header chips; several where there are several questions. Empty where they do not fit. */
      readonly tabs: readonly { readonly title: string; readonly isAnswered: boolean }[];
      /** The question's text, white space collapsed; '' where it does not fit. */
      readonly question: string;
      readonly options: readonly ScreenOption[];
      /** Set while the agent counts down to go on without an answer. */
      readonly continuesInSeconds?: number;
    }
  | {
      readonly kind: 'dialog';
      readonly dialog: 'approval' | 'plan' | 'exit-plan';
      /** First line of the dialog: `Bash command`, `Create file`; '' where it does not fit. */
      readonly title: string;
      readonly options: readonly ScreenOption[];
    };

export interface BoxReading {
  readonly kind: 'box';
  readonly draft: Draft;
  /** `shell`: what is sent runs as a shell command. A tall draft hides it: `prompt` then. */
  readonly mode: 'prompt' | 'shell';
  /** A turn runs, as far as the screen tells: it does not while a tall draft hides the prompt. */
  readonly isBusy: boolean;
  /** First lines of messages that wait in the agent's own queue, oldest first. */
  readonly queued: readonly string[];
  readonly popup: 'none' | 'completion' | 'help';
  /** Vim insert mode is on; its normal mode cannot be told from no vim at all. */
  readonly isVimInsert: boolean;
}

export interface BlockedReading {
  readonly kind: 'blocked';
  readonly cause: BlockedCause;
  /** `seen` on the real program, or known from its published texts only. */
  readonly basis: 'seen' | 'documented' | 'none';
}

/** What a capture of a pane shows. Only `box` may ever be typed into. */
export type ScreenReading =
  | BoxReading
  | DialogReading
  | BlockedReading
  /** A shell prompt, or the agent's last words: the agent is not in front. */
  | { readonly kind: 'shell' }
  /** Nothing at all: the first instants, or a redraw. */
  | { readonly kind: 'blank' };
