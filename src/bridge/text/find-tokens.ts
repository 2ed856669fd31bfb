import { type TokenShape, tokenShapes } from './secret-tokens.ts';
import { looksRandom } from './secret-values.ts';
import type { Finder, Span } from './spans.ts';

/** What may stand right before a token: no letter or digit, but for an escape (`\n`, `%3D`). */
const escapeBefore = /(?:\\[nrtbfv]|\\u[0-9a-fA-F]{4}|%[0-9a-fA-F]{2})$/;

export const isBoundary = (text: string, index: number): boolean =>
  !/[A-Za-z0-9]/.test(text.charAt(index - 1)) ||
  escapeBefore.test(text.slice(Math.max(0, index - 6), index));

/** A line that ends inside a token goes on in the next: after indentation, a quote mark, a diff sign, a frame. */
export const lineBreak = /[ \t]{0,200}(?:\\?\r?\n|\\r?\\n)[ \t>|│+#*-]{0,40}/y;

/** This many characters of a token at the end of a cut text are still a piece of a secret. */
const leastOfCut = 4;
/** No maker's token is longer. */
const mostOfBody = 2_000;

/** Runs a sticky or global pattern from `index` on. */
export const execAt = (pattern: RegExp, text: string, index: number): RegExpExecArray | null => {
  pattern.lastIndex = index;
  return pattern.exec(text);
};

const isCutAt = (text: string, end: number): boolean =>
  end === text.length || text.startsWith('…', end) || text.startsWith('...', end);

const makeScan = (shape: TokenShape): Finder => {
  const head = new RegExp(shape.head, 'g');
  const most = shape.isVague === true ? 200 : mostOfBody;
  const body = new RegExp(`[${shape.body}]{0,${most}}`, 'y');
  const rest = new RegExp(`[${shape.body}]*`, 'y');
  const bodyAt = (text: string, from: number): string => execAt(body, text, from)?.[0] ?? '';

  /** The token's piece on the next line, when the line breaks inside of it. */
  const onNextLine = (text: string, end: number): { from: number; to: number } | undefined => {
    const gap = execAt(lineBreak, text, end);
    if (gap === null) return undefined;
    const from = end + gap[0].length;
    const { length } = bodyAt(text, from);
    return length < leastOfCut ? undefined : { from, to: from + length };
  };

  /** End of the token whose body begins at `from`; undefined: it is none. */
  const endOf = (text: string, from: number): number | undefined => {
    const first = bodyAt(text, from);
    if (shape.isVague === true && !looksRandom(first)) return undefined;
    let end = from + first.length;
    // Judged by its beginning, masked to its end.
    if (first.length === most) end += execAt(rest, text, end)?.[0].length ?? 0;
    let count = first.length;
    while (count >= leastOfCut) {
      const next = onNextLine(text, end);
      if (next === undefined) break;
      const piece = text.slice(next.from, next.to);
      // A token that is whole already goes on only in what is no word.
      if (count >= shape.least ? !looksRandom(piece) : count + piece.length < shape.least) break;
      count += piece.length;
      end = next.to;
    }
    if (count >= shape.least) return end;
    const isPiece = shape.isVague !== true && count >= leastOfCut && isCutAt(text, end);
    return isPiece && /[A-Z0-9]/.test(first) ? end : undefined;
  };

  return (text) => {
    const spans: Span[] = [];
    for (let found = execAt(head, text, 0); found !== null; found = head.exec(text)) {
      const from = found.index + found[0].length;
      const end = isBoundary(text, found.index) ? endOf(text, from) : undefined;
      if (end !== undefined) spans.push({ start: found.index, end, kind: shape.kind });
      head.lastIndex = end ?? found.index + 1;
    }
    return spans;
  };
};

const scans = tokenShapes.map(makeScan);

/** Tokens that are known by how they begin; also where a line breaks inside, or the text ends inside. */
export const findTokens: Finder = (text) => scans.flatMap((scan) => scan(text));
