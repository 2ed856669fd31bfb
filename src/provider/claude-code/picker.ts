import { stripVTControlCharacters } from 'node:util';

/** One numbered row of a picker, as far as it can be seen. */
export interface PickerRow {
  readonly number: number;
  /** What stands behind the number on this line; a long label goes on below and is cut here. */
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

const row = /^([❯↑↓ ])\s*(\d)\.\s+(?:\[([ ✔✓x])\]\s?)?(.*)$/;
const submitRow = /^❯\s+Submit\s*$/;
const chips = /^\s*(?:←\s*)?[☐☒]\s*\S/;
const footer = /^\s*Enter to select\b/;
const submitAnswers = /^([❯ ]) 1\. Submit answers\s*$/;

const readReview = (lines: readonly string[]): PickerReading | undefined => {
  const at = lines.findLastIndex((line) => submitAnswers.test(line));
  if (at < 0 || !/^[❯ ] 2\. Cancel\s*$/.test(lines[at + 1] ?? '')) return undefined;
  const start = lines.slice(0, at).findLastIndex((line) => line.includes('Review your answers'));
  const answers: string[] = [];
  for (const line of lines.slice(start + 1, at)) {
    const shown = /^\s*→\s?(.*)$/.exec(line)?.[1];
    if (shown !== undefined) answers.push(shown.trim());
    // A long answer goes on, indented, on the next line.
    else if (/^\s{5,}\S/.test(line) && answers.length > 0)
      answers.push(`${answers.pop() ?? ''} ${line.trim()}`);
  }
  return { page: 'review', answers, isOnSubmit: lines[at]?.startsWith('❯') ?? false };
};

/** Reads a question's picker from a screen (escape sequences allowed); undefined: there is none. */
export const readPicker = (screen: string): PickerReading | undefined => {
  const lines = stripVTControlCharacters(screen).replaceAll('\u00a0', ' ').split('\n');
  const review = readReview(lines);
  if (review !== undefined) return review;
  const end = lines.findLastIndex((line) => footer.test(line));
  if (end < 0) return undefined;
  const start = lines.slice(0, end).findLastIndex((line) => chips.test(line));
  const rows: PickerRow[] = [];
  let cursor: number | 'submit' | undefined;
  for (const line of lines.slice(start + 1, end)) {
    if (submitRow.test(line)) cursor = 'submit';
    const match = row.exec(line);
    if (match === null) continue;
    const number = Number(match[2]);
    // Numbers count up by one; a numbered list in a description or an own answer does not.
    if (number <= (rows.at(-1)?.number ?? 0)) continue;
    const box = match[3];
    rows.push({
      number,
      text: (match[4] ?? '').trim(),
      ...(box === undefined ? {} : { isChecked: box !== ' ' }),
    });
    if (match[1] === '❯') cursor = number;
  }
  if (rows.length === 0) return undefined;
  return {
    page: 'question',
    rows,
    cursor,
    hasBoxes: rows.some((each) => each.isChecked !== undefined),
  };
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
