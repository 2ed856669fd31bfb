import type { Item } from './conversation.ts';
import type { DialogAnswer } from './delivery.ts';
import type { Cursor } from './events.ts';
import type { DeliveryId, DialogId, RunId, SessionId, TurnId } from './ids.ts';
import type { RunSummary } from './run-state.ts';

interface CommandBase {
  readonly delivery: DeliveryId;
  readonly run: RunId;
  /** ms since the epoch; the outcome is there by then. */
  readonly deadline: number;
  /** Shown to the person at the terminal: "Alice (Slack)". */
  readonly by: string;
}

/** What the chat side asks of the host. The answer is one DeliveryOutcome. Plain JSON. */
export type HostCommand =
  | (CommandBase & {
      readonly type: 'reply';
      readonly text: string;
      /** A person pressed Send again: type it anew although an earlier attempt of this delivery was returned. */
      readonly again?: boolean;
    })
  | (CommandBase & {
      readonly type: 'answer';
      readonly dialog: DialogId;
      readonly answer: DialogAnswer;
    })
  | (CommandBase & { readonly type: 'interrupt'; readonly turn: TurnId | undefined })
  /** A person gave up a returned text: our draft may be cleared. */
  | (CommandBase & { readonly type: 'discard' });

/** Third call of the link: reads for the page and for what piled up. */
export type ReadRequest =
  | { readonly type: 'list' }
  | { readonly type: 'run'; readonly run: RunId }
  /** The newest `limit` items before `before` (a byte offset; absent: the end). */
  | {
      readonly type: 'window';
      readonly run: RunId;
      readonly before?: number;
      readonly limit: number;
    }
  /** New and revised items since a cursor of `window` or `changes`. */
  | { readonly type: 'changes'; readonly run: RunId; readonly cursor: Cursor }
  /** Items of a session from a byte offset on, at most `limit`; for a thread that fell behind. */
  | {
      readonly type: 'since';
      readonly run: RunId;
      readonly session: SessionId;
      readonly offset: number;
      readonly limit: number;
    };

export interface ItemWindow {
  readonly items: readonly Item[];
  readonly cursor: Cursor;
  /** Offset to ask for older ones; absent at the beginning. */
  readonly before?: number;
  /** The provider no longer has the transcript; said kindly by who shows it. */
  readonly isGone?: boolean;
  /** For `since`: there is more. */
  readonly next?: number;
}

export type ReadResponse =
  | { readonly type: 'list'; readonly runs: readonly RunSummary[] }
  | { readonly type: 'run'; readonly run: RunSummary | null }
  | { readonly type: 'window'; readonly window: ItemWindow };
