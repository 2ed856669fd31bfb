import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readScreen } from '../../../../src/provider/claude-code/screen.ts';

const COLS = 50;
const RULE = '─'.repeat(COLS);
const NBSP = '\u00a0';

/** Pieces of the agent's own interface, as an agent may quote them. */
const quoted = fc.constantFrom(
  RULE,
  '─'.repeat(COLS - 2),
  '▔'.repeat(COLS),
  `❯${NBSP}`,
  `❯${NBSP}rm -rf`,
  '❯ 1. Yes',
  '  2. No',
  ' ☐ Colour',
  'Esc to cancel · Tab to amend',
  'Enter to select · ↑/↓ to navigate · Esc to cancel',
  'How is Claude doing this session? (optional)',
  'Showing detailed transcript · ctrl+o to toggle',
  'alex@host:~$',
  'Claude Code is suspended.',
);
const output = fc.array(fc.oneof(quoted, fc.string({ maxLength: COLS })), { maxLength: 20 });
/** What people type: visible, on one line, not itself a placeholder for a paste. */
const typed = fc
  .string({ minLength: 1, maxLength: COLS - 6 })
  .map((text) => text.replace(/[^\x21-\x7e]/g, 'x'));

describe('screen reader: properties', () => {
  it('never throws, whatever a pane shows', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.nat(300), (capture, cols) => {
        expect(readScreen({ capture, cols }).kind).toBeTypeOf('string');
      }),
    );
    fc.assert(
      fc.property(output, fc.nat(60), (lines, cols) => {
        expect(readScreen({ capture: lines.join('\n'), cols }).kind).toBeTypeOf('string');
      }),
    );
  });

  it('S19 reads the draft in the box, whatever the agent wrote above it (D2)', () => {
    fc.assert(
      fc.property(output, typed, (above, text) => {
        const capture = [
          // An agent's text is indented; a line end that it draws itself is the end of its line.
          ...above.map((line) => `  ${line.replace(/[^\P{C}\u00a0]/gu, '')}`),
          '✻ Baked for 2s',
          RULE,
          `❯${NBSP}${text}`,
          RULE,
          '  ? for shortcuts',
        ].join('\n');
        expect(readScreen({ capture, cols: COLS })).toMatchObject({
          kind: 'box',
          draft: { type: 'text', text },
        });
      }),
    );
  });

  it('gives the words of a draft back, however the box wraps them (D5)', () => {
    fc.assert(
      fc.property(fc.array(typed, { minLength: 1, maxLength: 30 }), (words) => {
        const rows = wrapped(words, COLS - 4);
        const capture = [
          RULE,
          ...rows.map((row, index) => (index === 0 ? `❯${NBSP}${row}` : `  ${row}`)),
          RULE,
        ].join('\n');
        const reading = readScreen({ capture, cols: COLS });
        expect(reading).toMatchObject({
          draft: { text: words.join(' '), compact: words.join('') },
        });
      }),
    );
  });
});

/** The box's own way: words as long as they fit, never broken here. */
const wrapped = (words: readonly string[], width: number): readonly string[] => {
  const rows: string[] = [];
  for (const word of words) {
    const last = rows.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      rows[rows.length - 1] = `${last} ${word}`;
    else rows.push(word);
  }
  return rows;
};
