import { describe, expect, it } from 'vitest';
import {
  type Draft,
  draftOf,
  edit,
  emptyDraft,
  expand,
  insert,
  insertChunk,
} from '../../../src/demo/tui/draft.ts';
import { normalisePaste, trimPrompt } from '../../../src/demo/tui/text.ts';

const press = (draft: Draft, ...keys: Parameters<typeof edit>[1][]) =>
  keys.reduce((now, key) => edit(now, key, 120), draft);

describe('the input box', () => {
  it('keeps 800 characters and three lines inline, one more becomes a placeholder', () => {
    expect(insertChunk(emptyDraft, 'x'.repeat(800), 1).text).toHaveLength(800);
    expect(insertChunk(emptyDraft, 'x'.repeat(801), 1).text).toBe('[Pasted text #1]');
    expect(insertChunk(emptyDraft, 'a\nb\nc', 1).text).toBe('a\nb\nc');
    expect(insertChunk(emptyDraft, 'a\nb\nc\nd', 2).text).toBe('[Pasted text #2 +3 lines]');
  });

  it('marks a placeholder as pasted content when it is sent', () => {
    const draft = insertChunk(emptyDraft, 'a\nb\nc\nd', 1);
    expect(expand(draft, 'c3bd')).toBe(
      '\n\n<pasted_content id="c3bd">\na\nb\nc\nd\n</pasted_content id="c3bd">\n',
    );
  });

  it('sets off what follows a placeholder by an empty line', () => {
    const draft = insert(insertChunk(draftOf('before '), 'a\nb\nc\nd', 1), ' after');
    expect(expand(draft, 'cba9')).toBe(
      'before \n\n<pasted_content id="cba9">\na\nb\nc\nd\n</pasted_content id="cba9">\n\n after',
    );
  });

  it('ctrl+u takes one visual line, ctrl+e and twelve of them take everything', () => {
    const long = draftOf('word '.repeat(60).trim());
    expect(press(long, 'ctrl-u').text).not.toBe('');
    const all = press(long, 'ctrl-e', ...Array.from({ length: 12 }, () => 'ctrl-u' as const));
    expect(all.text).toBe('');
    expect(press(draftOf('draft'), 'ctrl-u', 'ctrl-y').text).toBe('draft');
  });

  it('does to pasted text what Claude Code does', () => {
    expect(normalisePaste('a\tb\r\nc\x07\x1b[31m\u00a0\u200bu\u0308')).toBe('a    b\nc ü');
    expect(trimPrompt('  x \n')).toBe('  x');
  });
});
