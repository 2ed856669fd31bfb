import type { DialogId, ItemId, SessionId } from './ids.ts';

/** What every item of a transcript has. */
interface ItemBase {
  readonly id: ItemId;
  readonly session: SessionId;
  /** Byte offset of the row in its transcript (a block adds its index / 1000): the order, and nothing else. */
  readonly order: number;
  /** When it happened, ms since the epoch; as the row says. */
  readonly at: number;
  /** Hash of everything that is shown; another digest under the same id is a revision. */
  readonly digest: string;
  /** The item (a tool call) under which this one folds: it belongs to a subagent. */
  readonly parent?: ItemId;
}

/**
 * Where a text came from. A transcript cannot tell chat from terminal: who sent a `person` text is
 * asked of the deliveries (ports/delivery-names.ts).
 */
export type TextOrigin = 'person' | 'queued' | 'agent' | 'thinking' | 'peer' | 'task';

export interface TextItem extends ItemBase {
  readonly kind: 'text';
  readonly role: 'user' | 'agent';
  readonly origin: TextOrigin;
  /** Markdown as written. */
  readonly text: string;
  /** `unsent`: Escape before the first token took it back; `abandoned`: a rewind left it on a dead branch. */
  readonly status: 'sent' | 'partial' | 'unsent' | 'abandoned';
  /** True on the agent's last text of a turn that has ended. */
  readonly endsTurn?: boolean;
}

export type ToolStatus = 'running' | 'done' | 'failed' | 'denied' | 'interrupted';

export interface ToolItem extends ItemBase {
  readonly kind: 'tool';
  readonly name: string;
  /** One line that tells what it does: the command, the file, the pattern. Never empty. */
  readonly summary: string;
  /** Whole input as JSON text, bounded to 64 kB, for verbosity `full`. */
  readonly input: string;
  readonly status: ToolStatus;
  /** Text of the result, bounded to 256 kB; absent while running. */
  readonly output?: string;
  /** Done, but what it started goes on: items may still fold under it. */
  readonly isBackground?: true;
  /** Unified diff, where the tool edited a file. */
  readonly diff?: string;
}

export interface DialogOption {
  readonly label: string;
  readonly description?: string;
  readonly preview?: string;
}

export interface DialogQuestion {
  readonly question: string;
  readonly header: string;
  readonly multiSelect: boolean;
  readonly options: readonly DialogOption[];
}

/** What a dialog asks. `unknown`: a shape we do not know; its content is shown whole and the link is offered. */
export type DialogContent =
  | { readonly type: 'question'; readonly questions: readonly DialogQuestion[] }
  | { readonly type: 'plan'; readonly plan: string; readonly planFile?: string }
  | {
      readonly type: 'approval';
      readonly tool: string;
      readonly summary: string;
      readonly input: string;
    }
  | { readonly type: 'unknown'; readonly tool: string; readonly input: string };

export type DialogStatus =
  | 'open'
  | 'answered'
  | 'declined'
  | 'timed-out'
  | 'superseded'
  | 'run-ended';

export interface DialogItem extends ItemBase {
  readonly kind: 'dialog';
  readonly dialog: DialogId;
  readonly content: DialogContent;
  readonly status: DialogStatus;
  /** Per question the label(s) or own words, as the transcript's result states them. */
  readonly answers?: Readonly<Record<string, string>>;
  /** Own words of a declined plan or approval; text of a result that we cannot read otherwise. */
  readonly note?: string;
}

export type LifecycleEvent =
  | 'cleared'
  | 'compacted'
  | 'resumed'
  | 'interrupted'
  | 'rewound'
  | 'api-error'
  | 'limit-reached'
  | 'command'
  | 'shell'
  | 'notice';

export interface LifecycleItem extends ItemBase {
  readonly kind: 'lifecycle';
  readonly event: LifecycleEvent;
  /** What to say; for `command` and `shell` the input, with the output in `detail`. */
  readonly text: string;
  readonly detail?: string;
}

/** One element of a transcript in our schema. */
export type Item = TextItem | ToolItem | DialogItem | LifecycleItem;

/** A question that one tap can answer: one question, not several choices, no previews. */
export const isSingleQuestion = (content: DialogContent): boolean =>
  content.type === 'question' &&
  content.questions.length === 1 &&
  content.questions.every((q) => q.options.every((o) => o.preview === undefined));
