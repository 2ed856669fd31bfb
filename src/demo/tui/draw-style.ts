import { widthOf, wrap } from './text.ts';

/** Text between an SGR sequence and its end. */
export const style = (codes: string, text: string): string => `\x1b[${codes}m${text}\x1b[0m`;

export const grey = (text: string): string => style('38;5;246', text);
export const blue = (text: string): string => style('38;5;153', text);
export const bold = (text: string): string => style('1', text);
export const reverse = (text: string): string => style('7', text);

/** The space after the prompt sign is a no-break space, as on the real screen. */
export const promptSign = '❯\u00a0';

export const rule = (columns: number, colour: number, sign = '─', indent = 0): string =>
  ' '.repeat(indent) + style(`38;5;${colour}`, sign.repeat(Math.max(1, columns - 2 * indent)));

export const rightAligned = (columns: number, text: string): string =>
  ' '.repeat(Math.max(0, columns - widthOf(text))) + grey(text);

/** Wrapped lines with a sign before the first and an indent of the same width before the others. */
export const hanging = (sign: string, text: string, columns: number): string[] => {
  const indent = widthOf(sign);
  return wrap(text, columns - indent).map((line, i) =>
    i === 0 ? sign + line.text : ' '.repeat(indent) + line.text,
  );
};

/** An input with nothing in it: its first letter under the cursor, the rest dim. */
export const placeholder = (text: string): string =>
  `\x1b[7m${text.slice(0, 1)}\x1b[0;2m${text.slice(1)}\x1b[0m`;
