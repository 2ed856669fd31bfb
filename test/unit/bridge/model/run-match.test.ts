import { describe, expect, it } from 'vitest';
import { isShown, matchesRun } from '../../../../src/bridge/model/run-match.ts';

const run = { cwd: '/home/a/work/shop', tmuxSession: 'scratch-2', name: 'fix (1)' };

describe('matchesRun (R1)', () => {
  it.each([
    ['/home/a/work/**', true],
    ['/home/a/work/shop/**', true],
    ['/home/a/work/shop', true],
    ['/home/a/work/sho', false],
    ['/home/a/*', false],
    ['/home/*/work/*', true],
    ['/home/a/work/shop?', false],
    ['**/shop', true],
    ['/**', true],
    ['/home/a/**/shop', true],
    ['/home/a/work/shop/**/x', false],
  ])('matches cwd against %s: %s', (cwd, expected) => {
    expect(matchesRun({ cwd }, run)).toBe(expected);
  });

  it('takes letters that mean something in a regular expression as themselves', () => {
    expect(matchesRun({ name: 'fix (1)' }, run)).toBe(true);
    expect(matchesRun({ name: 'fix .1.' }, run)).toBe(false);
  });

  it('wants all given patterns to match, and at least one', () => {
    expect(matchesRun({ tmuxSession: 'scratch*', cwd: '/home/**' }, run)).toBe(true);
    expect(matchesRun({ tmuxSession: 'main', cwd: '/home/**' }, run)).toBe(false);
    expect(matchesRun({}, run)).toBe(false);
    expect(matchesRun({ name: '*' }, { cwd: '/x' })).toBe(false);
  });
});

describe('isShown (R1)', () => {
  it('shows all without rules and nothing unmatched with them', () => {
    expect(isShown(undefined, run)).toBe(true);
    expect(isShown([], run)).toBe(false);
    expect(isShown([{ cwd: '/elsewhere', show: true }], run)).toBe(false);
  });

  it('lets the first match win', () => {
    const rules = [
      { tmuxSession: 'scratch*', show: false },
      { cwd: '/home/**', show: true },
    ];
    expect(isShown(rules, run)).toBe(false);
    expect(isShown(rules, { cwd: '/home/x' })).toBe(true);
  });

  it('gives a channel without a pattern nothing, unless it says all', () => {
    expect(matchesRun({}, run)).toBe(false);
    expect(matchesRun({ all: false }, run)).toBe(false);
    expect(matchesRun({ all: true }, run)).toBe(true);
  });
});
