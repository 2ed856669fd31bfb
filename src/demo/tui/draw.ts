import { cursorLine, visualLines } from './draft.ts';
import { drawQuestion } from './draw-dialog.ts';
import { drawMenu } from './draw-menu.ts';
import {
  bold,
  grey,
  hanging,
  placeholder,
  promptSign,
  reverse,
  rightAligned,
  rule,
  style,
} from './draw-style.ts';
import type { Shown, Tui } from './state.ts';
import { graphemes } from './text.ts';

const header = (tui: Tui): string[] => [
  '',
  `${style('38;5;174', ' ▐')}${style('38;5;174;48;5;16', '▛███▛█')}   ${bold('Claude Code')} ${grey(`v${tui.chain.version}`)}`,
  `${style('38;5;174', '▝▜')}${style('38;5;174;48;5;16', '█████')}${style('38;5;174', '█▀')}  ${grey('Scripted agent · no model behind it')}`,
  `${style('38;5;174', ' ▝▝   ▝▝ ')}  ${grey(tui.chain.cwd)}`,
  '',
  '',
];

/** What a person said stands on a background; what waits is grey, with its sign. */
const person = (text: string, columns: number, isWaiting: boolean, mark = '❯ '): string[] => {
  const colour = `38;5;${isWaiting ? 246 : 231};48;5;237`;
  const sign = isWaiting ? style(colour, mark) : style('48;5;237', mark);
  return hanging(mark, text, columns - 2).map((line, i) =>
    i === 0 ? sign + style(colour, line.slice(2)) : style(colour, line),
  );
};

const shownLines = (shown: Shown, columns: number): string[] => {
  switch (shown.kind) {
    case 'person':
      return [...person(shown.text, columns, false), ''];
    case 'agent':
      return [...hanging('● ', shown.text, columns - 2), ''];
    case 'tool':
      return [`  ${grey(shown.text)}`, ''];
    case 'done':
      return [`${grey('✻')} ${grey(shown.text)}`, ''];
    case 'note':
      return [`${grey('  ⎿ \u00a0')}${grey(shown.text)}`, ''];
    case 'warning':
      return [...hanging('  ⎿ \u00a0', shown.text, columns - 2).map(grey), ''];
    case 'answered':
      return [
        `${grey('●')} ${shown.isDeclined ? "Declined to answer Claude's questions:" : "Answered Claude's questions:"}`,
        ...shown.lines.map((line, i) => grey(`${i === 0 ? '  ⎿ \u00a0' : '     '}· ${line}`)),
        '',
      ];
    case 'shell':
      return [
        `${style('38;5;211;48;5;59', '! ')}${style('38;5;231;48;5;59', shown.command)}`,
        `${grey('  ⎿ \u00a0')}${shown.output || '(No output)'}`,
        '',
      ];
  }
};

const isBusy = (tui: Tui): boolean => tui.turn !== undefined;

/** What the running turn shows below the messages: the text that streams, or a spinner; then what waits. */
const liveLines = (tui: Tui, hasDialog: boolean): string[] => {
  const lines: string[] = [];
  const { turn } = tui;
  if (turn?.stream) {
    lines.push(...hanging('● ', turn.stream.text.slice(0, turn.stream.shown), tui.columns - 2), '');
  } else if (tui.dialog && !hasDialog) {
    lines.push(grey('  Waiting for permission…'), '');
  } else if (turn && !hasDialog) {
    lines.push(`${style('38;5;174', '·')} ${style('38;5;174', 'Tinkering…')}`, '');
  }
  for (const { text, isShell } of tui.queue) {
    lines.push(...person(text, tui.columns, true, isShell ? '! ' : '❯ '));
  }
  if (tui.queue.length > 0) {
    lines.push(...(hasDialog ? [] : [grey('  ⎿  Queued · ctrl+x ctrl+s to send now')]), '');
  }
  return lines;
};

/** How many lines of a draft are shown at most (measured from 10 to 40 rows). */
const visibleLines = (tui: Tui): number => Math.max(3, Math.floor(tui.rows / 2) - 5);

/** The first line that is shown: the one with the cursor stays in sight. */
const firstVisible = (tui: Tui, count: number, here: number): number =>
  Math.max(0, Math.min(here - visibleLines(tui) + 1, count - visibleLines(tui)));

