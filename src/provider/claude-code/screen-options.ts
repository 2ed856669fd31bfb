import { isBlank, type Line } from './screen-cells.ts';
import type { ScreenOption } from './screen-reading.ts';

const OPTION = /^(\s*)([❯↓↑])?(\s*)(\d{1,2})\.\s+(?:\[([ ✔])\]\s+)?(\S.*)$/;

interface Found {
  readonly index: number;
  readonly column: number;
  readonly option: ScreenOption;
}

const optionIn = (line: Line, index: number): Found | undefined => {
  const match = OPTION.exec(line.text);
  if (match === null) return undefined;
  const [, before = '', mark = '', gap = '', digits = '', check, label = ''] = match;
  const shown = label.replace(/\s{2,}[┌│└].*$/, '').trimEnd();
  return {
    index,
    column: before.length + mark.length + gap.length,
    option: {
      number: Number(digits),
      label: shown,
      isCursor: mark === '❯',
      ...(check !== undefined && { isChecked: check !== ' ' }),
      isCut: shown.endsWith('…'),
    },
  };
};

/**
 * The numbered choices at the end of a dialog, in their order; some may be scrolled away. Numbers
 * in the text above (a plan's steps, a command) do not count: all numbers stand in one column and
 * fall towards the top.
 */
export const readOptions = (lines: readonly Line[]): readonly ScreenOption[] =>
  findOptions(lines).map((found) => withWrappedLabel(found, lines).option);

/** Index of the line of the first visible choice; -1: none. */
export const firstOptionLine = (lines: readonly Line[]): number =>
  findOptions(lines)[0]?.index ?? -1;

const findOptions = (lines: readonly Line[]): readonly Found[] => {
  const all = lines.flatMap((line, index) => optionIn(line, index) ?? []);
  const anchor = all.findLast((found) => found.option.isCursor) ?? all.at(-1);
  const options: Found[] = [];
  for (const found of all.toReversed()) {
    if (found.column !== anchor?.column) continue;
    const next = options[0];
    if (next !== undefined && found.option.number >= next.option.number) break;
    options.unshift(found);
    if (found.option.number === 1) break;
  }
  return options;
};

/** A long label goes on in its own colour; a description has another one. */
const withWrappedLabel = (found: Found, lines: readonly Line[]): Found => {
  const own = lines[found.index]?.cells.findLast((cell) => cell.char.trim() !== '')?.look.fg;
  let label = found.option.label;
  for (const line of lines.slice(found.index + 1)) {
    const first = line.cells.find((cell) => cell.char.trim() !== '');
    const indent = line.text.search(/\S/);
    if (isBlank(line) || first === undefined || indent < found.column + 2) break;
    if (first.look.fg !== own || own === DESCRIPTION) break;
    label = `${label} ${line.text.trim()}`;
  }
  return { ...found, option: { ...found.option, label } };
};

/** Descriptions and hints are grey. */
const DESCRIPTION = '38;5;246';
