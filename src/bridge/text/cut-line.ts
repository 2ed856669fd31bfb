import { wholeRanges } from './markdown-lines.ts';
import { cutGraphemes } from './plain.ts';

/** How far a link is looked for behind the limit. */
const reach = 4_000;

/** Most characters of a line that fit; at least one. */
const mostThatFits = (line: string, fits: (piece: string) => boolean): number => {
  let low = 1;
  let high = line.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(line.slice(0, middle))) low = middle;
    else high = middle - 1;
  }
  return low;
};

/**
 * The longest beginning of one line that fits and breaks neither a grapheme nor, in text, a link
 * or an inline code that could be kept whole; at a space where there is one not too far back.
 */
export const cutLine = (
  line: string,
  fits: (piece: string) => boolean,
  isText: boolean,
): string => {
  const most = mostThatFits(line, fits);
  if (!isText) return cutGraphemes(line, most);
  const ranges = wholeRanges(line.slice(0, most + reach));
  const broken = ranges.find(([from, to]) => from < most && to > most);
  const end = broken === undefined || broken[0] === 0 ? most : broken[0];
  const isOutside = (at: number) => !ranges.some(([from, to]) => at > from && at < to);
  for (let at = end; at > end / 2; at--)
    if (line.charAt(at - 1) === ' ' && isOutside(at)) return line.slice(0, at);
  return end < most ? line.slice(0, end) : cutGraphemes(line, most);
};
