import { stepsFor } from './commands.ts';
import { blockRow, hashOf, newId, promptRows } from './rows.ts';
import type { JsonObject, Step } from './script.ts';
import type { Moment, Tui, Turn, Via } from './state.ts';
import { timings } from './timings.ts';

export const writeRows = (
  tui: Tui,
  moment: Moment,
  rows: readonly JsonObject[],
  afterMs: number = timings.row,
): void => moment.emit({ type: 'rows', session: tui.chain.session, rows, afterMs });

export const later = (
  moment: Moment,
  turn: Turn,
  name: 'advance' | 'stream' | 'tool-done',
  ms: number,
) => moment.emit({ type: 'timer', timer: { name, turn: turn.id }, ms });

/** One or several prompts become one turn. */
export const startTurn = (
  tui: Tui,
  moment: Moment,
  prompts: readonly { readonly text: string; readonly sentAt?: number }[],
  via: Via,
  steps?: readonly Step[],
): void => {
  const leafBefore = tui.chain.leaf;
  const promptId = newId(tui.chain);
  const rows: JsonObject[] = [];
  for (const prompt of prompts) {
    rows.push(...promptRows(tui.chain, moment.at, { ...prompt, promptId, mode: tui.mode }));
    tui.shown.push({ kind: 'person', text: prompt.text });
    moment.emit({ type: 'truth', entry: { type: 'received', text: prompt.text, via } });
  }
  if (tui.wasUnsent) {
    rows.push({
      type: 'last-prompt',
      leafUuid: '00000000-0000-0000-0000-000000000000',
      sessionId: tui.chain.session,
      explicit: true,
    });
    tui.wasUnsent = false;
  }
  // The scripted API picks its reply from the last command among the prompts of a turn (observed with two in the queue).
  const texts = prompts.map((prompt) => prompt.text);
  const told = texts.findLast((text) => text.startsWith('#')) ?? texts.at(-1) ?? '';
  tui.turns += 1;
  tui.idles += 1;
  tui.hasFailed = false;
  const turn: Turn = {
    id: tui.turns,
    promptId,
    prompt: told,
    isTyped: via === 'typed',
    startedAt: moment.at,
    leafBefore,
    steps: steps ?? stepsFor(tui.script, told, tui.chain.cwd),
    hasToken: false,
    stream: undefined,
    messageId: '',
    requestId: '',
    blockIndex: 0,
    call: undefined,
    result: '',
  };
  tui.turn = turn;
  newMessage(tui, turn);
  writeRows(tui, moment, rows, timings.promptRow);
  moment.emit({ type: 'registry', patch: { status: 'busy' }, afterMs: timings.busy });
  later(moment, turn, 'advance', timings.firstToken);
};

/** The next API message begins. */
export const newMessage = (tui: Tui, turn: Turn): void => {
  turn.messageId = `msg_01${hashOf(tui.chain).slice(0, 24)}`;
  turn.requestId = `req_${hashOf(tui.chain).slice(0, 20)}`;
  turn.blockIndex = 0;
};

/** Writes one block of the turn's message; returns its row's uuid. */
export const writeBlock = (
  tui: Tui,
  moment: Moment,
  turn: Turn,
  block: JsonObject,
  isCut = false,
): string => {
  const next = turn.steps[0]?.type;
  const usesTool =
    block.type === 'tool_use' || next === 'tool' || next === 'ask' || next === 'plan';
  const row = blockRow(tui.chain, moment.at, {
    messageId: turn.messageId,
    requestId: turn.requestId,
    index: turn.blockIndex,
    block,
    stopReason: isCut ? null : usesTool ? 'tool_use' : 'end_turn',
  });
  turn.blockIndex += 1;
  writeRows(tui, moment, [row]);
  return row.uuid;
};
