import { type Cell, columnsOf, type Line } from './screen-cells.ts';
import type { BoxReading, CutOff, Draft } from './screen-reading.ts';

/** Where the input box stands: its two rules, as indices of lines. */
export interface BoxPlace {
  readonly top: number;
  readonly bottom: number;
}

/**
 * A rule of the agent's own interface: `─` from the first to the last column, perhaps with a label
 * in it. What an agent or a person writes is indented or prefixed and never starts in column 0.
 * `╌` marks content (a command, a diff, a plan) and is never a rule.
 */
export const isRule = (line: Line, cols: number): boolean =>
  columnsOf(line.text) === cols && /^─{3,}( [^─].* ─+)?─*$/.test(line.text);

/** The half-block rule above full-screen menus. */
export const isMenuRule = (line: Line): boolean => /^▔{10,}$/.test(line.text);

/** The box is the last thing on the screen but for its footer; anything in column 0 below it is another program. */
export const findBox = (lines: readonly Line[], cols: number): BoxPlace | undefined => {
  const rules = lines.flatMap((line, index) => (isRule(line, cols) ? [index] : []));
  const last = rules.at(-1);
  if (last !== undefined && isScrolled(lines[last], '↑') && isFooter(lines.slice(last + 1)))
    return { top: last, bottom: lines.length };
  if (last !== undefined && isCutOff(lines, last)) return { top: last, bottom: lines.length };
  const [top, bottom] = rules.slice(-2);
  if (top === undefined || bottom === undefined || bottom - top < 2) return undefined;
  if (!startsPrompt(lines[top + 1]) && !isScrolled(lines[top], '↑')) return undefined;
  return isFooter(lines.slice(bottom + 1)) ? { top, bottom } : undefined;
};

/**
 * A pane of few rows ends before a draft of two rows does, and shows no lower rule (2.1.332, 24x8).
 * An empty box always fits: one row below a rule is no box.
 */
const isCutOff = (lines: readonly Line[], last: number): boolean => {
  const [first, ...more] = lines.slice(last + 1);
  return (
    first?.cells[1]?.char === '\u00a0' &&
    startsPrompt(first) &&
    more.length > 0 &&
    more.every((line) => /^ {2}\S/.test(line.text))
  );
};

const isFooter = (lines: readonly Line[]): boolean =>
  lines.every((line) => /^(\s{2}|$)/.test(line.text));

/**
 * A draft that is higher than the box scrolls in it: a rule says how much is out of sight, and the
 * line with the glyph may be (2.1.332, a draft of 40 lines in a pane of 30).
 */
const isScrolled = (rule: Line | undefined, arrow: '↑' | '↓'): boolean =>
  rule !== undefined && new RegExp(`^─+ .*${arrow} \\d+ more`).test(rule.text);

/**
 * `❯` or `!` in column 0 without a background (a message that was sent has one), then a no-break
 * space. Where a version writes a plain space, a numbered choice must not be taken for a draft.
 */
const startsPrompt = (line: Line | undefined): boolean => {
  const [glyph, gap] = line?.cells ?? [];
  if (glyph === undefined || (glyph.char !== '❯' && glyph.char !== '!')) return false;
  if (glyph.look.bg !== '' || gap?.char === '\u00a0') return glyph.look.bg === '';
  return gap === undefined || (gap.char === ' ' && !/^❯ \d+\. /.test(line?.text ?? ''));
};

export const readBox = (
  lines: readonly Line[],
  place: BoxPlace,
  cols: number,
  cursorColumn?: number,
): BoxReading => {
  const inside = lines.slice(place.top + 1, place.bottom);
  const footer = lines.slice(place.bottom + 1);
  const glyph = inside[0]?.cells[0];
  const mode = glyph?.char === '!' ? 'shell' : 'prompt';
  const isClipped =
    place.bottom === lines.length ||
    isScrolled(lines[place.top], '↑') ||
    isScrolled(lines[place.bottom], '↓');
  const read = readDraft(inside, cols, isClipped);
  const draft: Draft =
    place.bottom === lines.length && read.type === 'text'
      ? { ...read, cutOff: cutOffOf(inside, isScrolled(lines[place.top], '↑'), cols, cursorColumn) }
      : read;
  return {
    kind: 'box',
    draft,
    mode,
    isBusy:
      footer.some((line) => line.text.includes('esc to interrupt')) ||
      (glyph?.char === '❯' && (glyph.look.fg !== '' || glyph.look.isDim)),
    queued: readQueued(lines.slice(0, place.top)),
    popup: readPopup(lines[place.top - 1], draft, footer),
    isVimInsert: footer.some((line) => /^\s+-- INSERT --/.test(line.text)),
  };
};

