import type {
  ChatEvent,
  ChatFile,
  EncodedPart,
  MessageRef,
  OutboundMessage,
  ReceiptMark,
  ThreadRef,
} from '../model/chat.ts';
import type { ActorId, ChannelId, PlatformId } from '../model/ids.ts';
import type { OutboxOp } from '../model/thread.ts';

/** Resolves only when the event is durable; a rejected promise means: do not acknowledge it. */
export type ChatEventSink = (event: ChatEvent) => Promise<void>;

export interface AdapterHealth {
  readonly isConnected: boolean;
  /** A sentence for the operator. */
  readonly detail: string;
}

export interface PlatformHealth extends AdapterHealth {
  readonly platform: PlatformId;
}

/** Unique per part of a message, the same at every try. */
export type IdempotencyKey = string;

/** A place that people act from. The web page is only this; chat platforms are ChatAdapters. */
export interface ChatSource {
  readonly platform: PlatformId;
  /** Begins to listen. The sink is never called for the bot's own messages. */
  start(sink: ChatEventSink, signal: AbortSignal): Promise<void>;
  /** Ends within 5 s; no event is lost that was acknowledged. */
  stop(): Promise<void>;
  health(): AdapterHealth;
}

export interface ChatAdapter extends ChatSource {
  /** Pure: split, escape, limits. Each part fits the platform; the same input gives the same bytes. */
  encode(message: OutboundMessage): readonly EncodedPart[];
  /**
   * Posts one part. Rejects with a BridgeError whose code is a PlatformErrorCode; `certain: false` where it may be there all the same.
   * With a key that was posted it posts nothing where SentMessageFinder exists.
   */
  post(thread: ThreadRef, part: EncodedPart, key: IdempotencyKey): Promise<MessageRef>;
  edit(ref: MessageRef, part: EncodedPart): Promise<void>;
  remove(ref: MessageRef): Promise<void>;
}

/** Optional: makes a thread whose first message is the head. The key protects it like `post`. */
export interface ThreadOpener {
  open(
    channel: ChannelId,
    head: EncodedPart,
    key: IdempotencyKey,
  ): Promise<{ thread: ThreadRef; head: MessageRef }>;
}
/** Optional: finds our own post after an uncertain try. `after`: the last message of ours in the ledger. */
export interface SentMessageFinder {
  findSent(
    thread: ThreadRef,
    part: EncodedPart,
    key: IdempotencyKey,
    after: MessageRef | undefined,
  ): Promise<MessageRef | undefined>;
  findThread(
    channel: ChannelId,
    head: EncodedPart,
    key: IdempotencyKey,
  ): Promise<{ thread: ThreadRef; head: MessageRef } | undefined>;
}
/** Optional: shows an outcome on the message that caused it. `mark` replaces an earlier mark of ours. */
export interface Receipts {
  receipt(ref: MessageRef, mark: ReceiptMark): Promise<void>;
}
/** Optional: uploads a part that has `file`. Without it the part's summary is posted alone, and says so. */
export interface Attachments {
  upload(thread: ThreadRef, part: EncodedPart, key: IdempotencyKey): Promise<MessageRef>;
}

/** Optional: shows something to one person only (A2). Without it the mark on the message must do. */
export interface Whispers {
  whisper(thread: ThreadRef, actor: ActorId, part: EncodedPart): Promise<void>;
}
/** A thread whose replies are read back. */
export interface FollowedThread {
  readonly thread: ThreadRef;
  /** ms since the epoch: what is older was handled, or is not to be handled. */
  readonly since: number;
}
/** Optional: reads back what people wrote while nobody listened. Reactions and clicks are never read back. */
export interface HistoryReader {
  /**
   * Called before `start`. `threads` is asked after each connect behind which something can have been
   * missed; each reply found goes to the sink with `isFromHistory`, by the same key as when it is heard.
   */
  follow(threads: () => readonly FollowedThread[]): void;
}
/** Optional: fetches a file that came with a reply. Rejects as `post`; `rejected` when it is larger. */
export interface FileReader {
  fetchFile(file: ChatFile, mostBytes: number): Promise<Uint8Array>;
}
/** How often a platform takes one method: `burst` at once, then `perMinute`, each channel or all together. */
export interface MethodBudget {
  readonly burst: number;
  readonly perMinute: number;
  readonly per: 'channel' | 'platform';
  /** Methods with the same name here are one call of the platform and share what it allows. */
  readonly sharedAs?: string;
}
/** Optional: what the platform allows; without it nothing is held back until the platform says so. */
export interface Budgeted {
  readonly budgets: { readonly [method in OutboxOp]?: MethodBudget };
}

export const isThreadOpener = (a: ChatAdapter): a is ChatAdapter & ThreadOpener => 'open' in a;
export const isSentMessageFinder = (a: ChatAdapter): a is ChatAdapter & SentMessageFinder =>
  'findSent' in a;
export const isReceipts = (a: ChatAdapter): a is ChatAdapter & Receipts => 'receipt' in a;
export const isAttachments = (a: ChatAdapter): a is ChatAdapter & Attachments => 'upload' in a;
export const isWhispers = (a: ChatAdapter): a is ChatAdapter & Whispers => 'whisper' in a;
export const isBudgeted = (a: ChatAdapter): a is ChatAdapter & Budgeted => 'budgets' in a;
export const isHistoryReader = (a: ChatAdapter): a is ChatAdapter & HistoryReader => 'follow' in a;
export const isFileReader = (a: ChatAdapter): a is ChatAdapter & FileReader => 'fetchFile' in a;
