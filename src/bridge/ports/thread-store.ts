import type { MessageRef, Role, ThreadRef } from '../model/chat.ts';
import type { ActorId, ChannelId, PlatformId, RunId, SessionId, ThreadId } from '../model/ids.ts';
import type {
  Behind,
  Binding,
  LedgerEntry,
  LedgerPart,
  NewOutboxRow,
  OutboxRow,
  Thread,
} from '../model/thread.ts';

/** Table `thread` with its grants and bindings. All calls are synchronous and durable at commit. */
export interface ThreadTable {
  find(thread: ThreadId): Thread | undefined;
  byRef(ref: ThreadRef): Thread | undefined;
  /** Threads that show this run now: one per channel. */
  ofRun(run: RunId): readonly Thread[];
  all(): readonly Thread[];
  /** Open threads that the platform has, whose run lives or whose head was touched since; `createdAt` in ms since the epoch. */
  readable(
    platform: PlatformId,
    touchedSince: number,
  ): readonly { readonly ref: ThreadRef; readonly createdAt: number }[];
  create(thread: Thread, now: number): void;
  /** Replaces everything but grants and bindings. */
  save(thread: Thread): void;
  /** Replaces the binding of the same channel, run and session. */
  bind(binding: Binding): void;
  /** Bindings of a channel that concern this run, this session, or a thread of this session; oldest first. */
  bindings(channel: ChannelId, run: RunId, session: SessionId | undefined): readonly Binding[];
  /** Every binding of the run, in all channels. */
  setLive(run: RunId, isLive: boolean): void;
  grants(thread: ThreadId): readonly { readonly actor: ActorId; readonly role: Role }[];
  /** `undefined` revokes. */
  grant(thread: ThreadId, actor: ActorId, role: Role | undefined): void;
}

/** Table `ledger`. */
export interface LedgerTable {
  /** Entries of these items, of what they are shown in, and of what else is kept to be shown there. */
  load(thread: ThreadId, items: readonly string[]): readonly LedgerEntry[];
  /** Entries that still keep something for a later edit and whose item begins with `prefix`. */
  kept(thread: ThreadId, prefix: string): readonly LedgerEntry[];
  /** Everything of the entry but its parts. */
  save(thread: ThreadId, entry: Omit<LedgerEntry, 'parts'>): void;
  /** The entry exists. A new part has no message yet; an existing one keeps it. */
  savePart(thread: ThreadId, item: string, part: Omit<LedgerPart, 'message'>): void;
  removePart(thread: ThreadId, item: string, part: number): void;
  /** What a message of ours shows. */
  itemOf(
    message: MessageRef,
  ): { readonly thread: ThreadId; readonly item: string; readonly part: number } | undefined;
}

/** Table `outbox`: what is still to go out. A row that went out leaves the table; the ledger remembers it. */
export interface OutboxTable {
  /**
   * Adds a row. A waiting edit or receipt of the same message takes the new data instead, and so does
   * a post of the same part that cannot have happened yet. A known key adds nothing.
   */
  add(row: NewOutboxRow, now: number): void;
  /** Every waiting row, by id. */
  waiting(): readonly OutboxRow[];
  /** Messages of a thread that are still to be posted. */
  postsWaiting(thread: ThreadId): number;
  isWaiting(row: number): boolean;
  /** What goes out, JSON. */
  data(row: number): string;
  /** Durably marks the row as uncertain, before it is tried. */
  begin(row: number): void;
  /** The row leaves; the message ref goes to the ledger in the same transaction. */
  complete(row: OutboxRow, message?: MessageRef): void;
  /** Counts a failed try. Only this row waits: a rate limit never blocks another thread. */
  defer(row: number, notBefore: number, isUncertain: boolean, error: string): void;
  /** Terminal: the text is erased, the error stays to be shown; the ledger says `failed`. */
  fail(row: OutboxRow, error: string): void;
  /** Terminal failures, newest first. */
  failures(limit: number): readonly (OutboxRow & { readonly error: string })[];
}

/** Table `behind`. */
export interface BehindTable {
  of(thread: ThreadId): readonly Behind[];
  all(): readonly Behind[];
  /** Notes the first passed-over offset, and counts every later pass-over. */
  passOver(behind: Omit<Behind, 'version'>): void;
  /** Goes only if nothing was passed over since `version`. @returns whether it went. */
  clear(behind: Behind): boolean;
}

/** Table `heard`: until when (ms since the epoch) each platform was listened to. */
export interface HeardTable {
  until(platform: PlatformId): number | undefined;
  save(platform: PlatformId, until: number): void;
}

/** What the chat side keeps for its outward path. */
export interface ThreadStore {
  /** All or nothing; inside another one it is a savepoint. */
  transaction<T>(work: () => T): T;
  readonly threads: ThreadTable;
  readonly ledger: LedgerTable;
  readonly outbox: OutboxTable;
  readonly behind: BehindTable;
  readonly heard: HeardTable;
  /** True the first time; consumers are idempotent on the envelope id. */
  isNewEnvelope(envelope: string, at: number): boolean;
  /** Forgets threads whose runs have all ended and whose head was not touched since, and old failures. */
  sweep(before: number): void;
}
