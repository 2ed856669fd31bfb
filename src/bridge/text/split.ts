import { cutLine } from './cut-line.ts';
import {
  breakRank,
  closerOf,
  type Fence,
  fenceAfter,
  gluedLines,
  isOpening,
  isTableRow,
  isTableRule,
  openerOf,
} from './markdown-lines.ts';
import { characters } from './plain.ts';

export interface SplitLimit {
  /** Most characters of one part, its label included. At least 100. */
  readonly limit: number;
  /** Characters as the platform counts them; default: UTF-16 units. Must not shrink when text is added. */
  readonly measure?: (text: string) => number;
}

/** Beyond three parts the whole goes up as a file under its beginning and its size (P3). */
export type Split =
  | { readonly type: 'parts'; readonly parts: readonly string[] }
  | { readonly type: 'file'; readonly preview: string };

type Fits = (part: string) => boolean;

/** What is still to be placed, and what must be opened again before it. */
interface Rest {
  readonly lines: readonly string[];
  readonly fence: Fence | undefined;
  /** Header and rule of the table that the first line goes on with. */
  readonly table: readonly string[];
}

interface Taken {
  readonly part: string;
  readonly rest: Rest | undefined;
}

interface Break {
  readonly part: string;
  readonly rank: number;
  /** The line that the next part begins with, and what it goes on with. */
  readonly next: number;
  readonly fence: Fence | undefined;
  readonly table: readonly string[];
}

const mostParts = 3;
/** Blank stretches give no part; a text that goes on after so many pieces goes up as a file. */
const mostPieces = 4 * mostParts;
const previewLength = 600;
const label = (part: number, of: number): string => `\n(${part}/${of})`;

const close = (lines: readonly string[], fence: Fence | undefined): string =>
  [...lines, ...(fence === undefined ? [] : [closerOf(fence)])].join('\n');

/** The best place: the highest rank in the last half, else the last place. */
const bestBreak = (breaks: readonly Break[]): Break | undefined => {
  const last = breaks.at(-1);
  if (last === undefined) return undefined;
  const near = breaks.filter((b) => b.part.length >= last.part.length / 2);
  return near.reduce((best, b) => (b.rank >= best.rank ? b : best), near[0] ?? last);
};

/** Lines that can matter for one part: glued lines are looked for among these only. */
const nearLines = (lines: readonly string[], fits: Fits): readonly string[] => {
  let n = 1;
  while (n < lines.length && fits(lines.slice(0, n).join('\n'))) n *= 2;
  return lines.slice(0, n + 1);
};

/** Takes as much as fits into one part. */
const take = (from: Rest, fits: Fits): Taken => {
  // A head that would fill a third of each part is not repeated.
  const head = fits([...from.table, ...from.table, ...from.table].join('\n')) ? from.table : [];
  const taken = from.fence === undefined ? [...head] : [openerOf(from.fence)];
  const glued = gluedLines(nearLines(from.lines, fits));
  const breaks: Break[] = [];
  let { fence, table } = from;
  for (const [n, line] of from.lines.entries()) {
    const after = fenceAfter(line, fence);
    if (!fits(close([...taken, line], after))) {
      const best = bestBreak(breaks);
      if (best !== undefined)
        return { part: best.part, rest: { ...best, lines: from.lines.slice(best.next) } };
      const room: Fits = (piece) => fits(close([...taken, piece], fence));
      const piece = cutLine(line, room, fence === undefined);
      const lines = [line.slice(piece.length), ...from.lines.slice(n + 1)];
      return { part: close([...taken, piece], fence), rest: { lines, fence, table: [] } };
    }
    taken.push(line);
    const before = from.lines[n - 1] ?? '';
    if (fence === undefined && isTableRule(line) && isTableRow(before)) table = [before, line];
    else if (!isTableRow(line)) table = [];
    const isOpener = isOpening(line, fence);
    fence = after;
    const next = from.lines[n + 1];
    const isTableHead = table[1] === line || (next !== undefined && isTableRule(next));
    if (next === undefined || isOpener || isTableHead || glued.has(n + 1)) continue;
    breaks.push({
      part: close(taken, fence),
      rank: fence === undefined ? breakRank(line, next) : 0,
      next: n + 1,
      fence,
      table: isTableRow(next) ? table : [],
    });
  }
  return { part: close(taken, fence), rest: undefined };
};

const isBlank = (rest: Rest): boolean => rest.lines.every((line) => line.trim() === '');

const withoutBlankEdges = (part: string): string => part.replace(/^(?:[ \t]*\n)+/, '').trimEnd();

/**
 * Splits Markdown so that every part reads on its own: a fence is closed and opened again with its
 * language, a table's head is repeated, and no grapheme, link or table row is broken where it could
 * be kept whole. A part says which it is.
 */
export const splitMarkdown = (markdown: string, { limit, measure }: SplitLimit): Split => {
  const size = measure ?? ((text: string) => text.length);
  if (size(markdown) <= limit) return { type: 'parts', parts: [markdown] };
  const fits: Fits = (part) => size(part + label(mostParts, mostParts)) <= limit;
  const whole: Rest = { lines: markdown.split('\n'), fence: undefined, table: [] };
  const parts: string[] = [];
  let rest: Rest | undefined = whole;
  for (let n = 0; rest !== undefined && !isBlank(rest); n++) {
    if (parts.length > mostParts || n === mostPieces) break;
    const taken: Taken = take(rest, fits);
    const part = withoutBlankEdges(taken.part);
    if (part !== '') parts.push(part);
    rest = taken.rest;
  }
  if (parts.length > mostParts || (rest !== undefined && !isBlank(rest))) {
    const note = `\n… (${characters(markdown.length)}, the whole text is in the file)`;
    const isPreview: Fits = (part) => part.length <= previewLength && size(part + note) <= limit;
    return { type: 'file', preview: withoutBlankEdges(take(whole, isPreview).part) + note };
  }
  const [only] = parts;
  if (parts.length <= 1) return { type: 'parts', parts: [only ?? ''] };
  return { type: 'parts', parts: parts.map((part, n) => part + label(n + 1, parts.length)) };
};
