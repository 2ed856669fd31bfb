import { describe, expect, it } from 'vitest';
import { type Faults, isRight, judge, type Seen } from '../../matrix/judge.ts';
import { emptyCount } from '../../matrix/results.ts';
import { percentile, tableOf } from '../../matrix/table.ts';

const seen = (more: Partial<Seen> = {}): Seen => ({
  ...{ expected: { is: 'confirmed' }, wanted: 'hello', isWrapped: false, later: [] },
  ...{ outcome: { status: 'confirmed' }, received: ['hello'], isUntouched: false },
  ...more,
});
const held: Partial<Seen> = {
  ...{ expected: { is: 'held', why: 'dialog' }, received: [], isUntouched: true },
  outcome: { status: 'held', reason: { why: 'dialog', takesOwnWords: true } },
};
/** Names of the faults. */
const faultsOf = (more: Partial<Seen>): readonly string[] =>
  Object.entries(judge(seen(more)) satisfies Faults).flatMap(([name, is]) =>
    is === false || is === undefined ? [] : [name],
  );

describe('how a try is judged', () => {
  it('right is the outcome that must be, and the truth', () => {
    expect(isRight(judge(seen()))).toBe(true);
    expect(isRight(judge(seen(held)))).toBe(true);
    const queued = { status: 'queued' } as const;
    const streamed = { expected: { is: 'queued' }, outcome: queued } as const;
    expect(isRight(judge(seen({ ...streamed, later: [{ status: 'confirmed' }] })))).toBe(true);
    expect(faultsOf({ ...streamed, later: [queued] })).toEqual(['wrongOutcome']);
  });

  it.each<[string, Partial<Seen>, readonly string[]]>([
    ['nothing came', { received: [] }, ['loss', 'wrongOutcome']],
    ['it came twice', { received: ['hello', 'hello'] }, ['double']],
    ['it came otherwise', { received: ['hell'] }, ['loss', 'alteration', 'wrongOutcome']],
    ['more came', { received: ['hello', 'ls'] }, ['alteration']],
    ['the screen changed although it was held', { ...held, isUntouched: false }, ['wrongKey']],
    ['the dialog is closed', { ...held, isDialogOpen: false }, ['wrongKey']],
    [
      'held for another reason',
      { ...held, expected: { is: 'held', why: 'starting' } },
      ['wrongOutcome'],
    ],
    [
      'a draft was sent',
      { received: ['hello z'], draft: { mark: 'z', isInBox: true } },
      ['loss', 'alteration', 'stolenDraft', 'wrongOutcome'],
    ],
    ['a draft is gone', { draft: { mark: 'z', isInBox: false } }, ['stolenDraft']],
    [
      'unknown, and it came',
      { outcome: { status: 'unknown', reason: '', screen: '' }, expected: { is: 'true' } },
      ['wrongOutcome'],
    ],
  ])('%s', (_, more, faults) => {
    expect(faultsOf(more)).toEqual(faults);
  });

  it('the table counts what the results hold', () => {
    const count = { ...emptyCount(), n: 3, right: 2, losses: 1, proofMs: [10, 30, 20] };
    const table = tableOf({ version: '1', tmux: 't', cells: { 'idle: one word': count } });
    expect(table).toContain('| idle | one word | confirmed | 2/3 | 1 | 0 | 0 | 0 | 0 | 20 | 30 |');
    expect(table).toContain('**All together: 2/3 right; losses 1');
    expect(percentile([], 0.5)).toBeUndefined();
  });
});
