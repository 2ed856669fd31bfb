import type { DeliveryOutcome, DialogAnswer } from './delivery.ts';
import type { ActorId, ChannelId, DeliveryId, DialogId, PlatformId, RunId, TurnId } from './ids.ts';

/** Where a thread is on its platform. Plain JSON, kept in the store; `thread` is the platform's own id. */
export interface ThreadRef {
  readonly platform: PlatformId;
  readonly channel: ChannelId;
  readonly thread: string;
}

/** A posted message. */
export interface MessageRef {
  readonly thread: ThreadRef;
  readonly message: string;
}

export interface Actor {
  readonly id: ActorId;
  readonly displayName: string;
  /** Groups, roles as `slack:usergroup:S0TEAM`. */
  readonly groups: readonly string[];
  readonly isBot: boolean;
  /** Restricted on their own workspace or server, or (Slack Connect) a member of another one. */
  readonly isGuest: boolean;
  /** Of another workspace than the bridge's own (Slack Connect). */
  readonly isExternal?: boolean;
  /** A webhook: nobody can be asked who it is. */
  readonly isWebhook?: boolean;
}

export type Role = 'observer' | 'driver' | 'owner';

/** Whom a chat event is about: a thread of a platform, or (the page) a run itself. */
export type ChatTarget = { readonly thread: ThreadRef } | { readonly run: RunId };

/** A file that came with a reply; `source` is what `FileReader` fetches it by. Plain JSON, no secret. */
export interface ChatFile {
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: number;
  readonly source: string;
}

export type ChatEventBody =
  | {
      readonly type: 'reply';
      readonly text: string;
      readonly messageRef?: MessageRef;
      readonly isFromHistory?: boolean;
      readonly files?: readonly ChatFile[];
      /** Whom it mentions, in order. */
      readonly mentions?: readonly ActorId[];
      /** The message that the person answered directly, where the platform knows such a thing (D6). */
      readonly inReplyTo?: MessageRef;
    }
  /** `emoji` without skin tone; the platform's own name, as `:party:`, where it is no Unicode emoji. Never read back. */
  | {
      readonly type: 'reaction';
      readonly messageRef: MessageRef;
      readonly emoji: string;
      readonly isAdded: boolean;
    }
  | { readonly type: 'edit'; readonly messageRef: MessageRef; readonly text: string }
  | { readonly type: 'delete'; readonly messageRef: MessageRef }
  | { readonly type: 'answer'; readonly dialog: DialogId; readonly answer: DialogAnswer }
  /** A person confirmed the interrupt of the turn that was named. */
  | {
      readonly type: 'interrupt';
      readonly turn: TurnId | undefined;
      /** When the question was asked in a thread, ms since the epoch: it stays open for a while only (I1). */
      readonly askedAt?: number;
    }
  | { readonly type: 'continue' }
  | { readonly type: 'send-again'; readonly delivery: DeliveryId }
  | { readonly type: 'discard'; readonly delivery: DeliveryId }
  /** Use a held reply as the own-words answer of the open dialog (D6). */
  | { readonly type: 'use-as-answer'; readonly delivery: DeliveryId; readonly dialog: DialogId };

/** A normalised thing that happened on a platform. Plain JSON, kept in the inbox until it is handled. */
export interface ChatEvent {
  /** The thing itself, never the envelope: message = channel and ts; click = message, user and action time … */
  readonly key: string;
  readonly platform: PlatformId;
  readonly actor: Actor;
  readonly target: ChatTarget;
  /** ms since the epoch, by the platform. */
  readonly at: number;
  readonly body: ChatEventBody;
}

/** What the dispatcher asks an adapter to show; platform-neutral. Pure data. */
export type OutboundMessage =
  | { readonly type: 'head'; readonly title: string; readonly lines: readonly string[] }
  | {
      readonly type: 'text';
      readonly author: 'user' | 'agent' | 'thinking';
      readonly by?: string;
      readonly markdown: string;
    }
  | { readonly type: 'activity'; readonly lines: readonly string[]; readonly details?: string }
  | {
      readonly type: 'dialog';
      readonly dialog: DialogId;
      readonly markdown: string;
      readonly buttons: readonly DialogButton[];
      /** Several may be chosen: labels in order, sent together as one `choose`. */
      readonly multiSelect?: readonly string[];
      /** An own-words entry is offered. */
      readonly takesOwnWords?: boolean;
      /** What that entry is called, where it is not an answer like the others. */
      readonly ownWordsLabel?: string;
      readonly link?: string;
      readonly isOpen: boolean;
      /** Who asked to be mentioned (P6); nothing else in a message may mention. */
      readonly mentions?: readonly ActorId[];
    }
  | {
      readonly type: 'lifecycle';
      readonly markdown: string;
      readonly mentions?: readonly ActorId[];
    }
  | {
      readonly type: 'notice';
      readonly markdown: string;
      readonly buttons: readonly NoticeButton[];
    }
  | {
      readonly type: 'file';
      readonly name: string;
      readonly summary: string;
      readonly content: string;
    };

export interface DialogButton {
  readonly label: string;
  readonly answer: DialogAnswer;
}

export interface NoticeButton {
  readonly label: string;
  readonly action: ChatEventBody;
}

/** One part of a message in a platform's own form; `data` is opaque outside the adapter. */
export interface EncodedPart {
  /** JSON text; byte-identical when encoded again. */
  readonly data: string;
  /** Set: goes up as a file by `Attachments`. */
  readonly file?: { readonly name: string; readonly content: string };
}

/** What a person can still do about a delivery. */
export type DeliveryAction = 'send-again' | 'discard' | 'use-as-answer' | 'continue';

/** How an outcome is shown on the message that caused it. */
export type ReceiptMark = '✅' | '🕓' | '⏸' | '⛔' | '↩' | '❓';

/** A delivery as people see it: on the message that caused it, and on the page. */
export interface DeliveryView {
  readonly id: DeliveryId;
  readonly run: RunId;
  readonly kind: 'reply' | 'answer' | 'interrupt';
  readonly by: string;
  /** Erased once it is settled. */
  readonly text: string;
  readonly outcome: DeliveryOutcome | { readonly status: 'waiting' };
  /** One friendly sentence: what happened and what to do; absent where the receipt says enough. */
  readonly explanation?: string;
  /** Absent while nothing is known yet. */
  readonly mark?: ReceiptMark;
  readonly actions: readonly DeliveryAction[];
  /** Key of the chat event that caused it; a source finds its own message again by it. */
  readonly eventKey: string;
  /** ms since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
}
