import { describe, expect, it } from 'vitest';
import { normalise, sameText } from '../../../../src/provider/claude-code/evidence.ts';
import { fixture, readAll } from './reading.ts';

describe('D2 the record is compared after the same normalisation', () => {
  it.each([
    ['trailing blanks and newlines go', 'a b \n\n', 'a b'],
    ['leading spaces stay', '  a', '  a'],
    ['CRLF and CR become LF', 'a\r\nb\rc', 'a\nb\nc'],
    ['a TAB becomes four spaces', 'a\tb', 'a    b'],
    ['control characters go', 'a\u0001\u0007b', 'ab'],
    ['escape sequences go whole', 'a\u001b[31mred\u001b[0m\u001b]0;title\u0007b', 'aredb'],
    ['a paste terminator inside goes', 'a\u001b[201~b', 'ab'],
    ['NFD becomes NFC', 'e\u0301', '\u00e9'],
    ['NBSP becomes a space', 'a\u00a0b', 'a b'],
    ['ZWSP and BOM go', 'a\u200bb\ufeffc', 'abc'],
    ['a joined emoji stays', '👩‍👩‍👧 🏽', '👩‍👩‍👧 🏽'],
  ])('%s', (_what, sent, recorded) => {
    expect(normalise(sent)).toBe(recorded);
    expect(sameText(sent, recorded)).toBe(true);
  });

  it.each([
    ['a joiner outside its script', 'a\u200db', 'ab'],
    ['a variation selector behind an ideograph', '漢\u{e0100}字', '漢字'],
    ['a line separator', 'a\u2028b', 'a\nb'],
    ['a soft hyphen, fillers, annotations', 'a\u00ad\u3164\ufff9b', 'ab'],
  ])('D2: %s that it took out is no difference', (_what, sent, recorded) => {
    expect(sameText(sent, recorded)).toBe(true);
  });

  it.each([
    ['spaces', '   a b', 'a b'],
    ['lines and spaces', '\n\n  a', 'a'],
    ['a tab before a path', '\t/etc/hosts is a file', '/etc/hosts is a file'],
  ])('D3: %s at the start, which the queue took away, are no difference', (_what, sent, queued) => {
    expect(sameText(sent, queued)).toBe(true);
    expect(sameText(sent, sent)).toBe(true);
  });

  it('sees the text in the wrapper of pasted content', () => {
    const { evidence } = readAll(fixture('pasted-content-2.1.332.jsonl'));
    const texts = evidence.flatMap((e) => (e.type === 'user-row' ? [e.text] : []));
    expect(sameText('x'.repeat(900), texts[0] ?? '')).toBe(true);
    expect(sameText('one\ntwo\nthree\nfour\nfive\nsix', texts[1] ?? '')).toBe(true);
    expect(sameText('one\ntwo\nthree\nfour\nfive', texts[1] ?? '')).toBe(false);
  });

  it('does not take another text for ours', () => {
    expect(sameText('yes', 'yes please')).toBe(false);
    expect(sameText(' !ls', '!ls')).toBe(false);
    expect(sameText(' /clearly a', '/clearly a')).toBe(false);
    expect(sameText('a\nb', 'a b')).toBe(false);
  });
});
