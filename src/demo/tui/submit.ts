import { stepsOfCommand } from './commands.ts';
import { present } from './dialog-open.ts';
import { draftOf, emptyDraft, expand } from './draft.ts';
import {
  clearedRows,
  compactedRows,
  costStateRow,
  enqueueRow,
  popAllRow,
  shellRows,
  unknownCommandRows,
} from './more-rows.ts';
import { hashOf, newId } from './rows.ts';
import type { Moment, Tui } from './state.ts';
import { trimPrompt } from './text.ts';
import { timings } from './timings.ts';
import { startTurn, writeRows } from './turn-start.ts';

/** A leading `/word` that is no path: a command, whether there is one of that name or not. */
const commandIn = (
  text: string,
): { name: string; args: string; isIndented: boolean } | undefined => {
  const match = /^(\s*)\/([A-Za-z][\w:-]*)(?:\s+([\s\S]*))?$/.exec(text);
  if (!match) return undefined;
  return { name: match[2] ?? '', args: match[3] ?? '', isIndented: match[1] !== '' };
};

const known = ['clear', 'compact', 'exit', 'quit', 'status'];

const clearSession = (tui: Tui, moment: Moment): void => {
  writeRows(tui, moment, [costStateRow(tui.chain)]);
  tui.chain.session = newId(tui.chain);
  tui.chain.leaf = null;
  tui.chain.hasBegun = true;
  tui.chain.prompts = 0;
  tui.shown = [];
  moment.emit({ type: 'registry', patch: { sessionId: tui.chain.session }, afterMs: 20 });
  writeRows(tui, moment, clearedRows(tui.chain, moment.at), 30);
};

const runCommand = (tui: Tui, moment: Moment, name: string): void => {
  moment.emit({ type: 'truth', entry: { type: 'command', name } });
  switch (name) {
    case 'clear':
      clearSession(tui, moment);
      return;
    case 'compact':
      tui.shown = [{ kind: 'done', text: 'Conversation compacted (ctrl+o for history)' }];
      writeRows(tui, moment, compactedRows(tui.chain, moment.at), 80);
      return;
    case 'status':
      present(tui, moment, {
        kind: 'menu',
        title: 'Status',
        entries: [`Version: ${tui.chain.version}`, `cwd: ${tui.chain.cwd}`],
        cursor: 0,
      });
      return;
    default:
      moment.emit({ type: 'exit', code: 0 });
      return;
  }
};

const runShell = (tui: Tui, moment: Moment, command: string): void => {
  const stdout = /^echo (.*)$/.exec(command)?.[1] ?? '';
  moment.emit({ type: 'truth', entry: { type: 'shell', command } });
  tui.shown.push({ kind: 'shell', command, output: stdout });
  const rows = shellRows(tui.chain, moment.at, newId(tui.chain), command, stdout);
  writeRows(tui, moment, rows, timings.promptRow);
  // A model turn follows a shell command (observed); it says what it saw.
  startTurn(tui, moment, [], 'typed', [{ type: 'say', text: `ACK !${command}` }]);
};

/** Enter in the input box. */
export const submit = (tui: Tui, moment: Moment): void => {
  const { draft } = tui;
  if (draft.text.slice(0, draft.cursor).endsWith('\\')) {
    const head = draft.text.slice(0, draft.cursor - 1);
    tui.draft = { ...draft, text: `${head}\n${draft.text.slice(draft.cursor)}` };
    return;
  }
  const text = trimPrompt(expand(draft, hashOf(tui.chain).slice(0, 4)));
  if (text.trim() === '') return;
  tui.draft = emptyDraft;
  tui.hint = undefined;
  const isShell = tui.isShell;
  tui.isShell = false;
  if (tui.turn) {
    tui.queue.push({ text, sentAt: moment.at });
    writeRows(tui, moment, [enqueueRow(tui.chain, moment.at, text)], timings.promptRow);
    return;
  }
  if (isShell) {
    runShell(tui, moment, text);
    return;
  }
  const command = commandIn(text);
  if (command && known.includes(command.name)) {
    runCommand(tui, moment, command.name);
    return;
  }
  if (command && !command.isIndented) {
    moment.emit({ type: 'truth', entry: { type: 'lost', text } });
    tui.shown.push({ kind: 'warning', text: `Unknown command: /${command.name}` });
    const rows = unknownCommandRows(tui.chain, moment.at, `/${command.name}`, command.args);
    writeRows(tui, moment, rows);
    return;
  }
  startTurn(tui, moment, [{ text }], 'typed');
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
  tui.queue = [];
  tui.draft = draftOf(text);
  writeRows(tui, moment, [popAllRow(tui.chain, moment.at, text)]);
};
