import { readScreen, type Screen } from './screen.ts';
import { readLines } from './screen-cells.ts';

/** One numbered row of a picker, as far as it can be seen. */
export interface PickerRow {
  readonly number: number;
  /** The label, as far as it can be seen. */
  readonly text: string;
  /** Absent where the row has no box. */
  readonly isChecked?: boolean;
}

/** What the screen shows of a question. PURE reading; the transcript says what the question is. */
export type PickerReading =
  | {
      readonly page: 'question';
      readonly rows: readonly PickerRow[];
      /** Number of the row under the cursor, `submit`, or undefined where it cannot be seen. */
      readonly cursor: number | 'submit' | undefined;
      readonly hasBoxes: boolean;
    }
  /** "Review your answers", with 1 Submit answers and 2 Cancel. */
  | { readonly page: 'review'; readonly answers: readonly string[]; readonly isOnSubmit: boolean };

const submitRow = /^❯\s+Submit$/;
const submitAnswers = /^❯ 1\. Submit answers$/;

/** What the review page says of each question. */
const answersOn = (lines: readonly string[]): readonly string[] => {
  const answers: string[] = [];
  for (const line of lines) {
    const shown = /^\s*→\s?(.*)$/.exec(line)?.[1];
    if (shown !== undefined) answers.push(shown.trim());
    // A long answer goes on, indented, on the next line.
    else if (/^\s{5,}\S/.test(line) && answers.length > 0)
      answers.push(`${answers.pop() ?? ''} ${line.trim()}`);
  }
  return answers;
};

/** Reads a question's picker; undefined: there is none, or one that keys do not work (previews). */
export const readPicker = (screen: Screen): PickerReading | undefined => {
  const reading = readScreen(screen);
  if (reading.kind !== 'dialog' || reading.dialog !== 'question') return undefined;
  const lines = readLines(screen.capture).map((line) => line.text);
  switch (reading.page) {
    case 'preview':
      return undefined;
    case 'review': {
      const isOnSubmit = lines.some((line) => submitAnswers.test(line));
      return { page: 'review', answers: answersOn(lines), isOnSubmit };
    }
    default:
      return {
        page: 'question',
        rows: reading.options.map(({ number, label, isChecked }) => ({
          number,
          // The line "Submit" below a row for own words looks like its continuation.
          text: reading.page === 'multi' ? label.replace(/ Submit$/, '') : label,
          ...(isChecked === undefined ? {} : { isChecked }),
        })),
        cursor: lines.some((line) => submitRow.test(line))
          ? 'submit'
          : reading.options.find((option) => option.isCursor)?.number,
        hasBoxes: reading.page === 'multi',
      };
  }
};

/** Letters and digits only: a terminal cuts, wraps and re-joins everything else. */
const bare = (text: string): string => text.normalize('NFC').replace(/[^\p{L}\p{N}]/gu, '');

/** Whether the text seen can be the beginning of (or all of) the text meant. */
export const canBe = (seen: string, meant: string): boolean =>
  bare(meant).startsWith(bare(seen.replace(/…$/, '')));

/**
 * Whether a picker on the screen can be the question with these option labels: every row that is
 * visible agrees, and at least one option is visible.
 */
export const agreesWith = (
  reading: Extract<PickerReading, { page: 'question' }>,
  labels: readonly string[],
): boolean => {
  const options = reading.rows.filter((each) => each.number <= labels.length);
  const last = reading.rows.at(-1)?.number ?? 0;
  return (
    options.length > 0 &&
    last <= labels.length + 2 &&
    options.every((each) => canBe(each.text, labels[each.number - 1] ?? ''))
  );
};
