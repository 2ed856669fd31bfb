import type { DialogContent } from '../../bridge/model/conversation.ts';
import { id, type SessionId } from '../../bridge/model/ids.ts';
import type {
  BlockedCause,
  PendingDialog,
  RunHandle,
  RunState,
} from '../../bridge/model/run-state.ts';
import type { Observation } from '../../bridge/ports/agent-provider.ts';
import type { TranscriptFacts } from './fold.ts';
import type { Followed, Part } from './observe-followed.ts';
import type { RegistryEntry } from './registry-entry.ts';
import { type AskedCall, pendingDialogOf, type StateInput, stateOf } from './state.ts';

/** What registry, process table and screen said at one look. */
export interface Present {
  readonly entry: StateInput['entry'];
  readonly isAlive: boolean;
  readonly screen: BlockedCause | undefined;
  readonly paneTrouble: string | undefined;
}

/** What the entry says of the run beside its state. */
const describe = (run: RunHandle, entry: RegistryEntry): RunHandle => ({
  ...run,
  session: id<SessionId>(entry.sessionId),
  ...(entry.name === undefined ? {} : { name: entry.name }),
  ...(entry.version === '' ? {} : { version: entry.version }),
});

export interface ViewDeps {
  readonly isAnswerable?: (content: DialogContent, run: RunHandle) => boolean;
  /** Told what a session has open; gives the calls for which a hook waits. */
  readonly hooks?: (
    session: SessionId,
    open: TranscriptFacts['openCalls'],
    /** The agent says that it waits for a person. */
    isWaiting: boolean,
  ) => readonly AskedCall[];
  readonly describe?: (run: RunHandle, entry: RegistryEntry) => RunHandle;
}

/** Makes observations of what was read and seen, and knows whether one says anything new. */
export class View {
  readonly #deps: ViewDeps;
  #run: RunHandle;
  #state: RunState | undefined;
  #pending: PendingDialog | undefined;
  #shown = '';

  constructor(deps: ViewDeps, run: RunHandle) {
    this.#deps = deps;
    this.#run = run;
  }

  get run(): RunHandle {
    return this.#run;
  }

  /** The entry, when it is that of the process that we follow. */
  ownEntry(now: Present): RegistryEntry | undefined {
    const { entry } = now;
    return typeof entry !== 'string' && entry.procStart === this.#run.procStart ? entry : undefined;
  }

  /** The session that the run is in now; `undefined`: nobody says. */
  note(now: Present): SessionId | undefined {
    const entry = this.ownEntry(now);
    if (entry === undefined) return undefined;
    this.#run = (this.#deps.describe ?? describe)(this.#run, entry);
    return id<SessionId>(entry.sessionId);
  }

  /** `undefined`: nothing that was not said before. `isLast`: the run is over, all of it was read. */
  observe(now: Present, followed: Followed, part: Part, isLast: boolean): Observation | undefined {
    const { facts } = followed;
    if (part.isAtEnd || this.#state === undefined)
      this.#judge(now, followed.session, facts, isLast);
    const state = this.#state ?? { name: 'starting' };
    const said = {
      session: followed.session,
      origin: followed.origin,
      state,
      run: this.#run,
      ...(followed.path === undefined ? {} : { transcriptPath: followed.path }),
      ...(this.#pending === undefined ? {} : { pendingDialog: this.#pending }),
      ...(facts.title === undefined ? {} : { title: facts.title }),
    };
    const shown = JSON.stringify(said);
    const isNew = shown !== this.#shown || part.items.length > 0 || part.evidence.length > 0;
    if (!isNew && !isLast) return undefined;
    this.#shown = shown;
    return {
      ...said,
      cursor: part.cursor,
      items: part.items,
      evidence: part.evidence,
      lastActivityAt: facts.lastAt === 0 ? this.#run.startedAt : facts.lastAt,
    };
  }

  #judge(
    now: Present,
    session: SessionId | undefined,
    facts: TranscriptFacts,
    isLast: boolean,
  ): void {
    const isWaiting = typeof now.entry !== 'string' && now.entry.status === 'waiting';
    const asked =
      session === undefined ? [] : (this.#deps.hooks?.(session, facts.openCalls, isWaiting) ?? []);
    const state = stateOf({
      entry: now.entry,
      isAlive: now.isAlive,
      procStart: this.#run.procStart,
      facts,
      screen: now.screen,
      paneTrouble: now.paneTrouble,
      previous: this.#state,
      asked,
    });
    // `ended` is said last, when all was read.
    if (state.name === 'ended' && !isLast) return;
    this.#state = state;
    const isAnswerable = (content: DialogContent): boolean =>
      this.#deps.isAnswerable?.(content, this.#run) === true;
    this.#pending = pendingDialogOf(state, facts, isAnswerable, asked);
  }
}
