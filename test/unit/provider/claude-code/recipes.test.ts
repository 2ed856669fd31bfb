import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DialogQuestion } from '../../../../src/bridge/model/conversation.ts';
import {
  agreesWith,
  canBe,
  type PickerReading,
  readPicker,
} from '../../../../src/provider/claude-code/picker.ts';
import { isMet } from '../../../../src/provider/claude-code/recipe-expect.ts';
import {
  type Expectation,
  isVerified,
  obstacle,
  recipeFor,
} from '../../../../src/provider/claude-code/recipes.ts';

const panes = join(import.meta.dirname, '../../../../compat/claude-code/fixtures/panes');
const picker = (name: string): PickerReading | undefined =>
  readPicker({
    capture: readFileSync(join(panes, `${name}.ansi.txt`), 'utf8'),
    cols: Number(/(\d+)x\d+$/.exec(name)?.[1] ?? 120),
  });
type Page = Extract<PickerReading, { page: 'question' }>;
const page = (name: string): Page => {
  const reading = picker(name);
  if (reading?.page !== 'question') throw new Error(`${name} is no question`);
  return reading;
};
const colour: DialogQuestion = {
  question: 'Which colour shall it be?',
  header: 'Colour',
  multiSelect: false,
  options: [{ label: 'Red' }, { label: 'Green' }, { label: 'Blue' }],
};
const toppings: DialogQuestion = {
  question: 'Which toppings?',
  header: 'Toppings',
  multiSelect: true,
  options: [{ label: 'Cheese' }, { label: 'Olives' }, { label: 'Basil' }, { label: 'Onion' }],
};
const labels = (question: DialogQuestion) => question.options.map((option) => option.label);

describe('pickers of the real program', () => {
  it('tells the row under the cursor, the row for own words and Submit apart', () => {
    expect(page('2.1.332/05-ask1').cursor).toBe(1);
    expect(page('2.1.332/picker-own-words-focus-100x30').cursor).toBe(4);
    expect(page('2.1.332/picker-multi-on-submit-100x30').cursor).toBe('submit');
    expect(page('2.1.332/picker-own-words-long-100x30').cursor).toBeUndefined();
  });

  it('reads ticks, and own words without the Submit line below them', () => {
    const rows = page('2.1.332/picker-multi-own-words-typed-100x30').rows;
    expect(rows.filter((row) => row.isChecked).map((row) => row.text)).toEqual([
      'Cheese',
      'Basil',
      '3 anchovies',
    ]);
  });

  it('reads what the review page says', () => {
    expect(picker('2.1.332/picker-multi-review-100x30')).toEqual({
      page: 'review',
      answers: ['Cheese, Basil, 3 anchovies'],
      isOnSubmit: true,
    });
  });

  it.each(['03-idle', '05-perm', '06-plan', '05-askprev', '13-auto-dialog', '03-busy'])(
    'Q4: %s is no picker that keys work',
    (name) => expect(picker(`2.1.332/${name}`)).toBeUndefined(),
  );

  it('D05 Q4: a picker agrees only with its own question', () => {
    const shown = page('2.1.332/picker-own-words-focus-100x30');
    expect(agreesWith(shown, labels(colour))).toBe(true);
    expect(agreesWith(shown, labels(toppings))).toBe(false);
    expect(agreesWith(shown, ['Red', 'Green'])).toBe(false);
    expect(agreesWith(shown, ['Red', 'Green', 'Black'])).toBe(false);
    expect(agreesWith(page('2.1.332/picker-own-words-long-100x30'), labels(colour))).toBe(false);
  });

  it('a label that is cut, wrapped or joined otherwise still agrees', () => {
    expect(canBe('A very long label A ve…', 'A very long label A very long label')).toBe(true);
    expect(canBe('👩‍👩 family', '👩‍👩‍👧 family')).toBe(true);
    expect(canBe('Other', 'Another')).toBe(false);
  });
});

