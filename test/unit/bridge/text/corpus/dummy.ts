/** Made-up characters, the same at every run; put together here so that no scanner takes a file for a leak. */
const alphabets = {
  word: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  lower: 'abcdefghijklmnopqrstuvwxyz0123456789',
  upper: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  hex: '0123456789abcdef',
  digits: '0123456789',
  base64: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
} as const;

export type Alphabet = keyof typeof alphabets;

/** `length` characters; another `seed` gives others. */
export const dummy = (length: number, alphabet: Alphabet = 'word', seed = 1): string => {
  const letters = alphabets[alphabet];
  let state = (seed * 2_654_435_761 + length * 40_503) >>> 0;
  let text = '';
  for (let n = 0; n < length; n++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += letters[(state >>> 8) % letters.length];
  }
  return text;
};

export const uuid = (seed: number): string =>
  [8, 4, 4, 4, 12].map((length, n) => dummy(length, 'hex', seed * 7 + n)).join('-');

/** Lines of 64 characters, as in a PEM file. */
export const pemLines = (lines: number, seed: number): string =>
  Array.from({ length: lines }, (_, n) =>
    dummy(n === lines - 1 ? 40 : 64, 'base64', seed + n),
  ).join('\n');
