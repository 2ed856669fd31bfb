/** A fence that is open: how it was opened tells how to close it and to open it again. */
export interface Fence {
  /** What stands before it on each line: quote marks, indentation. */
  readonly prefix: string;
  readonly marker: string;
  readonly info: string;
}

// Bounded on both sides: what closes it in a part and opens it in the next must itself fit.
const fenceLine = /^((?:[ \t]|>|[-*+][ \t]|\d{1,9}[.)][ \t]){0,12})(`{3,20}|~{3,20})([^\n]*)$/;
const longestInfo = 30;

/** The fence that is open after this line, given the one before it. */
export const fenceAfter = (line: string, open: Fence | undefined): Fence | undefined => {
  const match = fenceLine.exec(line);
  if (match === null) return open;
  const [, prefix = '', marker = '', info = ''] = match;
  if (open !== undefined) {
    const closes =
      marker.startsWith(open.marker.charAt(0)) &&
      marker.length >= open.marker.length &&
      info.trim() === '';
    return closes ? undefined : open;
  }
  if (marker.startsWith('`') && info.includes('`')) return open;
  // A list mark is not repeated: only the place where its content stands.
  return { prefix: prefix.replace(/[-*+\d.)]/g, ' '), marker, info: info.slice(0, longestInfo) };
};

export const openerOf = (fence: Fence): string => `${fence.prefix}${fence.marker}${fence.info}`;
export const closerOf = (fence: Fence): string => `${fence.prefix}${fence.marker}`;

export const isOpening = (line: string, open: Fence | undefined): boolean =>
  open === undefined && fenceAfter(line, undefined) !== undefined;

export const isTableRow = (line: string): boolean => /^\s{0,3}\|.*\|\s*$/.test(line);
export const isTableRule = (line: string): boolean =>
  /^\s{0,3}\|?\s*:?-{1,}:?\s*(?:\|\s*:?-{1,}:?\s*)+\|?\s*$/.test(line);

/** Links and images (one may hold another), autolinks, bare addresses, inline code: not to be broken. */
const whole =
  /!?\[(?:[^[\]]|!?\[[^[\]]*\]\([^()]*\))*\]\((?:[^()\n]|\([^()\n]*\))*\)|<[^\s<>]+>|https?:\/\/[^\s<>"'`]+|(?<!`)(`{1,9})(?!`)[^`\n]+\1(?!`)/g;

/** Ranges of a text that must stay in one part, as [from, to). */
export const wholeRanges = (text: string): readonly (readonly [number, number])[] =>
  [...text.matchAll(whole)].map((m) => [m.index, m.index + m[0].length] as const);

/** Numbers of the lines that go on inside a link or code span of the line before. */
export const gluedLines = (lines: readonly string[]): ReadonlySet<number> => {
  const ranges = wholeRanges(lines.join('\n'));
  const glued = new Set<number>();
  let start = 0;
  let next = 0;
  for (const [n, line] of lines.entries()) {
    while (next < ranges.length && (ranges[next]?.[1] ?? 0) <= start) next++;
    const range = ranges[next];
    if (range !== undefined && range[0] < start && range[1] > start) glued.add(n);
    start += line.length + 1;
  }
  return glued;
};

/** How good the place between two lines of plain text is to break at; 0 is just a line's end. */
export const breakRank = (before: string, after: string): number => {
  if (before.trim() === '' || after.trim() === '') return 3;
  if (/^\s{0,3}#{1,6}\s/.test(after) || isOpening(after, undefined)) return 2;
  return /^\s*(?:[-*+]|\d{1,9}[.)])\s/.test(after) ? 1 : 0;
};
