import { type DialogId, id } from '../../bridge/model/ids.ts';
import { boundedInput, joined } from './fold-item.ts';
import type { FoldState, Place } from './fold-state.ts';
import { dialogContentOf, isDialogTool, jsonText, summaryOf } from './fold-tool.ts';
import { endTurn, noteOutput } from './fold-turn.ts';
import { wordsOf } from './fold-user.ts';
import { type AssistantRow, type Block, contentOf } from './schema.ts';

const LIMIT = /\blimit reached\b|\bhit your\b.*\blimit\b|\breached your\b.*\blimit\b/i;

const isLimit = (row: AssistantRow, text: string): boolean =>
  row.error === 'rate_limit' || row.apiErrorStatus === 429 || LIMIT.test(text);

const foldError = (state: FoldState, row: AssistantRow, place: Place): void => {
  const text = wordsOf(row.message.content);
  state.emit({
    ...state.base(place, 0),
    kind: 'lifecycle',
    event: isLimit(row, text) ? 'limit-reached' : 'api-error',
    text,
  });
  if (place.parent !== undefined) return;
  noteOutput(state, place, 'other');
  endTurn(state);
};

const foldCall = (state: FoldState, place: Place, index: number, block: Block): void => {
  const name = block.name ?? 'unknown tool';
  const call = block.id ?? `${place.uuid ?? place.offset}.${index}`;
  const base = state.base(place, index, call);
  const json = jsonText(block.input);
  const draft = isDialogTool(name)
    ? joined(base, {
        kind: 'dialog',
        dialog: id<DialogId>(call),
        content: dialogContentOf(name, block.input),
        status: 'open',
      } as const)
    : joined(base, {
        kind: 'tool',
        name,
        summary: summaryOf(name, block.input, json),
        input: boundedInput(json),
        status: 'running',
      } as const);
  state.openCall(call, draft, place);
  state.emit(draft);
};

const foldText = (
  state: FoldState,
  row: AssistantRow,
  place: Place,
  index: number,
  block: Block,
): void => {
  const isThinking = block.type === 'thinking';
  const text = (isThinking ? block.thinking : block.text) ?? '';
  if (text.trim() === '') return;
  const draft = joined(state.base(place, index), {
    kind: 'text',
    role: 'agent',
    origin: isThinking ? 'thinking' : 'agent',
    text,
    status: row.isAbortedMidStream ? 'partial' : 'sent',
  } as const);
  state.emit(draft);
  if (place.parent !== undefined) return;
  const isWord = !isThinking && draft.status === 'sent';
  noteOutput(state, place, isWord ? 'agent' : 'other');
  if (!isThinking) state.lastText = state.opened(draft, place);
};

/** One row of the agent: usually one block, of text, thinking or a call. */
export const foldAssistant = (state: FoldState, row: AssistantRow, place: Place): void => {
  if (row.isApiErrorMessage) {
    foldError(state, row, place);
    return;
  }
  const { content } = row.message;
  const blocks =
    typeof content === 'string' ? contentOf([{ type: 'text', text: content }]) : content;
  if (blocks === undefined || typeof blocks === 'string') return;
  blocks.forEach((block, index) => {
    if (block.type === 'text' || block.type === 'thinking') {
      foldText(state, row, place, index, block);
    } else if (block.type === 'tool_use' || block.type === 'server_tool_use') {
      foldCall(state, place, index, block);
      if (place.parent === undefined) noteOutput(state, place, 'other');
    }
  });
};
