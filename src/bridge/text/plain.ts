/** Escape sequences of terminals: CSI, OSC (ended by BEL or ST), and two-character ones. */
const escapes = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-_])/g;

/** Control characters but tab and newline, with the C1 range. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Removes what only a terminal understands; line ends become `\n`. Everything that people read stays. */
export const stripControls = (text: string): string =>
  text.replace(/\r\n?/g, '\n').replace(escapes, '').replace(controls, '');

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The longest beginning of at most `most` characters (UTF-16 units) that ends between two graphemes. */
export const cutGraphemes = (text: string, most: number): string => {
  if (text.length <= most) return text;
  // A grapheme longer than this is no letter of any script but an attack on the reader.
  const slack = 64;
  const end = graphemes.segment(text.slice(0, most + slack)).containing(most)?.index ?? 0;
  if (end > 0) return text.slice(0, end);
  const isPair = most > 0 && /[\ud800-\udbff]/.test(text.charAt(most - 1));
  return text.slice(0, isPair && most > 1 ? most - 1 : Math.max(most, 1));
};

/** One line without control characters; what is too long ends with `…`. */
export const oneLine = (text: string, most: number): string => {
  const line = stripControls(text).replace(/\s+/g, ' ').trim();
  return line.length <= most ? line : `${cutGraphemes(line, most - 1).trimEnd()}…`;
};

/** A code block whose fence is longer than any run of backticks in it: nothing inside can close it. */
export const fenced = (text: string, language = ''): string => {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`;
};

/** Inline code that backticks inside cannot end. */
export const inlineCode = (text: string): string => {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
  const tick = '`'.repeat(longest + 1);
  return longest === 0 ? `${tick}${text}${tick}` : `${tick} ${text} ${tick}`;
};

/**
 * Breaks what any of the platforms could read as a mention, with a zero-width space: a second belt
 * where a platform has no way to say "no mentions" (P3). Reads the same; idempotent.
 */
export const breakPings = (text: string): string =>
  text
    .replace(/@(?=everyone\b|here\b|channel\b)/gi, '@\u200b')
    .replace(/<(?=[@!#][^\s>]{0,80}>)/g, '<\u200b');

/** "1,234 characters". */
export const characters = (count: number): string =>
  `${count.toLocaleString('en')} ${count === 1 ? 'character' : 'characters'}`;
