import { id, type TurnId } from '../../bridge/model/ids.ts';
import { branchOf } from './fold-branch.ts';
import { changed } from './fold-item.ts';
import type { FoldState, Place } from './fold-state.ts';

/** Prompts of one turn that are told apart; more were never seen queued. */
const PROMPTS_OF_A_TURN = 64;

/** The turn that runs, or the last one. */
export const turnOf = (state: FoldState): TurnId | undefined => {
  const first = state.context.prompts[0];
  return first === undefined ? undefined : id<TurnId>(first.uuid);
};

/** The turn is over: its last agent text says so, as a revision. */
export const endTurn = (state: FoldState): void => {
  const last = state.lastText;
  if (last !== undefined) state.emit(changed(last.draft, { endsTurn: true }));
  state.lastText = undefined;
  state.change({ isEnded: true });
};

/** Calls that can get no result any more: the process that ran them is gone, or a new turn began. */
export const closeCalls = (
  state: FoldState,
  dialogs: 'superseded' | 'run-ended',
  isOver: (at: number) => boolean,
): void => {
  for (const [call, { draft }] of state.calls) {
    if (!isOver(draft.at)) continue;
    state.emit(
      draft.kind === 'dialog'
        ? changed(draft, { status: dialogs })
        : changed(draft, { status: 'interrupted' }),
    );
    state.calls.delete(call);
  }
};

const takeBack = (state: FoldState, index: number, place: Place): void => {
  for (const { uuid } of state.context.prompts.slice(index)) {
    const open = state.prompts.get(uuid);
    if (open === undefined) continue;
    state.emit(changed(open.draft, { status: 'unsent' }));
    state.prompts.delete(uuid);
    state.evidence.push({ type: 'unsent', turn: id<TurnId>(uuid), offset: place.offset });
  }
  state.change({ prompts: state.context.prompts.slice(0, index) });
};

/**
 * A user row (a prompt, a shell line, a command) hangs on its parent: says what its place makes of
 * the rows before it.
 */
export const joinBranch = (
  state: FoldState,
  place: Place,
  parent: string | null | undefined,
): void => {
  const branch = branchOf(state.context, (uuid) => state.isRecent(uuid), parent);
  if (branch.kind === 'alive' || parent === undefined) return;
  if (branch.kind === 'unsent') {
    takeBack(state, branch.index, place);
    return;
  }
  const turnOffset = state.context.prompts[0]?.offset ?? 0;
  state.lookBacks.push({
    uuid: place.uuid ?? String(place.offset),
    parent,
    offset: place.offset,
    at: place.at,
    turnOffset,
    ...(branch.from === undefined ? {} : { from: branch.from }),
  });
};

/** A prompt begins a turn, or joins the one that has not been answered yet (several were queued). */
export const beginTurn = (
  state: FoldState,
  place: Place,
  parent: string | null | undefined,
): void => {
  const uuid = place.uuid ?? String(place.offset);
  const prompt = { uuid, offset: place.offset, ...(parent === undefined ? {} : { parent }) };
  const { isEnded, hasOutput, prompts } = state.context;
  const isNew = isEnded || hasOutput || prompts.length === 0;
  if (isNew) {
    endTurn(state);
    state.prompts.clear();
    state.forgetRows();
    closeCalls(state, 'superseded', () => true);
  }
  const before = isNew ? [] : prompts;
  state.change({
    prompts: [...before, prompt].slice(0, PROMPTS_OF_A_TURN),
    hasOutput: false,
    isEnded: false,
    lastWord: 'other',
    background: 0,
  });
};

/** The agent wrote something: prompts can no longer be un-sent, output of commands is over. */
export const noteOutput = (state: FoldState, place: Place, lastWord: 'agent' | 'other'): void => {
  state.prompts.clear();
  state.awaiting = undefined;
  if (state.context.isEnded) {
    const uuid = state.context.opener ?? place.uuid ?? String(place.offset);
    state.change({ prompts: [{ uuid, offset: place.offset }], background: 0 });
  }
  state.change({ hasOutput: true, isEnded: false, lastWord });
};
