import {
  clearedRows,
  compactedRows,
  costStateRow,
  shellRows,
  unknownCommandRows,
} from './command-rows.ts';
import { present } from './dialog-open.ts';
import { newId } from './rows.ts';
import type { Moment, Sent, Tui } from './state.ts';
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

const isCommand = (text: string): boolean => {
  const command = commandIn(text);
  return command !== undefined && (known.includes(command.name) || !command.isIndented);
};

/** Whether the agent gets it as a prompt; else it is a shell line, a command, or lost. */
export const isPrompt = (sent: Sent): boolean => !sent.isShell && !isCommand(sent.text);

/** Does what was sent that is no prompt. A shell line starts a turn, the others do not. */
export const runSent = (tui: Tui, moment: Moment, { text, isShell }: Sent): void => {
  const command = commandIn(text);
  if (isShell) runShell(tui, moment, text);
  else if (command && known.includes(command.name)) runCommand(tui, moment, command.name);
  else if (command) {
    moment.emit({ type: 'truth', entry: { type: 'lost', text } });
    tui.shown.push({ kind: 'warning', text: `Unknown command: /${command.name}` });
    const rows = unknownCommandRows(tui.chain, moment.at, `/${command.name}`, command.args);
    writeRows(tui, moment, rows);
  }
};
