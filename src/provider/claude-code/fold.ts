import type { DialogItem, Item, ToolItem } from '../../bridge/model/conversation.ts';
import type { Evidence } from '../../bridge/model/delivery.ts';
import { type ItemId, id, type TurnId } from '../../bridge/model/ids.ts';
import { foldAssistant } from './fold-agent.ts';
import type { LookBack } from './fold-branch.ts';
import type { FoldContext } from './fold-context.ts';
import { seal } from './fold-item.ts';
import { foldUser } from './fold-person.ts';
import { Sidechains } from './fold-side.ts';
import { type FoldOptions, FoldState, type Place } from './fold-state.ts';
import { foldAttachment, foldQueue, foldSystem } from './fold-system.ts';
import { closeCalls, turnOf } from './fold-turn.ts';
import type { ChainRow, Row, TitleRow } from './schema.ts';

/** What was folded since the last `take`. */
export interface Folded {
  /** Each item once, as it is now; in the order in which they first changed. */
  readonly items: readonly Item[];
  readonly evidence: readonly Evidence[];
  readonly lookBacks: readonly LookBack[];
}

/** What the transcript says of the run's state. */
export interface TranscriptFacts {
  readonly turn?: TurnId;
  readonly isTurnEnded: boolean;
  /** Who had the last word of the turn; `none`: there was no turn yet. */
  readonly lastWord: 'none' | 'agent' | 'other';
  readonly background: number;
  /** Calls without a result, oldest first. */
  readonly openCalls: readonly (ToolItem | DialogItem)[];
  readonly title?: string;
  /** ms since the epoch; 0 before the first row. */
  readonly lastAt: number;
}

/** Where to read from again, to get everything that can still change once more. */
export interface LowWater {
  readonly offset: number;
  readonly context: FoldContext;
}

/**
 * Rows → items. Deterministic: the same rows from the same low-water mark give the same ids and
 * digests, however they were cut into steps. Holds no more than what can still change.
 */
export class Fold {
  readonly #state: FoldState;
  readonly #sidechains = new Sidechains();

  constructor(options: FoldOptions) {
    this.#state = new FoldState(options);
  }

  /** Items that wait for `take`. */
  get pending(): number {
    return this.#state.items.size;
  }

  /** `offset`: of the row's first byte. */
  push(row: Row, offset: number): void {
    const state = this.#state;
    state.before = state.context;
    if (row.type === 'title') foldTitle(state, row);
    else if (row.type === 'queue-operation') foldQueue(state, row, offset);
    else if (isMereLink(row)) state.remember(row.uuid);
    else this.#chain(row, offset);
  }

  #chain(row: ChainRow, offset: number): void {
    const state = this.#state;
    const parsed = row.timestamp === undefined ? Number.NaN : Date.parse(row.timestamp);
    const at = Number.isNaN(parsed) ? state.context.lastAt : parsed;
    const isSide = row.isSidechain && state.options.under === undefined;
    const parent = isSide ? this.#sidechains.parentOf(state, row) : undefined;
    const place: Place = { offset, at, uuid: row.uuid, parent };
    if (state.isCopied(row, place)) {
      this.#copied(row, place);
      return;
    }
    this.#resume(place);
    this.#dispatch(row, place);
    state.change({ lastAt: Math.max(at, state.context.lastAt) });
    if (!isSide) state.remember(row.uuid);
  }

  #dispatch(row: ChainRow, place: Place): void {
    if (row.type === 'user') foldUser(this.#state, row, place);
    else if (row.type === 'assistant') foldAssistant(this.#state, row, place);
    else if (row.type === 'system') foldSystem(this.#state, row, place);
    else foldAttachment(this.#state, row, place);
  }

  /** A copied row counts for the context and shows nothing. */
  #copied(row: ChainRow, place: Place): void {
    const state = this.#state;
    const kept = { items: new Map(state.items), evidence: [...state.evidence] };
    this.#dispatch(row, place);
    state.items.clear();
    for (const [key, item] of kept.items) state.items.set(key, item);
    state.evidence = kept.evidence;
    state.lookBacks = [];
    state.calls.clear();
    state.prompts.clear();
    state.lastText = undefined;
    state.awaiting = undefined;
    state.remember(row.uuid);
  }

  #resume(place: Place): void {
    const state = this.#state;
    const start = state.options.resumedAt;
    if (start === undefined || place.at < start || state.context.resumed === start) return;
    closeCalls(state, 'run-ended', (at) => at < start);
    state.change({ resumed: start });
    const { session } = state.options;
    state.emit({
      kind: 'lifecycle',
      id: id<ItemId>(`resumed:${session}:${start}`),
      session,
      order: place.offset - 0.0005,
      at: start,
      event: 'resumed',
      text: 'The session was resumed by a new process.',
    });
  }

  /** Dialogs and calls older than `before` (ms) can get no result any more: their process is gone. */
  endRun(before: number): void {
    closeCalls(this.#state, 'run-ended', (at) => at < before);
  }

  /** The order of the call that started a subagent; by the call or by the agent's id. */
  agentCall(key: { call?: string; agent: string }): { call: string; order: number } | undefined {
    for (const [call, { order, agent }] of this.#state.agentCalls) {
      if (call === key.call || agent === key.agent) return { call, order };
    }
    return undefined;
  }

  take(): Folded {
    const state = this.#state;
    const folded = {
      items: [...state.items.values()].map(seal),
      evidence: state.evidence,
      lookBacks: state.lookBacks,
    };
    state.items.clear();
    state.evidence = [];
    state.lookBacks = [];
    return folded;
  }

  /** `end`: byte offset behind the last row that was pushed. */
  lowWater(end: number): LowWater {
    let low: LowWater = { offset: end, context: this.#state.context };
    for (const open of this.#state.opens()) {
      if (open.offset < low.offset) low = { offset: open.offset, context: open.before };
    }
    return low;
  }

  facts(): TranscriptFacts {
    const { context, calls } = this.#state;
    const turn = turnOf(this.#state);
    return {
      isTurnEnded: context.isEnded,
      lastWord: context.lastWord,
      background: context.background,
      openCalls: [...calls.values()].map(({ draft }) => seal(draft)),
      lastAt: context.lastAt,
      ...(turn === undefined ? {} : { turn }),
      ...(context.title === undefined ? {} : { title: context.title }),
    };
  }
}

/** Most attachments are only a link in the chain of parents. */
const isMereLink = (row: ChainRow): boolean =>
  row.type === 'attachment' && row.attachment.type !== 'queued_command' && !row.isSidechain;

/** A person's title stays against those that the agent makes. */
const foldTitle = (state: FoldState, row: TitleRow): void => {
  if (row.title === undefined || row.title.trim() === '') return;
  if (state.context.hasCustomTitle === true && !row.isCustom) return;
  state.change({ title: row.title, hasCustomTitle: row.isCustom });
};