describe('recipes', () => {
  const keys = (question: DialogQuestion, answer: Parameters<typeof recipeFor>[1], from: Page) =>
    recipeFor(question, answer, from)?.steps.flatMap((step): readonly string[] =>
      'keys' in step ? step.keys : 'paste' in step ? [`paste ${step.paste}`] : [],
    );

  it('one choice is one digit; from the row for own words the cursor goes up first', () => {
    const answer = { type: 'choose', choices: [[2]] } as const;
    expect(keys(colour, answer, { ...page('2.1.332/05-ask1') })).toEqual(['3']);
    const focus = page('2.1.332/picker-own-words-focus-100x30');
    expect(keys(colour, answer, focus)).toEqual(['Up', '3']);
    expect(recipeFor(colour, answer, focus)?.expected).toBe('Blue');
  });

  it('several choices untick what is ticked and not wanted', () => {
    const answer = { type: 'choose', choices: [[1, 2]] } as const;
    const ticked = page('2.1.332/picker-multi-two-ticked-100x30');
    expect(keys(toppings, answer, ticked)).toEqual(['1', '2', 'Right', 'Enter']);
    expect(recipeFor(toppings, answer, ticked)?.expected).toBe('Olives, Basil');
  });

  it('an answer that does not fit has no recipe', () => {
    const from = page('2.1.332/05-ask1');
    const choices = [[[]], [[7]], [[0, 1]], [[0], [1]]];
    for (const each of choices)
      expect(recipeFor(colour, { type: 'choose', choices: each }, from)).toBeUndefined();
    expect(recipeFor(colour, { type: 'own-words', text: ' \n' }, from)).toBeUndefined();
    expect(recipeFor(colour, { type: 'approve' }, from)).toBeUndefined();
  });

  it('Q4: no key precedes what must be seen: text only on its row, Submit only with these ticks', () => {
    const steps = recipeFor(
      colour,
      { type: 'own-words', text: 'mine' },
      page('2.1.332/05-ask1'),
    )?.steps;
    const paste = steps?.findIndex((step) => 'paste' in step) ?? -1;
    expect(steps?.[paste - 1]).toEqual({ see: { type: 'on-own-words' } });
    const several = recipeFor(
      toppings,
      { type: 'choose', choices: [[0]] },
      page('2.1.332/picker-multi-two-ticked-100x30'),
    )?.steps;
    const right = several?.findIndex((step) => 'keys' in step && step.keys[0] === 'Right') ?? -1;
    expect(several?.[right - 1]).toEqual({ see: { type: 'ticked', rows: [1] } });
    expect(several?.at(-2)).toEqual({ see: { type: 'review', answer: 'Cheese' } });
  });

  it.each<[Expectation, string, boolean]>([
    [{ type: 'on-options' }, 'picker-own-words-focus-100x30', false],
    [{ type: 'on-own-words' }, 'picker-own-words-focus-100x30', true],
    [{ type: 'on-own-words' }, 'picker-multi-two-ticked-100x30', false],
    [{ type: 'own-words-typed', text: 'x' }, 'picker-own-words-focus-100x30', false],
    [
      { type: 'own-words-typed', text: '1. first\n2. second' },
      'picker-own-words-typed-100x30',
      true,
    ],
    [{ type: 'own-words-typed', text: 'other' }, 'picker-own-words-typed-100x30', false],
    [{ type: 'own-words-typed', text: 'long' }, 'picker-own-words-long-100x30', true],
    [{ type: 'ticked', rows: [1, 3] }, 'picker-multi-two-ticked-100x30', true],
    [{ type: 'ticked', rows: [1] }, 'picker-multi-two-ticked-100x30', false],
    [{ type: 'ticked', rows: [1, 2, 3] }, 'picker-multi-two-ticked-100x30', false],
    [{ type: 'on-submit' }, 'picker-multi-on-submit-100x30', true],
    [{ type: 'review', answer: 'Cheese, Basil, 3 anchovies' }, 'picker-multi-review-100x30', true],
    [{ type: 'review', answer: 'Cheese' }, 'picker-multi-review-100x30', false],
    [
      { type: 'review', answer: 'Cheese, Basil, 3 anchovies, x' },
      'picker-multi-review-100x30',
      false,
    ],
    [{ type: 'review', answer: 'Cheese' }, 'picker-multi-two-ticked-100x30', false],
  ])('%j on %s: %s', (wanted, name, met) => {
    const count = name.includes('multi') ? 4 : 3;
    expect(isMet(wanted, picker(`2.1.332/${name}`), count)).toBe(met);
  });

  it('Q4: a picker that somebody works at, or that cannot be seen whole, is left alone', () => {
    expect(obstacle(page('2.1.332/picker-own-words-focus-100x30'), colour)).toBeUndefined();
    expect(obstacle(page('2.1.332/picker-own-words-typed-100x30'), colour)).toContain('typing');
    expect(obstacle(page('2.1.332/picker-multi-on-submit-100x30'), toppings)).toContain('answer');
    expect(obstacle(page('2.1.332/picker-own-words-long-100x30'), colour)).toContain('small');
    const review = picker('2.1.332/picker-multi-review-100x30');
    expect(review && obstacle(review, toppings)).toContain('review');
    const small = page('2.1.332/picker-multi-two-ticked-100x30');
    const cut = { ...small, rows: small.rows.filter((row) => row.number !== 4) };
    expect(obstacle(cut, toppings)).toContain('small');
  });

  it('Q4: only versions in the table, or verified on this machine, have keys', () => {
    expect(isVerified('choose-one', '2.1.332')).toBe(true);
    expect(isVerified('own-words', '2.1.269')).toBe(false);
    expect(isVerified('choose-one', '2.1.333')).toBe(false);
    expect(isVerified('choose-one', undefined)).toBe(false);
    expect(isVerified('own-words', '2.1.333', ['2.1.333'])).toBe(true);
  });
});
