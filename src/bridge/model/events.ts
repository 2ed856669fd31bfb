import type { Item } from './conversation.ts';
import type { DeliveryOutcome } from './delivery.ts';
import type { DeliveryId, RunId, SessionId } from './ids.ts';
import type { PendingDialog, RunSummary } from './run-state.ts';

/** Resumable position in a transcript: JSON text that only the provider reads. */
export type Cursor = string;

/** How a session came to a run: decides thread and separator (R2). */
export type SessionOrigin = 'new' | 'met-late' | 'cleared' | 'resumed' | 'forked' | 'same';

/** What happened on the host. Plain JSON; crosses the link in an envelope. */
export type HostEvent =
  /** A run appeared or what its head shows changed. */
  | { readonly type: 'run'; readonly run: RunSummary }
  /** New and revised items of one session, in order. Publishing the same again must plan nothing. */
  | {
      readonly type: 'items';
      readonly run: RunSummary;
      readonly session: SessionId;
      readonly origin: SessionOrigin;
      readonly cursor: Cursor;
      readonly items: readonly Item[];
    }
  /** A dialog that the transcript does not hold (an approval; remote-control) opened or went: `null` closes all of this run. */
  | { readonly type: 'dialog'; readonly run: RunSummary; readonly pending: PendingDialog | null }
  /** A later outcome of a delivery (last column of D3). */
  | {
      readonly type: 'outcome';
      readonly delivery: DeliveryId;
      readonly run: RunId;
      readonly outcome: DeliveryOutcome;
    };

export interface Envelope<Body> {
  readonly v: 1;
  /** Consumers are idempotent on it. */
  readonly id: string;
  /** ms since the epoch. */
  readonly at: number;
  readonly body: Body;
}
