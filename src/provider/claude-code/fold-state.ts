import type { Evidence } from '../../bridge/model/delivery.ts';
import { type ItemId, id, type SessionId } from '../../bridge/model/ids.ts';
import type { LookBack } from './fold-branch.ts';
import { copyOf, emptyContext, type FoldContext } from './fold-context.ts';
import {
  changed,
  type DialogDraft,
  type ItemDraft,
  type LifecycleDraft,
  type TextDraft,
  type ToolDraft,
} from './fold-item.ts';
import { isAgentTool } from './fold-tool.ts';

export interface FoldOptions {
  readonly session: SessionId;
  readonly context?: FoldContext;
  /** The rows are a subagent's: its items fold under this call. */
  readonly under?: { readonly item: ItemId; readonly order: number };
  /** Rows that are older are copied history (a fork): they give no items. ms since the epoch. */
  readonly notBefore?: number;
  /** Rows that say themselves that they are copied give no items either. */
  readonly hidesCopies?: boolean;
  /** Start of the process that resumed this session, ms since the epoch: gives a `resumed` mark. */
  readonly resumedAt?: number;
  /** Everything read is on a branch that a rewind left behind. */
  readonly isAbandoned?: boolean;
}

/** A row's place in its transcript. */
export interface Place {
  /** Byte offset of its first byte. */
  readonly offset: number;
  /** ms since the epoch. */
  readonly at: number;
  readonly uuid: string | undefined;
  readonly parent?: ItemId | undefined;
}

/** Something that a later row can still change, with what stood before its row. */
export interface Open<Draft> {
  readonly draft: Draft;
  readonly offset: number;
  readonly before: FoldContext;
}

/** Calls without a result that are remembered; beyond, the oldest stays `running`. */
const OPEN_CALLS = 512;
const RECENT_ROWS = 2048;

/** The small memory of a fold: what can still change, and what was folded since the last `take`. */
export class FoldState {
  readonly options: FoldOptions;
  context: FoldContext;
  /** The context before the row at hand. */
  before: FoldContext;
  readonly calls = new Map<string, Open<ToolDraft | DialogDraft>>();
  readonly prompts = new Map<string, Open<TextDraft>>();
  lastText: Open<TextDraft> | undefined;
  /** Calls that started a subagent, by call: where its own rows stand, and its id once it is known. */
  readonly agentCalls = new Map<string, { readonly order: number; agent?: string }>();
  /** A command or shell row, or a compaction, whose output may follow. */
  awaiting: Open<LifecycleDraft> | undefined;
  /** Rows of the current turn, in two halves: the older one is forgotten as a whole. */
  #recent = new Set<string>();
  #older: ReadonlySet<string> = new Set();
  /** Sealed when they are taken: what changes twice in one step is hashed once. */
  readonly items = new Map<ItemId, ItemDraft>();
  evidence: Evidence[] = [];
  lookBacks: LookBack[] = [];

  constructor(options: FoldOptions) {
    this.options = options;
    this.context = options.context ?? emptyContext;
    this.before = this.context;
  }

  change(part: Partial<FoldContext>): void {
    // Once per row: what an open item remembers stays as it was.
    if (this.context === this.before) this.context = copyOf(this.context);
    Object.assign(this.context, part);
  }

  remember(uuid: string | undefined): void {
    if (uuid === undefined) return;
    this.#recent.add(uuid);
    if (this.#recent.size < RECENT_ROWS) return;
    this.#older = this.#recent;
    this.#recent = new Set();
  }

  /** Of the current turn, unless so many rows ago that it was forgotten. */
  isRecent(uuid: string): boolean {
    return this.#recent.has(uuid) || this.#older.has(uuid);
  }

  forgetRows(): void {
    if (this.#recent.size > 0) this.#recent = new Set();
    if (this.#older.size > 0) this.#older = new Set();
  }

  isCopied(row: { readonly isCopied: boolean }, place: Place): boolean {
    const { notBefore, hidesCopies } = this.options;
    if (hidesCopies === true && row.isCopied) return true;
    return notBefore !== undefined && place.at < notBefore;
  }

  /** What items at this place have in common. `block` counts from 0 within the row. */
  base(place: Place, block: number, itemId?: string) {
    const { session, under } = this.options;
    const own = `${place.uuid ?? `${session}@${place.offset}`}.${block}`;
    const parent = under?.item ?? place.parent;
    return {
      id: id<ItemId>(itemId ?? own),
      session,
      // A subagent's own file has other offsets: its rows stand right behind the call.
      order:
        under === undefined
          ? place.offset + block / 1000
          : under.order + 0.0001 + place.offset / 2 ** 40,
      at: place.at,
      ...(parent === undefined ? {} : { parent }),
    };
  }

  emit(draft: ItemDraft): void {
    this.items.set(draft.id, this.options.isAbandoned === true ? abandoned(draft) : draft);
  }

  /** Remembers a draft that a later row can change. */
  opened<Draft>(draft: Draft, place: Place): Open<Draft> {
    return { draft, offset: place.offset, before: this.before };
  }

  openCall(call: string, draft: ToolDraft | DialogDraft, place: Place): void {
    this.calls.set(call, this.opened(draft, place));
    if (draft.kind === 'tool' && isAgentTool(draft.name)) {
      this.agentCalls.set(call, { order: draft.order });
    }
    dropOldest(this.calls);
    dropOldest(this.agentCalls);
  }

  /** Oldest first. */
  *opens(): Iterable<Open<ItemDraft>> {
    yield* this.calls.values();
    yield* this.prompts.values();
    if (this.lastText !== undefined) yield this.lastText;
    if (this.awaiting !== undefined) yield this.awaiting;
  }
}

const dropOldest = (calls: Map<string, unknown>): void => {
  if (calls.size <= OPEN_CALLS) return;
  const [oldest] = calls.keys();
  if (oldest !== undefined) calls.delete(oldest);
};

const abandoned = (draft: ItemDraft): ItemDraft =>
  draft.kind === 'text' && draft.status !== 'unsent'
    ? changed(draft, { status: 'abandoned' })
    : draft;
