import type { Finder, Span } from './spans.ts';

/** A shorter one would mask ordinary words. */
const shortestToken = 6;
/** Where a line may break inside a token: indentation, quote marks, frames, a written `\n`. */
const mayBreak = '(?:[ \\t]{0,200}(?:\\\\?\\r?\\n|\\\\n)[ \\t>|│+#*-]{0,40})?';

const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** In base64 a token looks different by where it starts in the input; the edges depend on its neighbours. */
const inBase64 = (token: string): readonly string[] =>
  [0, 1, 2].flatMap((shift) => {
    const text = Buffer.from(`${'\0'.repeat(shift)}${token}`, 'utf8').toString('base64');
    const inner = text.replace(/=+$/, '').slice(shift === 0 ? 0 : shift + 1, -2);
    return inner.length < 12 ? [] : [inner, inner.replace(/\+/g, '-').replace(/\//g, '_')];
  });

const formsOf = (token: string): readonly string[] => [
  token,
  JSON.stringify(token).slice(1, -1),
  encodeURIComponent(token),
  ...(token.length >= 12 ? inBase64(token) : []),
];

/** The bridge's own secrets: as they are, escaped, URL-encoded, in base64, and with a line break inside. */
export const makeFindOwn = (tokens: readonly string[]): Finder => {
  const known = [
    ...new Set(tokens.filter((token) => token.length >= shortestToken).flatMap(formsOf)),
  ]
    .sort((a, b) => b.length - a.length)
    .map((form) => ({
      start: form.slice(0, 3),
      pattern: new RegExp([...form].map(escapeRegExp).join(mayBreak), 'g'),
    }));
  return (text) =>
    known.flatMap(({ start, pattern }) => {
      // A break may stand within the first characters too, so the quick look needs only the first one.
      if (!text.includes(start.charAt(0))) return [];
      return [...text.matchAll(pattern)].map(
        (found): Span => ({
          start: found.index,
          end: found.index + found[0].length,
          kind: 'token',
        }),
      );
    });
};
