import type { ChatTarget, MessageRef, NoticeButton, ReceiptMark } from '../model/chat.ts';
import type { ActorId, DeliveryId } from '../model/ids.ts';

/** What the bridge says about one thing that a person did. A later receipt of a delivery replaces the earlier. */
export interface Receipt {
  /** Unique per thing said; the same key again is shown once. */
  readonly key: string;
  readonly target: ChatTarget;
  readonly actor: ActorId;
  /** Absent: about something that became no delivery (a click without the right to it). */
  readonly delivery?: DeliveryId;
  /** The message that caused it, where there is one. */
  readonly messageRef?: MessageRef;
  readonly mark?: ReceiptMark;
  /** Absent: the mark says enough. */
  readonly text?: string;
  /** Last lines of the screen, for an outcome that is not known. */
  readonly screen?: string;
  readonly buttons: readonly NoticeButton[];
  /** For the actor's eyes only (A2). */
  readonly isPrivate: boolean;
}

/**
 * Shows receipts on chat platforms. Called inside the transaction that writes the outcome: it
 * writes outbox rows and returns; it never waits and never talks to a platform.
 */
export interface ReceiptSink {
  show(receipt: Receipt): void;
}