const cutOffOf = (
  inside: readonly Line[],
  isTopHidden: boolean,
  cols: number,
  cursorColumn: number | undefined,
): CutOff => ({
  isTopHidden,
  ...(cursorColumn === undefined ? {} : { lastRowColumns: cursorColumn - INDENT }),
  seenRowColumns: columnsOf(inside.at(-1)?.text ?? '') - INDENT,
  width: cols - MARGINS,
});

/** What the agent writes in place of a large paste, an image … (its own pattern, read in 2.1.332). */
const CHIP =
  /\[(?:Pasted text #\d+(?: \+\d+ lines)?|Image #\d+|\.\.\.Truncated text #\d+ \+\d+ lines\.\.\.|✦ Team setup guide #\d+)\]/g;

const INDENT = 2;

/** The box leaves two columns on each side. */
const MARGINS = 4;

const readDraft = (inside: readonly Line[], cols: number, isClipped: boolean): Draft => {
  const rows = inside.map((line) => line.cells.slice(INDENT));
  const visible = rows.flat().filter((cell) => cell.char.trim() !== '');
  const texts = rows.map((row) => rowText(row));
  if (visible.length === 0) {
    const before = (rows[0] ?? []).findIndex((cell) => cell.look.isReverse);
    if (before <= 0 && rows.length < 2) return { type: 'empty' };
    return { type: 'text', text: texts.join('\n'), compact: '', chips: [], isClipped };
  }
  if (isPlaceholder(visible)) return { type: 'placeholder', text: texts.join(' ').trim() };
  const text = unwrapped(texts, cols - MARGINS);
  return {
    type: 'text',
    text,
    compact: text.replace(/\s+/g, ''),
    chips: text.match(CHIP) ?? [],
    isClipped,
  };
};

/** All dim; the first letter may instead be the reversed cursor. A single reversed letter is typed text. */
const isPlaceholder = ([first, ...rest]: readonly Cell[]): boolean =>
  first !== undefined &&
  rest.every((cell) => cell.look.isDim) &&
  (first.look.isDim || (first.look.isReverse && rest.length > 0));

/** A row up to the cursor's own blank and without the blanks that fill the line. */
const rowText = (row: readonly Cell[]): string => {
  const cursor = row.findLastIndex((cell) => cell.look.isReverse);
  const text = row.map((cell) => cell.char).join('');
  const typed = row
    .slice(0, cursor)
    .map((cell) => cell.char)
    .join('');
  const end = text.replace(/\s+$/, '');
  return cursor >= 0 && typed.length > end.length ? typed : end;
};

/** Joins what the box wrapped: at a blank where the next word would not have fitted, inside a word that is longer than a row. */
const unwrapped = (rows: readonly string[], width: number): string => {
  let text = rows[0] ?? '';
  let last = text;
  for (const row of rows.slice(1)) {
    const word = /^\S*/.exec(row)?.[0] ?? '';
    const used = columnsOf(last);
    if (row === '' || last === '') text += `\n${row}`;
    else if (used >= width - 1 && columnsOf(`${/\S*$/.exec(last)?.[0]}${word}`) > width)
      text += row;
    else if (used + 1 + columnsOf(word) > width) text += ` ${row}`;
    else text += `\n${row}`;
    last = row;
  }
  return text;
};

/**
 * Messages above the box whose text is as grey as their glyph are not yet given to the model; a
 * message that was sent has another colour. What has no background is output, a spinner, a hint.
 */
const readQueued = (above: readonly Line[]): readonly string[] => {
  const queued: string[] = [];
  for (const line of above.toReversed()) {
    const [glyph, , first] = line.cells;
    if (glyph?.char !== '❯' || glyph.look.bg === '') continue;
    if (glyph.look.fg !== first?.look.fg) break;
    queued.unshift(line.text.slice(INDENT));
  }
  return queued;
};

const readPopup = (
  above: Line | undefined,
  draft: Draft,
  footer: readonly Line[],
): BoxReading['popup'] => {
  if (footer.some((line) => line.text.includes('/ for commands'))) return 'help';
  const asks = draft.type === 'text' && /^\/|@/.test(draft.text);
  return asks && /^ {2}(❯ | {2})(\/|[+*] )/.test(above?.text ?? '') ? 'completion' : 'none';
};
