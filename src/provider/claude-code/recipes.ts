import type { DialogQuestion } from '../../bridge/model/conversation.ts';
import type { DialogAnswer } from '../../bridge/model/delivery.ts';
import type { Key } from '../tmux/keys.ts';
import type { PickerReading } from './picker.ts';

/** What must be seen on the screen before the next key goes. */
export type Expectation =
  /** The cursor stands on one of the options: a digit chooses and is no text. */
  | { readonly type: 'on-options' }
  /** The cursor stands on the row for own words: text goes there and nowhere else. */
  | { readonly type: 'on-own-words' }
  /** The own words stand there, or so long that the cursor's row has left the pane. */
  | { readonly type: 'own-words-typed'; readonly text: string }
  | { readonly type: 'on-submit' }
  /** Exactly these rows are ticked; the row for own words counts too. */
  | { readonly type: 'ticked'; readonly rows: readonly number[] }
  /** The review page, with this answer. */
  | { readonly type: 'review'; readonly answer: string };

/** One step of a keystroke recipe. A recipe is data; who runs it looks at the clock before every key. */
export type Step =
  | { readonly keys: readonly Key[] }
  | { readonly paste: string }
  | { readonly settleMs: number }
  | { readonly see: Expectation };

export interface Recipe {
  readonly steps: readonly Step[];
  /** What the transcript's result will state as the answer, if all goes well. */
  readonly expected: string;
}

export type RecipeKind = 'choose-one' | 'choose-several' | 'own-words' | 'own-words-among-several';

/**
 * Which recipe was verified on which version (compat/claude-code, "Picker keys"): `live` by our own
 * tests on the real program, `report` by a field report. No entry: no keys for dialogs.
 */
export const recipeEvidence: Readonly<
  Record<string, Partial<Readonly<Record<RecipeKind, 'live' | 'report'>>>>
> = {
  '2.1.332': {
    'choose-one': 'live',
    'choose-several': 'live',
    'own-words': 'live',
    'own-words-among-several': 'live',
  },
  '2.1.269': { 'choose-one': 'report', 'choose-several': 'report' },
};

/** `verifiedHere`: versions that this machine's own check has verified. */
export const isVerified = (
  kind: RecipeKind,
  version: string | undefined,
  verifiedHere: readonly string[] = [],
): boolean =>
  version !== undefined &&
  (verifiedHere.includes(version) || recipeEvidence[version]?.[kind] !== undefined);

export const kindOf = (question: DialogQuestion, answer: DialogAnswer): RecipeKind | undefined => {
  if (answer.type === 'own-words') {
    return question.multiSelect ? 'own-words-among-several' : 'own-words';
  }
  if (answer.type !== 'choose') return undefined;
  return question.multiSelect ? 'choose-several' : 'choose-one';
};

type QuestionPage = Extract<PickerReading, { page: 'question' }>;

/** Between two keys: in one call some are swallowed (observed: digits below 50 ms, Submit below 150 ms). */
const keyMs = 60;
const pageMs = 150;

const digit = (number: number): Key => {
  const keys: readonly Key[] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'];
  const key = keys[number];
  if (key === undefined) throw new RangeError(`no digit key for row ${number}`);
  return key;
};

const press = (key: Key, ms = keyMs): readonly Step[] => [{ keys: [key] }, { settleMs: ms }];
const times = (count: number, key: Key): readonly Step[] =>
  Array.from({ length: Math.max(0, count) }, () => press(key)).flat();

/** Rows below the options: own words, then (where several may be chosen) Submit, then "Chat about this". */
const upToOptions = (page: QuestionPage, count: number): readonly Step[] => {
  const { cursor } = page;
  if (cursor === undefined || (cursor !== 'submit' && cursor <= count)) return [];
  const rows =
    cursor === 'submit' ? 2 : cursor - count + (page.hasBoxes && cursor > count + 1 ? 1 : 0);
  return [...times(rows, 'Up'), { see: { type: 'on-options' } }];
};

