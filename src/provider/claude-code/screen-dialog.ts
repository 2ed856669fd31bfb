import { isMenuRule, isRule } from './screen-box.ts';
import { isBlank, type Line } from './screen-cells.ts';
import { firstOptionLine, readOptions } from './screen-options.ts';
import type { DialogReading, QuestionPage, ScreenOption } from './screen-reading.ts';

const QUESTION_FOOTER =
  /Enter to select · (?:Tab\/Arrow keys|↑\/↓) to navigate · (?:.* · )?Esc to cancel(?: auto-continue in (\d+)s · any key to stay)?$/;
const APPROVAL_FOOTER = /Esc to cancel · Tab to amend(?: · [^·]+)?$/;
const PLAN_FOOTER = /ctrl\+g to edit in .{1,40} · \S+\.md$/;

/** The last non-blank lines as one text with single blanks: footers wrap in narrow panes. */
export const tailOf = (lines: readonly Line[], count = 6): string =>
  lines
    .filter((line) => !isBlank(line))
    .slice(-count)
    .map((line) => line.text.trim())
    .join(' ')
    .replace(/\s+/g, ' ');

/**
 * The dialog that stands at the end of the screen. Its footer decides, then its last choices:
 * both stand below everything that an agent can write into a dialog.
 */
export const readDialog = (lines: readonly Line[], cols: number): DialogReading | undefined => {
  const tail = tailOf(lines);
  const options = readOptions(lines);
  const labels = options.map((option) => option.label);
  const question = QUESTION_FOOTER.exec(tail);
  if (question !== null) return readQuestion(lines, options, question[1]);
  if (isReview(lines, labels)) return readQuestion(lines, options, undefined);
  const title = titleOf(lines, cols);
  if (APPROVAL_FOOTER.test(tail) && options.length > 0)
    return { kind: 'dialog', dialog: 'approval', title, options };
  if (PLAN_FOOTER.test(tail) && options.length > 0)
    return { kind: 'dialog', dialog: 'plan', title, options };
  if (title === 'Exit plan mode?' && endsWithOptions(lines, options))
    return { kind: 'dialog', dialog: 'exit-plan', title, options };
  return undefined;
};

const isReview = (lines: readonly Line[], labels: readonly string[]): boolean =>
  labels.join('|') === 'Submit answers|Cancel' && /Submit answers 2\. Cancel$/.test(tailOf(lines));

export const endsWithOptions = (
  lines: readonly Line[],
  options: readonly ScreenOption[],
): boolean => {
  const last = options.at(-1);
  return last !== undefined && tailOf(lines, 1).endsWith(`${last.number}. ${last.label}`);
};

/** The first line below the dialog's uppermost rule; '' where that has scrolled away. */
export const titleOf = (lines: readonly Line[], cols: number): string => {
  const isAnyRule = (line: Line): boolean => isRule(line, cols) || isMenuRule(line);
  const rule = lines.findIndex(isAnyRule);
  if (rule < 0) return '';
  const first = lines.slice(rule + 1).find((line) => !isBlank(line) && !/^\s*─+$/.test(line.text));
  return first?.text.trim() ?? '';
};

const HEADER = /^\s*(?:←\s+)?[☐☒]\s/;

const readQuestion = (
  lines: readonly Line[],
  options: readonly ScreenOption[],
  countdown: string | undefined,
): DialogReading => {
  const header = lines.findLastIndex((line) => HEADER.test(line.text));
  const first = firstOptionLine(lines);
  const between = lines.slice(header + 1, Math.max(first, 0));
  return {
    kind: 'dialog',
    dialog: 'question',
    page: pageOf(lines, options),
    tabs: header < 0 ? [] : tabsOf(lines[header]?.text ?? ''),
    question: header < 0 ? '' : joined(between),
    options,
    ...(countdown !== undefined && { continuesInSeconds: Number(countdown) }),
  };
};

const joined = (lines: readonly Line[]): string =>
  lines
    .map((line) => line.text.replace(/^│/, '').trim())
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();

const pageOf = (lines: readonly Line[], options: readonly ScreenOption[]): QuestionPage => {
  if (
    isReview(
      lines,
      options.map((option) => option.label),
    )
  )
    return 'review';
  if (options.some((option) => option.isChecked !== undefined)) return 'multi';
  if (/ n to add notes · /.test(tailOf(lines))) return 'preview';
  return options.some((option) => option.label !== 'Chat about this') ? 'single' : 'unknown';
};

const tabsOf = (header: string): readonly { title: string; isAnswered: boolean }[] =>
  [...header.matchAll(/([☐☒])\s+([^☐☒✔→]+)/g)].map(([, box, title]) => ({
    title: (title ?? '').trim(),
    isAnswered: box === '☒',
  }));
