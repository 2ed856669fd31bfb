import type { ChatEvent, ChatTarget, DeliveryView, MessageRef } from '../model/chat.ts';
import type { DialogAnswer } from '../model/delivery.ts';
import type { ActorId, DeliveryId, DialogId, RunId, TurnId } from '../model/ids.ts';

/** Chat events on their way to a decision; unique by key for as long as keys are kept. */
export interface InboxStore {
  /** Durable when it returns. False: the key was known, nothing was written. */
  put(event: ChatEvent, now: number): boolean;
  /** Oldest unhandled first. */
  unhandled(limit: number): readonly ChatEvent[];
  /** Erases the event, keeps its key. */
  handled(key: string, now: number): void;
}

export type DeliveryStatus = DeliveryView['outcome'];

/** What a person wants of a delivery whose keys may be under way: done as soon as that is known. */
export type Wish =
  | { readonly type: 'edit'; readonly text: string }
  | { readonly type: 'delete' }
  | { readonly type: 'discard' }
  | { readonly type: 'use-as-answer'; readonly dialog: DialogId };

export interface NewDelivery {
  readonly id: DeliveryId;
  readonly eventKey: string;
  readonly run: RunId;
  readonly kind: DeliveryView['kind'];
  readonly actor: ActorId;
  readonly by: string;
  readonly target: ChatTarget;
  readonly messageRef?: MessageRef;
  readonly text: string;
  readonly dialog?: DialogId;
  readonly answer?: DialogAnswer;
  readonly turn?: TurnId;
  readonly outcome: DeliveryStatus;
  /** ms since the epoch; held no longer than this. */
  readonly holdUntil: number;
  readonly createdAt: number;
}

export interface DeliveryRecord extends NewDelivery {
  /** Order of arrival. */
  readonly seq: number;
  /** Type it anew although an earlier attempt was returned. */
  readonly again: boolean;
  /** A command went to the host and its outcome is not known here. */
  readonly isSending: boolean;
  /** A discard of a returned text is what is being sent. */
  readonly isDiscarding: boolean;
  readonly wish?: Wish;
  /** Grows with every change of the outcome. */
  readonly revision: number;
  readonly updatedAt: number;
}

export type DeliveryPatch = Partial<
  Pick<
    DeliveryRecord,
    | 'outcome'
    | 'kind'
    | 'text'
    | 'dialog'
    | 'answer'
    | 'holdUntil'
    | 'again'
    | 'isSending'
    | 'isDiscarding'
  >
> & {
  /** `null` takes the wish away. */
  readonly wish?: Wish | null;
  /** True moves it behind everything else: a person acted on it anew. */
  readonly isRequeued?: boolean;
};

/** Replies of a run that were there before an interrupt wait for `continue` (I3). */
export interface Pause {
  readonly run: RunId;
  /** Replies with a smaller `seq` wait. */
  readonly beforeSeq: number;
  /** False while the interrupt itself is under way. */
  readonly isConfirmed: boolean;
}

export interface DeliveryStore {
  /** One transaction; nested calls join it. */
  atomically<T>(work: () => T): T;
  create(delivery: NewDelivery): DeliveryRecord;
  find(delivery: DeliveryId): DeliveryRecord | undefined;
  findByMessage(ref: MessageRef): DeliveryRecord | undefined;
  /** Waiting, held or with a command under way; oldest first. */
  open(): readonly DeliveryRecord[];
  openOf(run: RunId): readonly DeliveryRecord[];
  /** The newest `limit`, oldest first. */
  forRun(run: RunId, limit: number): readonly DeliveryRecord[];
  /** A changed outcome moves `revision` and `updatedAt`. */
  update(delivery: DeliveryId, patch: DeliveryPatch, now: number): DeliveryRecord;
  pause(run: RunId): Pause | undefined;
  setPause(pause: Pause, now: number): void;
  clearPause(run: RunId): void;
  /** Erases texts that were settled before `textsBefore`, rows and keys older than `rowsBefore`. */
  sweep(textsBefore: number, rowsBefore: number): void;
}
