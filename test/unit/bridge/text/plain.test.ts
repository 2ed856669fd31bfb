import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  breakPings,
  characters,
  cutGraphemes,
  fenced,
  inlineCode,
  oneLine,
  stripControls,
} from '../../../../src/bridge/text/plain.ts';

test.each([
  ['colours', '\u001b[31mred\u001b[0m', 'red'],
  ['titles', 'a\u001b]0;title\u0007b', 'ab'],
  ['a hyperlink', '\u001b]8;;https://x\u001b\\text\u001b]8;;\u001b\\', 'text'],
  ['bells and backspaces, not tabs and lines', 'a\u0007\b\tb\r\nc\rd', 'a\tb\nc\nd'],
  ['right-to-left text stays', 'שלום\u200f!', 'שלום\u200f!'],
])('A3 controls are removed: %s', (_, text, want) => {
  expect(stripControls(text)).toBe(want);
});

test.each([
  ['abc👩‍👩‍👧‍👦', 5, 'abc'],
  ['abc', 5, 'abc'],
  ['\u{1F600}\u{1F600}', 3, '\u{1F600}'],
])('cut between graphemes: %s at %i', (text, most, want) => {
  expect(cutGraphemes(text, most)).toBe(want);
});

test('a grapheme longer than the limit is cut all the same, not a surrogate pair', () => {
  expect(cutGraphemes('👩‍👩‍👧‍👦abc', 5)).toBe('👩‍👩');
  expect(cutGraphemes('\u{1F600}', 1)).toHaveLength(1);
});

test('one line, cut on a grapheme', () => {
  expect(oneLine('  a\n\tb  ', 10)).toBe('a b');
  expect(oneLine('abcdef', 4)).toBe('abc…');
});

test('P3 nothing inside can end a code block or inline code', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('`', '``', '```', 'a', '\n', '~~~')), (pieces) => {
      const text = pieces.join('');
      const lines = fenced(text, 'sh').split('\n');
      const fence = lines.at(-1) ?? '';
      expect(lines.slice(1, -1).some((line) => line.includes(fence))).toBe(false);
      const tick = /^`+/.exec(inlineCode(`a${text}`))?.[0] ?? '';
      expect(text).not.toContain(tick);
    }),
  );
});

test.each(['@everyone', '@here', '@channel', '<@U123>', '<!channel>', '<!subteam^S1>', '<#C1>'])(
  'P3 %s is broken, once',
  (ping) => {
    const broken = breakPings(`hi ${ping}!`);
    expect(broken).not.toContain(ping);
    expect(broken.replaceAll('\u200b', '')).toBe(`hi ${ping}!`);
    expect(breakPings(broken)).toBe(broken);
  },
);

test('sizes are said in words', () => {
  expect([characters(1), characters(12_345)]).toEqual(['1 character', '12,345 characters']);
});
