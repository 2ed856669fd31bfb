import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { GENERATED } from './house/generated.ts';
import { invariants, invariantsIn, numberingViolations } from './house/invariants.ts';
import { anchorsOf, brokenReferences, referencesIn } from './house/links.ts';
import { pathsBelow } from './house/source.ts';

const read = (path: string): string => readFileSync(path, 'utf8');
const pages = [
  ...['README.md', 'CONTEXT.md', 'CHANGELOG.md', 'CONTRIBUTING.md'],
  ...pathsBelow('docs', ['.md']),
  ...pathsBelow('compat', ['.md']),
];

describe('the documentation', () => {
  it.each(GENERATED)('$path is what the code says (else: npm run docs)', ({ path, render }) => {
    expect(read(path)).toBe(render());
  });

  it('names only files and headings that exist', () => {
    expect(pages.flatMap((page) => brokenReferences(page, read(page), read))).toEqual([]);
  });

  it('numbers the invariants without a gap, each in one title', () => {
    expect(invariants().length).toBeGreaterThan(0);
    expect(numberingViolations(invariants())).toEqual([]);
  });

  it('knows every promise that a test cites', () => {
    const known = new Set(
      [...read('docs/promises.md').matchAll(/^\| ([A-Z]\d) \|/gm)].map((m) => m[1]),
    );
    const cited = ['test', 'compat']
      .flatMap((folder) => pathsBelow(folder, ['.test.ts']))
      .flatMap((file) => [...read(file).matchAll(/\(([A-Z]\d(?:, [A-Z]\d)*)\)['"`]/g)])
      .flatMap((m) => (m[1] ?? '').split(', '));
    expect(cited.length).toBeGreaterThan(0);
    expect(cited.filter((code) => !known.has(code))).toEqual([]);
  });

  it('keeps decisions short', () => {
    const long = pathsBelow('docs/adr', ['.md'])
      .filter((path) => /\/\d{4}-/.test(path))
      .filter((path) => read(path).split('\n').length > 41);
    expect(long).toEqual([]);
  });
});

describe('the checks of the documentation find what is wrong', () => {
  it('links, anchors and named files', () => {
    const text = [
      '# A Page: of *it*',
      '[a](../README.md) [b](#a-page-of-it) [c](https://example.net/x) [d](gone.md)',
      '[e](../README.md#no-such-heading) `src/bridge/model/ids.ts` `src/gone.ts` `npm run x`',
      '```',
      '[in code](nowhere.md)',
      '```',
    ].join('\n');
    expect(anchorsOf(text)).toEqual(['a-page-of-it']);
    expect(referencesIn('docs/x.md', text)).toHaveLength(6);
    const texts = (path: string) => (path === 'docs/x.md' ? text : read(path));
    expect(
      brokenReferences('docs/testing.md', text.replace('(#a-page-of-it)', '(x)'), texts),
    ).toEqual([
      'docs/testing.md: x is not there',
      'docs/testing.md: gone.md is not there',
      'docs/testing.md: ../README.md#no-such-heading has no such heading',
      'docs/testing.md: src/gone.ts is not there',
    ]);
  });

  it('invariants that are missing or doubled', () => {
    const title = (n: number) => `it('invariant ${n}: x', () => {});`;
    const found = invariantsIn('a.test.ts', [1, 2, 2, 4].map(title).join('\n'));
    expect(found).toHaveLength(4);
    expect(numberingViolations(found)).toEqual(['invariant 2 in a.test.ts: expected number 3']);
  });
});
