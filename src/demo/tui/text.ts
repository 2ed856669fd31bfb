/** Columns of a grapheme on the terminal: 0, 1 or 2. */
const graphemeWidth = (grapheme: string): number => {
  if (/^(?:\p{Mark}|[\u200b-\u200f])+$/u.test(grapheme)) return 0;
  if (/\p{Emoji_Presentation}|\ufe0f/u.test(grapheme)) return 2;
  return /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u.test(
    grapheme,
  )
    ? 2
    : 1;
};

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

export const graphemes = (text: string): string[] =>
  isAscii(text) ? [...text] : [...segmenter.segment(text)].map((s) => s.segment);

export const widthOf = (text: string): number =>
  isAscii(text) ? text.length : graphemes(text).reduce((sum, g) => sum + graphemeWidth(g), 0);

/** One visual line and where it begins in the text; the character that broke the line belongs to none. */
export interface VisualLine {
  readonly text: string;
  readonly start: number;
}

const wrapLine = (line: string, base: number, width: number): VisualLine[] => {
  const lines: VisualLine[] = [];
  let start = 0;
  let used = 0;
  let lastSpace = -1;
  let at = 0;
  for (const grapheme of graphemes(line)) {
    const columns = graphemeWidth(grapheme);
    if (used + columns > width && at > start) {
      const breakAt = grapheme === ' ' ? at : lastSpace > start ? lastSpace : at;
      lines.push({ text: line.slice(start, breakAt), start: base + start });
      start = line[breakAt] === ' ' ? breakAt + 1 : breakAt;
      used = widthOf(line.slice(start, at));
      lastSpace = -1;
      if (start > at) {
        at += grapheme.length;
        used = 0;
        continue;
      }
    }
    if (grapheme === ' ') lastSpace = at;
    used += columns;
    at += grapheme.length;
  }
  lines.push({ text: line.slice(start), start: base + start });
  return lines;
};

/** Wraps at words; a word longer than the width is cut. Never empty. */
export const wrap = (text: string, width: number): VisualLine[] => {
  const lines: VisualLine[] = [];
  let base = 0;
  for (const line of text.split('\n')) {
    lines.push(...wrapLine(line, base, Math.max(4, width)));
    base += line.length + 1;
  }
  return lines;
};

/** What becomes of pasted text on its way into the input box (observed on 2.1.332). */
export const normalisePaste = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/\t/g, '    ')
    .replace(/\x1b(?:\[[0-9;?<]*[ -/]*[@-~]|[@-Z\\-_])?/g, '')
    .replace(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/g, '')
    .replace(/\u00a0/g, ' ')
    .replace(/[\u200b\ufeff]/g, '')
    .normalize('NFC');

/** What is cut off when a prompt is sent; leading spaces stay. */
export const trimPrompt = (text: string): string => text.replace(/[\s]+$/u, '');