/** Ticks and unticks until exactly `wanted` (rows from 1) are ticked. */
const tick = (page: QuestionPage, wanted: readonly number[], count: number): readonly Step[] => [
  ...page.rows
    .filter(
      (row) => row.number <= count && (row.isChecked ?? false) !== wanted.includes(row.number),
    )
    .flatMap((row) => press(digit(row.number))),
  { see: { type: 'ticked', rows: wanted } },
];

const submit = (answer: string): readonly Step[] => [
  { settleMs: pageMs },
  { see: { type: 'review', answer } },
  { keys: ['Enter'] },
];

/** Why a picker that is there cannot be worked by keys now; a sentence for a person. */
export const obstacle = (page: PickerReading, question: DialogQuestion): string | undefined => {
  const count = question.options.length;
  if (page.page === 'review') return 'Somebody at the terminal is on its review page.';
  if (page.cursor === undefined) return 'The pane is too small to see where the cursor stands.';
  const own = page.rows.find((row) => row.number === count + 1);
  const isPlaceholder = own === undefined || /^Type something\.?$/.test(own.text);
  if (!isPlaceholder) return 'Somebody at the terminal is typing an answer of their own.';
  if (question.multiSelect && own?.isChecked === true)
    return 'Somebody at the terminal has ticked the row for an answer of their own.';
  if (!question.multiSelect) return undefined;
  const isWhole = page.rows.filter((row) => row.number <= count).length === count;
  return isWhole && page.hasBoxes ? undefined : 'The pane is too small to see all boxes.';
};

/**
 * Keys for an answer to the one question of a dialog, given what the picker shows now; undefined
 * where the answer does not fit the question. Own words must be free of control characters.
 */
export const recipeFor = (
  question: DialogQuestion,
  answer: DialogAnswer,
  page: QuestionPage,
): Recipe | undefined => {
  const count = question.options.length;
  const toOptions = upToOptions(page, count);
  if (answer.type === 'own-words') {
    const text = answer.text.trim();
    if (text === '') return undefined;
    const typed: readonly Step[] = [
      { see: { type: 'on-own-words' } },
      { paste: text },
      { settleMs: 80 },
      { see: { type: 'own-words-typed', text } },
    ];
    if (!question.multiSelect) {
      const isThere = page.cursor === count + 1;
      const focus = isThere ? [] : [...toOptions, ...press(digit(count + 1), 80)];
      return { steps: [...focus, ...typed, { keys: ['Enter'] }], expected: text };
    }
    const from = toOptions.length === 0 && typeof page.cursor === 'number' ? page.cursor : count;
    const steps: readonly Step[] = [
      ...toOptions,
      ...tick(page, [], count),
      // A digit would only tick the row for own words: the cursor has to go there.
      ...times(count + 1 - from, 'Down'),
      ...typed,
      ...press('Tab'),
      { see: { type: 'on-submit' } },
      { keys: ['Enter'] },
      ...submit(text),
    ];
    return { steps, expected: text };
  }
  if (answer.type !== 'choose' || answer.choices.length !== 1) return undefined;
  const chosen = [...new Set(answer.choices[0])].sort((a, b) => a - b);
  const labels = chosen.flatMap((index) => question.options[index]?.label ?? []);
  if (labels.length === 0 || labels.length !== chosen.length) return undefined;
  const rows = chosen.map((index) => index + 1);
  if (question.multiSelect) {
    const expected = labels.join(', ');
    const steps = [
      ...toOptions,
      ...tick(page, rows, count),
      ...press('Right'),
      ...submit(expected),
    ];
    return { steps, expected };
  }
  const [row] = rows;
  if (row === undefined || rows.length !== 1) return undefined;
  return { steps: [...toOptions, { keys: [digit(row)] }], expected: labels.join('') };
};