/** A rule that says how much of the draft is out of sight. */
const boxRule = (columns: number, colour: number, arrow: '↑' | '↓', hidden: number): string => {
  if (hidden === 0) return rule(columns, colour);
  const note = ` ${arrow} ${hidden} more `;
  return rule(3, colour) + style('2', note) + rule(columns - 3 - note.length, colour);
};

const draftLines = (tui: Tui): { lines: string[]; above: number; below: number } => {
  const { draft } = tui;
  const sign = tui.isShell
    ? style('38;5;211', '!\u00a0')
    : isBusy(tui)
      ? grey(promptSign)
      : promptSign;
  if (draft.text === '') {
    const hint =
      tui.queue.length > 0
        ? 'Press up to edit queued messages'
        : tui.hasFailed
          ? 'Resend your message to try again'
          : undefined;
    return { lines: [sign + (hint ? placeholder(hint) : reverse(' '))], above: 0, below: 0 };
  }
  const lines = visualLines(draft, tui.columns);
  const here = cursorLine(lines, draft.cursor);
  const first = firstVisible(tui, lines.length, here);
  const shown = lines.map(({ text, start }, i) => {
    const prefix = i === 0 ? sign : '  ';
    if (i !== here) return prefix + text;
    const offset = draft.cursor - start;
    const under = graphemes(text.slice(offset))[0] ?? '';
    const rest = text.slice(offset + under.length);
    return prefix + text.slice(0, offset) + reverse(under || ' ') + rest;
  });
  const last = first + visibleLines(tui);
  return {
    lines: shown.slice(first, last),
    above: first,
    below: Math.max(0, lines.length - last),
  };
};

const footer = (tui: Tui): string => {
  if (tui.hint === 'exit') return grey('Press Ctrl-C again to exit');
  if (tui.hint === 'expand') return grey('paste again to expand');
  if (tui.isShell) return style('38;5;211', '! for shell mode');
  const isAuto = tui.mode === 'auto';
  const mode = isAuto ? style('38;5;220', '⏵⏵ auto mode on') : grey('⏸ manual mode on');
  if (tui.draft.text !== '') return mode;
  return mode + grey(isBusy(tui) ? ' · esc to interrupt' : ' · ? for shortcuts');
};

const boxLines = (tui: Tui): string[] => {
  const colour = tui.isShell ? 211 : 244;
  const above =
    tui.hint === 'clear'
      ? 'esc again to clear'
      : tui.draft.text.includes('\n')
        ? 'ctrl+g to edit in Vim'
        : '◐ medium · /effort';
  const box = draftLines(tui);
  return [
    rightAligned(tui.columns, above),
    boxRule(tui.columns, colour, '↑', box.above),
    ...box.lines,
    boxRule(tui.columns, colour, '↓', box.below),
    `  ${footer(tui)}`,
  ];
};

const transcriptView = (tui: Tui): string[] => [
  style('2', '─'.repeat(tui.columns)),
  `  ${grey('Showing detailed transcript · ctrl+o to toggle · ↑/↓ to scroll')}`,
];

const bottomLines = (tui: Tui): string[] => {
  if (tui.isTranscriptView) return transcriptView(tui);
  const picker = tui.dialog?.isVisible ? tui.dialog.picker : undefined;
  if (!picker) return boxLines(tui);
  return picker.kind === 'question'
    ? drawQuestion(picker, tui.columns)
    : drawMenu(picker, tui.columns, tui.chain.cwd);
};

/** The screen: exactly as many lines as the terminal has rows. */
export const draw = (tui: Tui): string[] => {
  const fill = (count: number): string[] => Array.from({ length: Math.max(0, count) }, () => '');
  const bottom = bottomLines(tui);
  if (tui.phase === 'trust')
    return [...bottom, ...fill(tui.rows - bottom.length)].slice(0, tui.rows);
  const hasDialog = tui.dialog?.isVisible === true;
  const top =
    tui.phase === 'starting'
      ? header(tui)
      : [
          ...header(tui),
          ...tui.shown.flatMap((shown) => shownLines(shown, tui.columns)),
          ...liveLines(tui, hasDialog),
        ];
  const room = Math.max(0, tui.rows - bottom.length);
  const seen =
    top.length > room ? top.slice(top.length - room) : [...top, ...fill(room - top.length)];
  return [...seen, ...bottom].slice(-tui.rows);
};
