import type { DeliveryId, DialogId, RunId, SessionId, TurnId } from './ids.ts';
import type { BlockedCause } from './run-state.ts';

/** Why a reply waits; nothing was typed. */
export type HoldReason =
  | { readonly why: 'dialog'; readonly dialog?: DialogId; readonly takesOwnWords: boolean }
  | { readonly why: 'blocked'; readonly cause: BlockedCause }
  | { readonly why: 'foreign-draft' }
  | { readonly why: 'starting' }
  /** The agent's own queue would run it as a command; it goes when the turn is over. */
  | { readonly why: 'working' }
  | { readonly why: 'interrupting' }
  | { readonly why: 'paused' }
  | { readonly why: 'behind'; readonly delivery: DeliveryId }
  /** Read back from history later than the hold time: a person is asked whether it shall still go (D4). */
  | { readonly why: 'stale' }
  /** It looks like a mistyped command of the bridge: a person is asked whether it is for the agent. */
  | { readonly why: 'doubt'; readonly meant: string };

/** Why a delivery will never be typed. `detail` is a sentence for a person. */
export interface RefusalReason {
  readonly why:
    | 'no-right'
    | 'ended'
    | 'pane-gone'
    | 'unreachable'
    | 'not-sendable'
    | 'too-large'
    | 'expired'
    | 'edited-away'
    | 'discarded'
    | 'command'
    | 'backslashes'
    | 'already-answered'
    | 'not-that-dialog'
    | 'not-verified'
    | 'already-finished'
    | 'not-busy'
    | 'read-only'
    | 'too-many-waiting'
    | 'too-fast'
    | 'not-the-author';
  readonly detail: string;
}

/** What we know of a delivery (D3). Exactly one is current. */
export type DeliveryOutcome =
  | { readonly status: 'confirmed'; readonly note?: string }
  | { readonly status: 'queued'; readonly note?: string }
  | { readonly status: 'returned'; readonly reason: string }
  | { readonly status: 'held'; readonly reason: HoldReason }
  | { readonly status: 'refused'; readonly reason: RefusalReason }
  | { readonly status: 'unknown'; readonly reason: string; readonly screen: string };

/** Which later outcomes D3 allows after one; everything else is ignored. */
export const mayFollow = (
  from: DeliveryOutcome['status'],
  to: DeliveryOutcome['status'],
): boolean => {
  switch (from) {
    case 'held':
      return true;
    case 'queued':
      return to === 'confirmed' || to === 'returned';
    case 'confirmed':
      return to === 'returned';
    case 'returned':
      return to === 'confirmed' || to === 'refused' || to === 'queued';
    case 'unknown':
      return to === 'confirmed' || to === 'queued' || to === 'returned';
    case 'refused':
      return false;
  }
};

/** How a dialog is answered. Indices count from 0 over the options that were shown. */
export type DialogAnswer =
  | {
      readonly type: 'choose';
      /** Per question. */
      readonly choices: readonly (readonly number[])[];
      /** Per question: own words instead of a choice. */
      readonly words?: readonly (string | null)[] | undefined;
    }
  /** For a plan or an approval: no, and this is what to do instead. */
  | { readonly type: 'own-words'; readonly text: string }
  /** `mode`: what the agent may do from now on; `standing`: one of the permissions that were offered. */
  | {
      readonly type: 'approve';
      readonly mode?: 'acceptEdits' | undefined;
      readonly standing?: number | undefined;
    }
  | { readonly type: 'deny'; readonly feedback?: string };

/**
 * How far one delivery has gone; written before each effect (crash: the transcript since `offset` decides).
 * `entered` without a later stage: Enter went, proof is missing. `withheld`, `returned`: our text stands in the box; `cleared`: it did, and we took it away again.
 * `proved`: the record holds it, the agent has not answered yet. `settled`: nothing can change any more.
 */
export type AttemptStage =
  | 'begun'
  | 'pasted'
  | 'entered'
  | 'queued'
  | 'proved'
  | 'withheld'
  | 'returned'
  | 'cleared'
  | 'settled';

/** One try to type; the host's own record, keyed by delivery. */
export interface Attempt {
  readonly delivery: DeliveryId;
  readonly run: RunId;
  readonly session: SessionId | undefined;
  /** Transcript file and its size in bytes when the paste began; proof is looked for from there. */
  readonly file: string | undefined;
  readonly offset: number;
  readonly kind: 'reply' | 'answer' | 'interrupt' | 'command';
  /** The text after our own normalisation: what the record must hold. Erased when settled. */
  readonly text: string;
  readonly stage: AttemptStage;
  /** Where the proof was found; the turn it began, when it is a user row. */
  readonly proof?: { readonly offset: number; readonly turn?: TurnId };
  /** ms since the epoch. */
  readonly at: number;
}

/** A row of the transcript that says what became of typed text; the fold reports it, the host matches it to attempts. */
export type Evidence =
  | {
      readonly type: 'user-row';
      readonly text: string;
      readonly offset: number;
      readonly source: 'typed' | 'queued';
      readonly turn: TurnId;
    }
  | { readonly type: 'enqueue'; readonly text: string; readonly offset: number }
  | { readonly type: 'absorbed'; readonly text: string; readonly offset: number }
  | { readonly type: 'dequeue-popped'; readonly text: string | undefined; readonly offset: number }
  | { readonly type: 'unsent'; readonly turn: TurnId; readonly offset: number }
  | { readonly type: 'interrupted'; readonly offset: number }
  | { readonly type: 'command'; readonly text: string; readonly offset: number };
