import type { DialogQuestion } from '../../bridge/model/conversation.ts';
import type { InputEvent } from './keys.ts';
import { normalisePaste } from './text.ts';

/** What was chosen or typed for one question so far. */
export interface Chosen {
  readonly options: readonly number[];
  readonly words: string;
  /** Where several may be chosen: the row for own words is ticked. */
  readonly hasWords: boolean;
}

const nothing: Chosen = { options: [], words: '', hasWords: false };

/** A question picker. `page` counts questions; the page after the last one is the review. */
export interface QuestionPicker {
  readonly kind: 'question';
  readonly questions: readonly DialogQuestion[];
  readonly page: number;
  /** Row under the cursor: the options, then "Type something", for several choices "Submit", then "Chat about this". */
  readonly cursor: number;
  readonly chosen: readonly Chosen[];
}

export type PickerOutcome =
  | { readonly type: 'open'; readonly picker: QuestionPicker }
  | { readonly type: 'answered'; readonly chosen: readonly Chosen[] }
  | { readonly type: 'declined' }
  | { readonly type: 'clarify' };

export const openQuestions = (questions: readonly DialogQuestion[]): QuestionPicker => ({
  kind: 'question',
  questions,
  page: 0,
  cursor: 0,
  chosen: questions.map(() => nothing),
});

/** A single question that takes one choice has no review page. */
export const hasReview = (picker: QuestionPicker): boolean =>
  picker.questions.length > 1 || picker.questions.some((q) => q.multiSelect);

export const hasPreview = (question: DialogQuestion): boolean =>
  question.options.some((option) => option.preview !== undefined);

/** Rows of a page by what Enter or its digit does there. */
export type PickerRow = 'option' | 'words' | 'submit' | 'chat';
export const rowsOf = (question: DialogQuestion): readonly PickerRow[] => [
  ...question.options.map((): PickerRow => 'option'),
  ...(hasPreview(question) ? [] : (['words'] as const)),
  ...(question.multiSelect ? (['submit'] as const) : []),
  'chat',
];

const open = (picker: QuestionPicker): PickerOutcome => ({ type: 'open', picker });

const withChosen = (picker: QuestionPicker, chosen: Chosen): QuestionPicker => ({
  ...picker,
  chosen: picker.chosen.map((old, i) => (i === picker.page ? chosen : old)),
});

const turnTo = (picker: QuestionPicker, page: number): QuestionPicker => ({
  ...picker,
  page: Math.max(0, Math.min(page, picker.questions.length)),
  cursor: 0,
});

const advance = (picker: QuestionPicker): PickerOutcome =>
  hasReview(picker)
    ? open(turnTo(picker, picker.page + 1))
    : { type: 'answered', chosen: picker.chosen };

const current = (picker: QuestionPicker): Chosen => picker.chosen[picker.page] ?? nothing;

/** On the row for own words every text goes into it, digits as well. */
export const isTyping = (picker: QuestionPicker): boolean => {
  const question = picker.questions[picker.page];
  return question !== undefined && rowsOf(question)[picker.cursor] === 'words';
};

const choose = (picker: QuestionPicker, question: DialogQuestion, row: number): PickerOutcome => {
  const { options } = current(picker);
  if (!question.multiSelect) {
    return advance(withChosen(picker, { ...nothing, options: [row] }));
  }
  const toggled = options.includes(row) ? options.filter((o) => o !== row) : [...options, row];
  return open(withChosen(picker, { ...current(picker), options: toggled.sort((a, b) => a - b) }));
};

/** Enter on a row, or its digit. */
const act = (picker: QuestionPicker, question: DialogQuestion, row: number): PickerOutcome => {
  switch (rowsOf(question)[row]) {
    case 'option':
      return choose(picker, question, row);
    case 'words':
      // Where several may be chosen the digit ticks the row; the cursor has to go there to type.
      return question.multiSelect
        ? open(withChosen(picker, { ...current(picker), hasWords: !current(picker).hasWords }))
        : open({ ...picker, cursor: row });
    case 'submit':
      return advance(picker);
    case 'chat':
      return { type: 'clarify' };
    default:
      return open(picker);
  }
};

