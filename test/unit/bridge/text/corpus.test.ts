import { readFileSync } from 'node:fs';
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

  test('its figures stand in docs/security.md', () => {
    const page = readFileSync('docs/security.md', 'utf8');
    const unchanged = lookAlikes.filter((text) => redact(text) === text).length;
    expect(page).toContain(
      `- ${tokens.length} tokens of different makers in ${contexts.length} surroundings: ${tokens.length * contexts.length} of ${tokens.length * contexts.length} masked.`,
    );
    expect(page).toContain(
      `- ${named.length} secrets known by name or surroundings: ${named.length} of ${named.length} masked.`,
    );
    expect(page).toContain(
      `- ${lookAlikes.length} look-alikes (hashes, ids, images, lock files, code, styles, prose): ${unchanged} stay as they are.`,
    );
  });
});
