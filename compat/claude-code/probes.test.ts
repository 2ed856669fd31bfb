import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readScreen } from '../../src/provider/claude-code/screen.ts';
import { inWords } from './pane-words.ts';

const PANES = join(import.meta.dirname, 'fixtures', 'panes');
const SUFFIX = '.ansi.txt';

/** `<version>/<situation>` → what the screen reader must say; written by hand from what the screen shows. */
const expected = new Map(
  readFileSync(join(PANES, 'expected.tsv'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t') as [string, string]),
);

/** Captures are 120 columns wide where their name says nothing else. */
const colsOf = (name: string): number => Number(/(\d+)x\d+/.exec(name)?.[1] ?? 120);

const captured = readdirSync(PANES, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith(SUFFIX))
  .map((name) => name.slice(0, -SUFFIX.length));

describe('screens of the real program', () => {
  it('has one expectation for each capture, and no other', () => {
    expect([...expected.keys()].sort()).toEqual([...captured].sort());
  });

  it.each(captured.sort())('%s', (name) => {
    const capture = readFileSync(join(PANES, name + SUFFIX), 'utf8');
    expect(inWords(readScreen({ capture, cols: colsOf(name) }))).toBe(expected.get(name));
  });
});
