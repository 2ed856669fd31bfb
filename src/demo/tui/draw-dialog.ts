import type { DialogQuestion } from '../../bridge/model/conversation.ts';
import { blue, bold, grey, placeholder, reverse, rule, style } from './draw-style.ts';
import {
  answersOf,
  hasPreview,
  hasReview,
  isTyping,
  type QuestionPicker,
  rowsOf,
} from './picker.ts';
import { widthOf, wrap } from './text.ts';

const chip = (text: string): string => style('38;5;16;48;5;153', text);

const tabs = (picker: QuestionPicker): string => {
  const heads = picker.questions.map((question, i) => {
    const chosen = picker.chosen[i];
    const isAnswered = chosen !== undefined && (chosen.options.length > 0 || chosen.hasWords);
    const text = ` ${isAnswered ? '☒' : '☐'} ${question.header} `;
    return i === picker.page ? chip(text) : text;
  });
  if (!hasReview(picker)) return heads.join('');
  const submit = ' ✔ Submit ';
  const isReview = picker.page === picker.questions.length;
  return `← ${heads.join('')}${isReview ? chip(submit) : submit} →`;
};

const wordsEntry = (picker: QuestionPicker, isMulti: boolean): string => {
  const { words } = picker.chosen[picker.page] ?? { words: '' };
  const label = isMulti ? 'Type something' : 'Type something.';
  if (!isTyping(picker)) return words === '' ? grey(label) : words;
  return words === '' ? placeholder(label) : words.replaceAll('\n', ' ') + reverse(' ');
};

const entryLines = (picker: QuestionPicker, question: DialogQuestion): string[] => {
  const chosen = picker.chosen[picker.page];
  let number = 0;
  return rowsOf(question).flatMap((kind, row) => {
    const isHere = row === picker.cursor;
    const sign = isHere ? `${blue('❯')} ` : '  ';
    if (kind === 'submit') return [`${sign}   ${bold('Submit')}`];
    if (kind === 'chat') return [];
    number += 1;
    const isOn = kind === 'option' ? chosen?.options.includes(row) : chosen?.hasWords;
    const box = question.multiSelect ? (isOn ? `${style('38;5;114', '[✔]')} ` : '[ ] ') : '';
    const head = `${sign}${grey(`${number}.`)} ${box}`;
    if (kind === 'words') return [head + wordsEntry(picker, question.multiSelect)];
    const option = question.options[row];
    const label = option?.label ?? '';
    const indent = question.multiSelect ? '         ' : '     ';
    return [
      head + (isHere ? blue(label) : label),
      ...(option?.description ? [indent + grey(option.description)] : []),
    ];
  });
};

const previewLines = (picker: QuestionPicker, question: DialogQuestion): string[] => {
  const left = question.options.map((option, i) => {
    const label = `${i === picker.cursor ? '❯' : ' '} ${i + 1}. ${option.label}`;
    const pad = ' '.repeat(Math.max(1, 34 - widthOf(label)));
    return (i === picker.cursor ? blue(label) : label) + pad;
  });
  const inside = (question.options[picker.cursor]?.preview ?? '').split('\n');
  const right = [
    `┌${'─'.repeat(42)}┐`,
    ...inside.map((line) => `│ ${line}${' '.repeat(Math.max(0, 41 - widthOf(line)))}│`),
    `└${'─'.repeat(42)}┘`,
  ];
  const height = Math.max(left.length, right.length);
  return [
    ...Array.from({ length: height }, (_, i) => (left[i] ?? ' '.repeat(34)) + grey(right[i] ?? '')),
    '',
    `${' '.repeat(34)}${blue('Notes:')} ${style('3;38;5;246', 'press n to add notes')}`,
    '',
  ];
};

const reviewLines = (picker: QuestionPicker): string[] => {
  const { answers } = answersOf(picker.questions, picker.chosen);
  const lines = picker.questions.flatMap((question) => {
    const answer = answers[question.question];
    if (answer === undefined) return [];
    return [` ● ${question.question}`, `   ${style('38;5;114', `→ ${answer}`)}`];
  });
  const isWhole = Object.keys(answers).length === picker.questions.length;
  const warning = style('38;5;220', '⚠ Some questions are unanswered');
  const entry = (row: number, label: string): string =>
    picker.cursor === row
      ? `${blue('❯')} ${grey(`${row + 1}. `)}${blue(label)}`
      : `  ${grey(`${row + 1}. `)}${label}`;
  return [
    bold('Review your answers'),
    '',
    ...(isWhole ? [] : [warning, '']),
    ...lines,
    '',
    entry(0, 'Submit answers'),
    entry(1, 'Cancel'),
  ];
};

/** The lines of an open question, from its rule to its footer. */
export const drawQuestion = (picker: QuestionPicker, columns: number): string[] => {
  const question = picker.questions[picker.page];
  const head = [rule(columns, 246), tabs(picker), ''];
  if (!question) return [...head, ...reviewLines(picker), ''];
  const rows = rowsOf(question);
  const chatRow = rows.length - 1;
  const chatNumber = rows.filter((kind) => kind !== 'submit').length;
  const chat = hasPreview(question) ? 'Chat about this' : `${chatNumber}. Chat about this`;
  const keys = picker.questions.length > 1 ? 'Tab/Arrow keys to navigate' : '↑/↓ to navigate';
  const notes = hasPreview(question)
    ? ' · n to add notes'
    : isTyping(picker)
      ? ' · ctrl+g to edit in Vim'
      : '';
  return [
    ...head,
    ...wrap(question.question, columns).map((line) => bold(line.text)),
    '',
    ...(hasPreview(question) ? previewLines(picker, question) : entryLines(picker, question)),
    rule(columns, 246),
    picker.cursor === chatRow ? `${blue('❯')} ${blue(chat)}` : `  ${chat}`,
    '',
    ...wrap(`Enter to select · ${keys}${notes} · Esc to cancel`, columns).map((l) => grey(l.text)),
  ];
};
