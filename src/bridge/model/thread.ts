import type { MessageRef, ThreadRef } from './chat.ts';
import type { ActorId, ChannelId, PlatformId, RunId, SessionId, ThreadId } from './ids.ts';

/** How much of a conversation a thread shows (P2). */
export type Verbosity = 'quiet' | 'normal' | 'full';

/** What a rule or a channel asks of a run; every given glob must match. */
export interface RunMatch {
  /** Glob over the absolute directory; `**` crosses directories. */
  readonly cwd?: string | undefined;
  readonly tmuxSession?: string | undefined;
  readonly name?: string | undefined;
  /** Matches every run. */
  readonly all?: boolean | undefined;
}

/** First match wins (R1). */
export interface RunRule extends RunMatch {
  readonly show: boolean;
}

/** A place where threads are shown, as the configuration states it. */
export interface Channel {
  readonly id: ChannelId;
  readonly platform: PlatformId;
  readonly match: RunMatch;
  readonly verbosity: Verbosity;
}

/** A row of table `thread`. */
export interface Thread {
  readonly id: ThreadId;
  readonly channel: ChannelId;
  readonly platform: PlatformId;
  /** Absent until the platform has the thread. */
  readonly ref?: ThreadRef;
  /** The run that carries the conversation on now. */
  readonly run: RunId;
  /** `ignored`: an owner said so. `gone`: the platform no longer has it, see `goneWhy`. */
  readonly state: 'open' | 'ignored' | 'gone';
  readonly goneWhy?: string;
  /** State of the run that the thread was last told of. */
  readonly shownState?: string;
  /** Item of the message that was planned last. */
  readonly tail?: string;
  /** Our newest post; an uncertain one is looked for after it. */
  readonly lastMessage?: MessageRef;
  /** ms since the epoch. */
  readonly headEditedAt: number;
  /** Absent: the channel's. */
  readonly verbosity?: Verbosity;
  /** Who asked to be mentioned (P6). */
  readonly notify: readonly ActorId[];
}

/** Session ↔ thread, per run that carries the session. */
export interface Binding {
  readonly channel: ChannelId;
  readonly run: RunId;
  /** Absent while the run has none yet. */
  readonly session?: SessionId;
  readonly thread: ThreadId;
  /** ms since the epoch: items of this session that are older are copied history (R2). 0: none. */
  readonly notBefore: number;
  /** True while the run lives and is in this session. */
  readonly isLive: boolean;
}

/** `shown`: has its own message. `folded`, `filed`: shown in another item's. `skipped`: verbosity did not select it. */
export type LedgerState = 'shown' | 'folded' | 'filed' | 'skipped' | 'failed';

/** One part of a message; `content` is the hash of what was planned last. */
export interface LedgerPart {
  readonly part: number;
  readonly content: string;
  /** Absent until it is posted. */
  readonly message?: MessageRef;
}

/** What the ledger knows of an item of a thread; an item may be `head`, `dialog:…`, `activity:…`. */
export interface LedgerEntry {
  readonly item: string;
  /** Of the item as planned last. */
  readonly digest: string;
  readonly state: LedgerState;
  readonly shownIn?: string;
  /** What a later edit needs; absent once it is settled. */
  readonly kept?: string;
  /** Only for `shown`; in order. */
  readonly parts: readonly LedgerPart[];
}

export type OutboxOp = 'open' | 'post' | 'edit' | 'remove' | 'receipt' | 'whisper';

/** What may overtake what, across threads and between posts and edits. 0 goes first. */
export const outboxPriority = { urgent: 0, text: 1, progress: 2, head: 3 } as const;
export type OutboxPriority = (typeof outboxPriority)[keyof typeof outboxPriority];

/** A row of table `outbox` that is to go out. */
export interface OutboxRow {
  /** The order in its thread. */
  readonly id: number;
  readonly key?: string;
  readonly thread: ThreadId;
  readonly item: string;
  readonly part: number;
  readonly op: OutboxOp;
  readonly priority: OutboxPriority;
  /** Tries that failed; one that a crash cut off is none. */
  readonly attempts: number;
  /** An earlier try may have had its effect. */
  readonly isUncertain: boolean;
  /** ms since the epoch. */
  readonly notBefore: number;
  /** ms since the epoch. */
  readonly createdAt: number;
}

/** A row that is not numbered yet; `data` is what the op needs, as JSON (chat/outbox-data.ts). */
export type NewOutboxRow = Omit<OutboxRow, 'id' | 'attempts' | 'isUncertain' | 'createdAt'> & {
  readonly data: string;
};

/** A thread that fell behind in one session: nothing from this offset on was planned (P4). */
export interface Behind {
  readonly thread: ThreadId;
  readonly run: RunId;
  readonly session: SessionId;
  /** Byte offset in the transcript. */
  readonly from: number;
  /** Counts what was passed over since. */
  readonly version: number;
}
