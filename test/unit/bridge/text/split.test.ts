import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fenceAfter, wholeRanges } from '../../../../src/bridge/text/markdown-lines.ts';
import { splitMarkdown } from '../../../../src/bridge/text/split.ts';

const labelled = /\n\((\d)\/(\d)\)$/;
const partsOf = (markdown: string, limit: number): readonly string[] => {
  const split = splitMarkdown(markdown, { limit });
  return split.type === 'parts' ? split.parts : [split.preview];
};
const bare = (part: string) => part.replace(labelled, '');
const openFence = (part: string) =>
  bare(part)
    .split('\n')
    .reduce<ReturnType<typeof fenceAfter>>((open, line) => fenceAfter(line, open), undefined);

const grapheme = fc.constantFrom(
  ...['a', 'b', ' ', 'é', 'e\u0301', '漢', '👩‍👩‍👧‍👦', '👍🏽', '🇩🇪', 'ש', 'नि', '\u{1F600}', '.'],
);
const word = fc.string({ unit: grapheme, minLength: 1, maxLength: 12 });
const url = fc.stringMatching(/^[a-z0-9/?=]{1,20}$/).map((path) => `https://example.net/${path}`);
const link = fc.oneof(
  fc.tuple(fc.stringMatching(/^[a-z]{1,10}( [a-z]{1,10})?$/), url).map(([t, u]) => `[${t}](${u})`),
  url,
  fc.stringMatching(/^[a-z]{1,10} [a-z]{1,10}$/).map((code) => `\`${code}\``),
);
const line = fc.array(fc.oneof({ weight: 4, arbitrary: word }, link), { maxLength: 12 });
const paragraph = fc.array(
  line.map((l) => l.join(' ')),
  { minLength: 1, maxLength: 4 },
);
const code = fc
  .tuple(
    fc.constantFrom('```', '~~~', '````'),
    fc.constantFrom('', 'ts', 'python'),
    fc.array(fc.stringMatching(/^[a-z(){}; ]{0,40}$/), { maxLength: 10 }),
    fc.constantFrom('', '> ', '  '),
  )
  .map(([fence, lang, lines, prefix]) =>
    [`${fence}${lang}`, ...lines, fence].map((l) => `${prefix}${l}`),
  );
const table = fc
  .array(fc.tuple(fc.stringMatching(/^[a-z]{1,8}$/), fc.stringMatching(/^[a-z]{1,8}$/)), {
    minLength: 1,
    maxLength: 12,
  })
  .map((rows) => ['| A | B |', '|---|---|', ...rows.map(([a, b]) => `| ${a} | ${b} |`)]);
const document = fc
  .array(fc.oneof(paragraph, code, table), { minLength: 1, maxLength: 6 })
  .map((blocks) => blocks.map((lines) => lines.join('\n')).join('\n\n'));
const limit = fc.integer({ min: 100, max: 600 });

describe('P3 a split never breaks what it can keep whole', () => {
  test('every part fits, its label included, whatever the text', () => {
    fc.assert(
      fc.property(fc.oneof(document, fc.string({ maxLength: 2_000 })), limit, (text, most) => {
        for (const part of partsOf(text, most)) expect(part.length).toBeLessThanOrEqual(most);
      }),
      { numRuns: 400 },
    );
  });

  test('P07 every part closes the fences it opens', () => {
    fc.assert(
      fc.property(document, limit, (text, most) => {
        for (const part of partsOf(text, most)) expect(openFence(part)).toBeUndefined();
      }),
      { numRuns: 400 },
    );
  });

  test('links, addresses and inline code come through whole, in order', () => {
    const text = fc
      .array(
        line.map((l) => l.join(' ')),
        { maxLength: 8 },
      )
      .map((l) => l.join('\n'));
    const whole = (t: string) => wholeRanges(t).map(([from, to]) => t.slice(from, to));
    fc.assert(
      fc.property(text, limit, (t, most) => {
        const split = splitMarkdown(t, { limit: most });
        if (split.type === 'file') return;
        expect(split.parts.flatMap((part) => whole(bare(part)))).toEqual(whole(t));
      }),
      { numRuns: 400 },
    );
  });

  test('no grapheme is broken and nothing is lost but white space', () => {
    const segments = (t: string) =>
      [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(t)]
        .map((s) => s.segment)
        .filter((s) => s.trim() !== '');
    const text = fc.string({ unit: grapheme, maxLength: 400 });
    fc.assert(
      fc.property(text, limit, (t, most) => {
        const split = splitMarkdown(t, { limit: most });
        if (split.type === 'file') return;
        expect(split.parts.flatMap((part) => segments(bare(part)))).toEqual(segments(t));
      }),
      { numRuns: 400 },
    );
  });

  test('table rows stay whole and the head is repeated', () => {
    fc.assert(
      fc.property(table, (rows) => {
        const split = splitMarkdown(rows.join('\n'), { limit: 110 });
        if (split.type === 'file') return;
        const seen = split.parts.map((part) => bare(part).split('\n'));
        for (const part of seen) expect(part.slice(0, 2)).toEqual(rows.slice(0, 2));
        expect(seen.flatMap((part) => part.slice(2))).toEqual(rows.slice(2));
      }),
    );
  });

  test('the same text splits into the same bytes', () => {
    fc.assert(
      fc.property(document, limit, (t, most) => {
        expect(splitMarkdown(t, { limit: most })).toEqual(splitMarkdown(t, { limit: most }));
      }),
    );
  });
});

