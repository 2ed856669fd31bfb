import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { faultsOf, listed, titleCodes } from './house/failures.ts';
import { pathsBelow } from './house/source.ts';

const page = readFileSync('docs/failures.md', 'utf8');
const titles = pathsBelow('test', ['.test.ts', '.suite.ts'])
  .filter((path) => path !== 'test/failures.test.ts')
  .flatMap((path) => titleCodes(readFileSync(path, 'utf8')));

describe('how others failed', () => {
  it('has a test, a reason or an open mark for every row, and every code in a title has a row', () => {
    expect(listed(page).length).toBeGreaterThan(120);
    expect(faultsOf(page, titles)).toEqual([]);
  });

  it('finds what is wrong', () => {
    const rows = [
      '| S01 | a | test |',
      '| S02 | b | test |',
      '| S03 | c | not here: never |',
      '| S04 | d | open: x |',
      '| S05 | e | |',
      '| S01 | f | test |',
    ].join('\n');
    const text = "it('S01 one', f); it.each(x)(`S03 S09 L2 two`, f); [\n  'S01 a case', 1];";
    expect(titleCodes(text)).toEqual(['S01', 'S03', 'S09', 'S01']);
    expect(faultsOf(rows, titleCodes(text))).toEqual([
      'S02 has no test',
      'S03 is said not to be tested, and is in a title',
      'S05 says nothing',
      'S01 stands twice',
      'S09 is in a title and not in the list',
    ]);
  });
});
