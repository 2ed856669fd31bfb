import { id, type TurnId } from '../../bridge/model/ids.ts';
import { comparable } from './evidence.ts';
import { boundedOutput, changed, joined } from './fold-item.ts';
import type { CommandMark } from './fold-markup.ts';
import { detailsOf, finishedDialog, finishedTool } from './fold-result.ts';
import type { FoldState, Place } from './fold-state.ts';
import { beginTurn, endTurn, joinBranch, noteOutput } from './fold-turn.ts';
import { meaningOf, type UserMeaning, wordsOf } from './fold-user.ts';
import type { Block, UserRow } from './schema.ts';

const foldResults = (
  state: FoldState,
  row: UserRow,
  results: readonly Block[],
  place: Place,
): void => {
  const details = detailsOf(row);
  for (const block of results) {
    const call = block.tool_use_id;
    const open = call === undefined ? undefined : state.calls.get(call);
    if (call === undefined || open === undefined) continue;
    const started = state.agentCalls.get(call);
    if (started !== undefined && details.agentId !== undefined) started.agent = details.agentId;
    state.emit(
      open.draft.kind === 'dialog'
        ? finishedDialog(open.draft, row, block, details)
        : finishedTool(open.draft, row, block, details),
    );
    state.calls.delete(call);
  }
  if (place.parent === undefined) noteOutput(state, place, 'other');
};

type Prompt = Extract<UserMeaning, { kind: 'prompt' }>;

const foldPrompt = (state: FoldState, row: UserRow, prompt: Prompt, place: Place): void => {
  joinBranch(state, place, row.parentUuid);
  beginTurn(state, place, row.parentUuid);
  const draft = joined(state.base(place, 0), {
    kind: 'text',
    role: 'user',
    origin: prompt.origin,
    text: prompt.text,
    status: 'sent',
  } as const);
  state.emit(draft);
  if (place.uuid !== undefined) state.prompts.set(place.uuid, state.opened(draft, place));
  if (prompt.origin !== 'person' && prompt.origin !== 'queued') return;
  state.evidence.push({
    type: 'user-row',
    text: comparable(wordsOf(row.message.content)),
    offset: place.offset,
    source: prompt.origin === 'queued' ? 'queued' : 'typed',
    turn: id<TurnId>(place.uuid ?? String(place.offset)),
  });
};

/** Commands and shell lines, in user rows and in `local_command` rows alike. */
export const foldMark = (
  state: FoldState,
  mark: CommandMark,
  place: Place,
  parent: string | null | undefined,
): void => {
  if (mark.kind === 'caveat') return;
  if (mark.kind === 'output') {
    const open = state.awaiting;
    if (open === undefined || mark.text === '') return;
    state.awaiting = { ...open, draft: changed(open.draft, { detail: mark.text }) };
    state.emit(state.awaiting.draft);
    return;
  }
  joinBranch(state, place, parent);
  if (mark.kind === 'shell') beginTurn(state, place, parent);
  else state.change({ opener: place.uuid });
  const isClear = mark.kind === 'command' && mark.name === '/clear';
  const draft = {
    ...state.base(place, 0),
    kind: 'lifecycle',
    event: mark.kind === 'shell' ? 'shell' : isClear ? 'cleared' : 'command',
    text: mark.text,
  } as const;
  state.awaiting = state.opened(draft, place);
  state.emit(draft);
  const text = mark.kind === 'shell' ? `!${mark.text}` : mark.text;
  state.evidence.push({ type: 'command', text, offset: place.offset });
};

const foldInterrupt = (state: FoldState, text: string, place: Place): void => {
  state.emit({
    ...state.base(place, 0),
    kind: 'lifecycle',
    event: 'interrupted',
    text: text.replace(/^\[|\]$/g, ''),
  });
  if (place.parent !== undefined) return;
  noteOutput(state, place, 'other');
  endTurn(state);
  state.evidence.push({ type: 'interrupted', offset: place.offset });
};

/** The summary that takes the place of a compacted conversation belongs to its boundary. */
const foldSummary = (state: FoldState, text: string): void => {
  const open = state.awaiting;
  if (open?.draft.event !== 'compacted') return;
  state.emit(changed(open.draft, { detail: boundedOutput(text) }));
  state.awaiting = undefined;
};

/** A row of type `user`: seldom a person. */
export const foldUser = (state: FoldState, row: UserRow, place: Place): void => {
  const meaning = meaningOf(row);
  switch (meaning.kind) {
    case 'results':
      foldResults(state, row, meaning.results, place);
      break;
    case 'interrupted':
      foldInterrupt(state, meaning.text, place);
      break;
    case 'prompt':
      // In a subagent's rows the prompt is the call's own input.
      if (place.parent === undefined && state.options.under === undefined) {
        foldPrompt(state, row, meaning, place);
      }
      break;
    case 'mark':
      foldMark(state, meaning.mark, place, row.parentUuid);
      break;
    case 'summary':
      foldSummary(state, meaning.text);
      break;
    case 'machine':
      if (place.parent === undefined) state.change({ opener: place.uuid });
  }
};
