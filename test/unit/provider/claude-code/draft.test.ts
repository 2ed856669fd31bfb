import { describe, expect, it } from 'vitest';
import { compareDraft } from '../../../../src/provider/claude-code/draft.ts';
import type { Draft } from '../../../../src/provider/claude-code/screen-reading.ts';

const draft = (text: string, more: { chips?: string[]; isClipped?: boolean } = {}): Draft => ({
  type: 'text',
  text,
  compact: text.replace(/\s+/g, ''),
  chips: more.chips ?? [],
  isClipped: more.isClipped ?? false,
});
const chip = '[Pasted text #1 +4 lines]';

describe('D2, D5: whose words stand in the box', () => {
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
});
