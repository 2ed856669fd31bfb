import { describe, expect, it } from 'vitest';
import { isInChannel, isShown, selects } from '../../../../src/bridge/model/run-selector.ts';

const run = { cwd: '/home/a/work/shop', tmuxSession: 'scratch-2', name: 'fix (1)' };

describe('selects (R1)', () => {
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
    expect(selects({ cwd }, run)).toBe(expected);
  });

  it('takes letters that mean something in a regular expression as themselves', () => {
    expect(selects({ name: 'fix (1)' }, run)).toBe(true);
    expect(selects({ name: 'fix .1.' }, run)).toBe(false);
  });

  it('wants all given patterns to match, and at least one', () => {
    expect(selects({ tmuxSession: 'scratch*', cwd: '/home/**' }, run)).toBe(true);
    expect(selects({ tmuxSession: 'main', cwd: '/home/**' }, run)).toBe(false);
    expect(selects({}, run)).toBe(false);
    expect(selects({ name: '*' }, { cwd: '/x' })).toBe(false);
  });
});

describe('isShown and isInChannel (R1)', () => {
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
    expect(isInChannel({}, run)).toBe(false);
    expect(isInChannel({ all: false }, run)).toBe(false);
    expect(isInChannel({ all: true }, run)).toBe(true);
    expect(isInChannel({ cwd: '/home/a/**' }, run)).toBe(true);
  });
});
