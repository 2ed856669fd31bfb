import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CommandKnowledge,
  type Sendable,
  type SendableResult,
  toSendable,
} from '../../../../src/provider/claude-code/sendable.ts';

const knows = (word: string): CommandKnowledge =>
  word === 'clear' ? 'known' : word === 'maybe' ? 'unproven' : 'unknown';
const send = (text: string): SendableResult => toSendable(text, knows);
const sent = (text: string): Sendable => {
  const result = send(text);
  if ('refused' in result) throw new Error(result.refused.detail);
  return result;
};

describe('D1: what is typed for a reply', () => {
  it.each([
    ['plain', 'hello', 'hello'],
    ['trailing white space goes', 'hello \n\n', 'hello'],
    ['leading white space stays', '  hello', '  hello'],
    ['a leading ! gets a space', '!ls', ' !ls'],
    ['a path is text', '/etc/hosts please', '/etc/hosts please'],
    ['an unknown word gets a space', '/clearly yes', ' /clearly yes'],
    ['an unknown word behind a space needs none', ' /clearly', ' /clearly'],
    ['a final backslash gets a space', 'a\\', 'a\\ '],
    ['a backslash inside is text', 'a\\b', 'a\\b'],
    ['a hash is text', '#note', '#note'],
    ['an at sign is text', '@file', '@file'],
    ['what makes Claude Code ask for a second Enter goes', 'a\u200b\u202e\u2066b\u061c', 'ab'],
    ['direction marks without their letters go', 'a\u200eb\u200f', 'ab'],
    ['direction marks stay beside letters from right to left', '\u200fשלום', '\u200fשלום'],
    ['joiners stay', 'می\u200cخواهم 👨‍👩‍👧', 'می\u200cخواهم 👨‍👩‍👧'],
    ['joiners stay behind a path', '/etc/hosts 👨‍👩‍👧', '/etc/hosts 👨‍👩‍👧'],
    ['a ! hidden behind a mark gets its space', '\u200d!ls', ' !ls'],
  ])('%s', (_, text, typed) => {
    expect(sent(text).text).toBe(typed);
  });

  it.each([
    ['nothing', ' \n ', 'not-sendable'],
    ['only control characters', '\u0003\u001b[201~', 'not-sendable'],
    ['a known command', '/clear now', 'command'],
    ['a known command behind white space', ' \n/clear', 'command'],
    ['a command in capitals is asked as written', '/maybe', 'command'],
    ['a bare slash', '/', 'command'],
    ['only joiners and marks', '\u200d\u200f\ufe0f', 'not-sendable'],
    ['a known command with something invisible in it', '\u2060/cl\u200dear', 'command'],
    ['several backslashes', 'a\\\\', 'backslashes'],
  ])('%s is refused with a remedy', (_, text, why) => {
    const result = send(text);
    expect(result).toMatchObject({ refused: { why } });
  });

  it.each([
    ['!ls', true],
    [' !ls', true],
    ['\n\t !ls', true],
    ['/clearly yes', true],
    [' /clearly', true],
    [`/clearly ${'x'.repeat(30_000)}`, true],
    ['/etc/hosts please', false],
    ['hello !ls', false],
    ['# note', false],
    ['1 / 2', false],
  ])('%j goes only while no turn runs: %s', (text, isForIdle) => {
    expect(sent(text).isForIdle).toBe(isForIdle);
  });

  it('A3: paste terminators and control characters in every form are taken out', () => {
    expect(sent('a\u001b[201~\rb').text).toBe('a\nb');
    expect(sent('a\u009b201~b').text).toBe('ab');
    expect(sent('a\u001b]0;title\u0007b').text).toBe('ab');
    expect(sent('a\u0003\u0004\u007fb\u0085c').text).toBe('abc');
    expect(sent('a\u001b\u001b[201~b').text).toBe('ab');
    expect(sent('tab\tstays\nline').text).toBe('tab\tstays\nline');
  });

  it('A3: no text leaves a control character in a paste', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const result = send(text);
        if ('refused' in result) return;
        expect(result.text).not.toMatch(/[^\P{Cc}\n\t]/u);
      }),
    );
  });

  it('stays the own words up to 20 kB: small pastes that join to the text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', maxLength: 900 }), { maxLength: 8 }),
        (lines) => {
          const result = send(`x${lines.join('\n')}x`);
          if ('refused' in result) throw new Error('refused');
          expect(result.pastes.join('')).toBe(result.text);
          if (result.isWrapped) return;
          for (const paste of result.pastes) {
            expect(paste.length).toBeLessThanOrEqual(700);
            expect(paste.split('\n').length).toBeLessThanOrEqual(3);
          }
        },
      ),
    );
  });

  it('never cuts a joined emoji', () => {
    const family = '👩‍👩‍👧‍👦';
    const { pastes } = sent(family.repeat(200));
    expect(pastes.length).toBeGreaterThan(1);
    for (const paste of pastes) expect(paste.length % family.length).toBe(0);
  });

  it('beyond 20 kB or 60 pastes it is one paste, and says so', () => {
    expect(sent('x'.repeat(20 * 1024)).isWrapped).toBe(false);
    expect(sent('x'.repeat(20 * 1024 + 1))).toMatchObject({
      isWrapped: true,
      pastes: [expect.any(String)],
    });
    expect(sent('a\n'.repeat(200)).isWrapped).toBe(true);
  });
});
