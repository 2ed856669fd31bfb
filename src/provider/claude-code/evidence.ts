import { withoutEscapes, withoutPasteMarks } from './fold-markup.ts';

/** Control characters except newline; TAB has become spaces by then. */
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g;
/** Zero-width space and BOM; joiners stay, emoji need them. */
const INVISIBLE = /[\u200b\ufeff]/g;
const NBSP = /\u00a0/g;
const TAB = '    ';

/** Nothing in it changes but at its end. */
const PLAIN = /^[\n -~]*$/;
/** Not by a pattern: one that ends with `+$` takes the square of a run of blanks that is not the last. */
const withoutTail = (text: string): string => {
  let end = text.length;
  while (end > 0 && (text[end - 1] === ' ' || text[end - 1] === '\n')) end -= 1;
  return text.slice(0, end);
};

/**
 * A text as Claude Code records it after a bracketed paste (compat/claude-code, "Normalisation"):
 * newlines as LF, a TAB as four spaces, no escape sequences, no control characters, NFC, ordinary
 * spaces, no trailing blanks or newlines. Leading spaces stay.
 */
export const normalise = (text: string): string => {
  if (PLAIN.test(text)) return withoutTail(text);
  const clean = withoutEscapes(text)
    .replace(/\r\n?/g, '\n')
    .replaceAll('\t', TAB)
    .replace(CONTROLS, '')
    .replace(INVISIBLE, '')
    .replace(NBSP, ' ')
    .normalize('NFC');
  return withoutTail(clean);
};

/** White space before the first word; not where it keeps that word from being a command. */
const LEADING = /^\s+(?!\s|!|\/[^\s/]*(?:\s|$))/u;

/**
 * The form in which a sent and a recorded text are compared: both sides of every proof. Blank lines
 * at the start are the frame of pasted content, or fall away; the agent's own queue takes all white
 * space at the start away (2.1.332).
 */
export const comparable = (text: string): string => {
  const clean = normalise(withoutPasteMarks(text)).replace(/^\n+/, '').replace(LEADING, '');
  return PLAIN.test(clean) ? clean : withoutTail(withoutUnseen(clean));
};

/**
 * What cannot be seen is left out on both sides: Claude Code keeps joiners, selectors and marks only
 * where its own rules find them useful (2.1.332, 70 characters and contexts tried).
 */
export const withoutUnseen = (text: string): string =>
  text
    .replace(/[\u2028\u2029]/g, '\n')
    .replace(/[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu, '');

/** True when the record holds exactly the text that was sent, but for what Claude Code normalises. */
export const sameText = (sent: string, recorded: string): boolean =>
  comparable(sent) === comparable(recorded);
