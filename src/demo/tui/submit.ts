import { stepsOfCommand } from './commands.ts';
import { draftOf, emptyDraft, expand } from './draft.ts';
import { enqueueRow, popAllRow } from './queue-rows.ts';
import { hashOf } from './rows.ts';
import { isPrompt, runSent } from './sent.ts';
import type { Moment, Sent, Tui } from './state.ts';
import { trimPrompt } from './text.ts';
import { timings } from './timings.ts';
import { startTurn, writeRows } from './turn-start.ts';

/** Enter in the input box. */
export const submit = (tui: Tui, moment: Moment): void => {
  const { draft } = tui;
  if (draft.text.slice(0, draft.cursor).endsWith('\\')) {
    const head = draft.text.slice(0, draft.cursor - 1);
    tui.draft = { ...draft, text: `${head}\n${draft.text.slice(draft.cursor)}` };
    return;
  }
  const trimmed = { ...draft, text: trimPrompt(draft.text) };
  if (trimmed.text.trim() === '') return;
  const text = expand(trimmed, hashOf(tui.chain).slice(0, 4));
  const sent: Sent = { text, isShell: tui.isShell, sentAt: moment.at };
  tui.draft = emptyDraft;
  tui.hint = undefined;
  tui.isShell = false;
  if (tui.turn) {
    tui.queue.push(sent);
    writeRows(tui, moment, [enqueueRow(tui.chain, moment.at, text)], timings.promptRow);
  } else if (isPrompt(sent)) startTurn(tui, moment, [{ text }], 'typed');
  else runSent(tui, moment, sent);
};

/** A scene of the script: the prompt comes by itself, if the run is idle and nobody is at it. */
export const playScene = (tui: Tui, moment: Moment, idles: number): void => {
  const scene = tui.script.scenes[tui.scene];
  const isFree = tui.idles === idles && !tui.turn && !tui.dialog && tui.draft.text === '';
  if (!scene || !isFree) return;
  tui.scene += 1;
  const steps = stepsOfCommand(scene.prompt, tui.chain.cwd) ?? scene.steps;
  startTurn(tui, moment, [{ text: scene.prompt }], 'scene', steps);
};

/** Up in an empty box takes what waits in the queue back into it. */
export const takeBackQueue = (tui: Tui, moment: Moment): void => {
  const text = tui.queue.map((waiting) => waiting.text).join('\n');
  const rows = tui.queue.map((waiting) => popAllRow(tui.chain, moment.at, waiting.text));
  tui.queue = [];
  tui.draft = draftOf(text);
  writeRows(tui, moment, rows);
};
