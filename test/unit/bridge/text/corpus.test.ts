import { describe, expect, test } from 'vitest';
import { makeRedact } from '../../../../src/bridge/text/redact.ts';
import { lookAlikes } from './corpus/look-alikes.ts';
import { named } from './corpus/named.ts';
import { contexts, tokens } from './corpus/tokens.ts';

const redact = makeRedact({ tokens: [], patterns: [] });

/** The longest piece of a secret that still stands there; three characters tell nothing. */
const leftOf = (secret: string, shown: string): string => {
  const least = Math.min(secret.length, 8);
  for (let at = 0; at + least <= secret.length; at++) {
    const piece = secret.slice(at, at + least);
    if (shown.includes(piece)) return piece;
  }
  return '';
};

describe('P7 the corpus', () => {
  test.each(contexts)('no known token is left in $name', ({ around }) => {
    const left = tokens.filter(({ token }) => leftOf(token, redact(around(token))) !== '');
    expect(left.map(({ name, token }) => [name, redact(around(token))])).toEqual([]);
  });

  test('no secret is left that is known by its name or its surroundings', () => {
    const left = named.filter(({ secrets, text }) =>
      secrets.some((secret) => leftOf(secret, redact(text)) !== ''),
    );
    expect(left.map(({ name, text }) => `${name}\n${text}\n${redact(text)}`).join('\n\n')).toBe('');
  });

  test('look-alikes stay readable', () => {
    const changed = lookAlikes.filter((text) => redact(text) !== text);
    expect(changed.map((text) => `${text}\n${redact(text)}`).join('\n\n')).toBe('');
  });
});
