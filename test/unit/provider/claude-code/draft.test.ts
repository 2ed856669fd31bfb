import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compareDraft } from '../../../../src/provider/claude-code/draft.ts';
import { readScreen } from '../../../../src/provider/claude-code/screen.ts';
import type { Draft } from '../../../../src/provider/claude-code/screen-reading.ts';

const draft = (text: string, more: { chips?: string[]; isClipped?: boolean } = {}): Draft => ({
  type: 'text',
  text,
  compact: text.replace(/\s+/g, ''),
  chips: more.chips ?? [],
  isClipped: more.isClipped ?? false,
});
const panes = new URL('../../../../compat/claude-code/fixtures/panes/2.1.332/', import.meta.url);
const chip = '[Pasted text #1 +4 lines]';

describe('S27 D2, D5: whose words stand in the box', () => {
  it.each([
    ['the text, wrapped anywhere', draft('hello wor ld'), 'hello world', 'same'],
    ['a beginning while pastes arrive', draft('hel'), 'hello', 'part'],
    ['a person before it', draft('xhello'), 'hello', 'other'],
    ['a person behind it', draft('hello there'), 'hello', 'other'],
    ['pictures that tmux drops', draft('family 👩‍👩‍ ok'), 'family 👩‍👩‍👧‍👦👍🏽 ok', 'same'],
    ['fillers that the box does not keep', draft('hello'), 'hel\u3164lo\u200d', 'same'],
    ['an empty box', { type: 'empty' } as Draft, 'hello', 'missing'],
    [
      'a dim placeholder with the same words',
      { type: 'placeholder', text: 'hello' } as Draft,
      'hello',
      'missing',
    ],
    [
      'a scrolled box with our end',
      draft('line 9 end', { isClipped: true }),
      'line 1 … line 9 end',
      'same',
    ],
    [
      'a scrolled box with another end',
      draft('line 9 endx', { isClipped: true }),
      'line 1 line 9 end',
      'other',
    ],
    ['a chip for a large paste', draft(chip, { chips: [chip] }), 'a\nb\nc\nd\ne', 'same'],
    ['a chip with another count of lines', draft(chip, { chips: [chip] }), 'a\nb\nc\nd', 'other'],
    [
      'a chip and words beside it',
      draft(`${chip} and`, { chips: [chip] }),
      'a\nb\nc\nd\ne',
      'other',
    ],
    ['a chip where ours is short', draft(chip, { chips: [chip] }), 'short', 'other'],
  ] as const)('%s', (_, there, ours, match) => {
    expect(compareDraft(there, ours)).toBe(match);
  });

  const words = Array.from({ length: 45 }, (_, i) => `word${i}`)
    .join(' ')
    .slice(0, 300);
  it.each([
    ['our end is below the pane', '04-draft-cut-off-24x8', words, 18, 'same'],
    ['a letter of a person stands behind it', '04-draft-cut-off-24x8', words, 19, 'part'],
    ['more is to come', '04-draft-cut-off-24x8', `${words} and more that is to come`, 18, 'part'],
    ['the cursor is not known', '04-draft-cut-off-24x8', words, undefined, 'part'],
    ['another text', '04-draft-cut-off-24x8', 'another text', 18, 'other'],
    ['all of it is in sight', '04-draft-two-rows-24x8', 'two words in here that wrap', 11, 'same'],
    ['a final space', '04-draft-two-rows-24x8', 'two words in here that wrap ', 12, 'same'],
    ['a letter below', '04-draft-two-rows-24x8', 'two words in here that wrap', 3, 'part'],
    ['a person before it', '04-draft-two-rows-24x8', 'words in here that wrap', 11, 'other'],
  ] as const)('a pane that ends before the box: %s', (_, fixture, ours, cursorColumn, match) => {
    const capture = readFileSync(new URL(`${fixture}.ansi.txt`, panes), 'utf8');
    const where = cursorColumn === undefined ? {} : { cursorColumn };
    const screen = readScreen({ capture, cols: 24, ...where });
    if (screen.kind !== 'box') throw new Error(screen.kind);
    expect(compareDraft(screen.draft, ours)).toBe(match);
  });
});