const typeWords = (picker: QuestionPicker, text: string): PickerOutcome =>
  open(
    withChosen(picker, {
      ...current(picker),
      words: current(picker).words + text,
      hasWords: true,
    }),
  );

const pressReview = (picker: QuestionPicker, event: InputEvent): PickerOutcome => {
  if (event.type === 'key') {
    if (event.key === 'left') return open(turnTo(picker, picker.page - 1));
    if (event.key === 'up') return open({ ...picker, cursor: 0 });
    if (event.key === 'down') return open({ ...picker, cursor: 1 });
  }
  const digit = event.type === 'text' ? event.text : '';
  const row = event.type === 'key' && event.key === 'enter' ? picker.cursor : Number(digit) - 1;
  if (row === 0) return { type: 'answered', chosen: picker.chosen };
  return row === 1 ? { type: 'declined' } : open(picker);
};

const pressWhileTyping = (
  picker: QuestionPicker,
  question: DialogQuestion,
  event: InputEvent,
): PickerOutcome | undefined => {
  if (event.type === 'text') return typeWords(picker, event.text);
  if (event.type === 'paste') return typeWords(picker, normalisePaste(event.text));
  const { words } = current(picker);
  if (event.key === 'backspace')
    return open(withChosen(picker, { ...current(picker), words: words.slice(0, -1) }));
  if (event.key === 'left' || event.key === 'right') return open(picker);
  if (event.key === 'tab' && question.multiSelect)
    return open({ ...picker, cursor: picker.cursor + 1 });
  if (event.key !== 'enter' || question.multiSelect) return undefined;
  if (words.trim() === '') return { type: 'declined' };
  return advance(withChosen(picker, { ...nothing, words: words.trim(), hasWords: true }));
};

/** One key, chunk or paste on an open question. Several characters in one chunk do nothing (observed). */
export const pressQuestion = (picker: QuestionPicker, event: InputEvent): PickerOutcome => {
  if (event.type === 'key' && event.key === 'escape') return { type: 'declined' };
  const question = picker.questions[picker.page];
  if (!question) return pressReview(picker, event);
  const rows = rowsOf(question);
  const wordsRow = rows.indexOf('words');
  if (isTyping(picker)) {
    const typed = pressWhileTyping(picker, question, event);
    if (typed) return typed;
  }
  if (event.type === 'paste') {
    if (wordsRow === -1) return open(picker);
    return typeWords({ ...picker, cursor: wordsRow }, normalisePaste(event.text));
  }
  if (event.type === 'text') {
    if (event.text === ' ')
      return question.multiSelect ? act(picker, question, picker.cursor) : open(picker);
    if (!/^[1-9]$/.test(event.text)) return open(picker);
    const digit = Number(event.text) - 1;
    const row = rows.flatMap((name, i) => (name === 'submit' ? [] : [i]))[digit];
    if (row === undefined) return open(picker);
    return hasPreview(question) ? open({ ...picker, cursor: row }) : act(picker, question, row);
  }
  switch (event.key) {
    case 'enter':
      return act(picker, question, picker.cursor);
    case 'up':
      return open({
        ...picker,
        cursor: picker.cursor === 0 ? Math.max(0, wordsRow) : picker.cursor - 1,
      });
    case 'down':
      return open({ ...picker, cursor: Math.min(rows.length - 1, picker.cursor + 1) });
    case 'left':
      return open(turnTo(picker, picker.page - 1));
    case 'right':
    case 'tab':
      return hasReview(picker) ? open(turnTo(picker, picker.page + 1)) : open(picker);
    default:
      return open(picker);
  }
};

/** The answers by question text, as the transcript states them; questions without an answer are left out. */
export const answersOf = (
  questions: readonly DialogQuestion[],
  chosen: readonly Chosen[],
): { answers: Record<string, string>; hasOwnWords: boolean } => {
  const answers: Record<string, string> = {};
  let hasOwnWords = false;
  questions.forEach((question, i) => {
    const { options, words, hasWords } = chosen[i] ?? nothing;
    const labels = options.flatMap((o) => question.options[o]?.label ?? []);
    const own = hasWords ? words.trim() : '';
    const all = own === '' ? labels : [...labels, own];
    if (own !== '') hasOwnWords = true;
    if (all.length > 0) answers[question.question] = all.join(', ');
  });
  return { answers, hasOwnWords };
};