test('what fits is left alone, unlabelled', () => {
  expect(splitMarkdown('# hello\n', { limit: 100 })).toEqual({
    type: 'parts',
    parts: ['# hello\n'],
  });
});

test('P3 parts say which they are; code goes on with its language', () => {
  const lines = Array.from({ length: 9 }, (_, n) => `const value${n} = ${n};`);
  const split = splitMarkdown(['Here:', '', '```ts', ...lines, '```', 'Done.'].join('\n'), {
    limit: 120,
  });
  expect(split).toMatchInlineSnapshot(`
    {
      "parts": [
        "Here:

    \`\`\`ts
    const value0 = 0;
    const value1 = 1;
    const value2 = 2;
    const value3 = 3;
    const value4 = 4;
    \`\`\`
    (1/2)",
        "\`\`\`ts
    const value5 = 5;
    const value6 = 6;
    const value7 = 7;
    const value8 = 8;
    \`\`\`
    Done.
    (2/2)",
      ],
      "type": "parts",
    }
  `);
});

test('P3 a paragraph is not torn when there is a blank line not too far back', () => {
  const split = splitMarkdown(`${'a '.repeat(40)}\n\n${'b '.repeat(40)}`, { limit: 130 });
  expect(split).toMatchObject({
    parts: [`${'a '.repeat(40).trim()}\n(1/2)`, `${'b '.repeat(40).trim()}\n(2/2)`],
  });
});

test('D25 P3 beyond three parts: the beginning, 600 characters of it, and the size', () => {
  const split = splitMarkdown('word '.repeat(2_000), { limit: 2_000 });
  expect(split.type).toBe('file');
  if (split.type !== 'file') return;
  expect(split.preview).toMatch(/\n… \(10,000 characters, the whole text is in the file\)$/);
  const beginning = split.preview.slice(0, split.preview.lastIndexOf('\n'));
  expect(beginning.length).toBeGreaterThan(590);
  expect(beginning.length).toBeLessThanOrEqual(600);
});

test('a measure of the platform counts, not ours', () => {
  const split = splitMarkdown('&'.repeat(150), {
    limit: 200,
    measure: (t) => t.length + 4 * (t.match(/&/g) ?? []).length,
  });
  expect(split.type).toBe('file');
});

test.each([
  ['one huge line', 'x'.repeat(300_000)],
  ['many open brackets', '['.repeat(50_000)],
  ['many backticks', '`'.repeat(50_000)],
  ['many short lines', 'a\n'.repeat(50_000)],
  ['deep quotes', `${'> '.repeat(5_000)}\`\`\`js\n${'y\n'.repeat(3_000)}`],
  ['a long fence info', `\`\`\`${'z'.repeat(5_000)}\n${'y\n'.repeat(3_000)}`],
  ['a monstrous grapheme', `a${'\u0301'.repeat(20_000)}`],
  [
    'a table with a monstrous head',
    `|${'h'.repeat(3_000)}|b|\n|---|---|\n${'|1|2|\n'.repeat(900)}`,
  ],
])('%s is split without growing or hanging', (_, text) => {
  for (const part of partsOf(text, 1_000)) expect(part.length).toBeLessThanOrEqual(1_000);
});

test('a text of almost nothing but blank lines goes up as a file, without standing still', () => {
  const text = `a${'\n'.repeat(400_000)}b`;
  expect(splitMarkdown(text, { limit: 3_000 }).type).toBe('file');
  expect(splitMarkdown(`a${'\n'.repeat(5_000)}`, { limit: 3_000 })).toEqual({
    type: 'parts',
    parts: ['a'],
  });
});
