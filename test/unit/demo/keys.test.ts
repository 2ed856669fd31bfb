import { describe, expect, it } from 'vitest';
import { decodeInput } from '../../../src/demo/tui/keys.ts';

const events = (text: string, isFinal = false) => decodeInput(text, isFinal).events;

describe('what the terminal sends', () => {
  it('keeps an open paste until its end arrives', () => {
    expect(decodeInput('\x1b[200~abc', true)).toEqual({ events: [], rest: '\x1b[200~abc' });
    expect(events('\x1b[200~a\nb\x1b[201~\r')).toEqual([
      { type: 'paste', text: 'a\nb' },
      { type: 'key', key: 'enter' },
    ]);
  });

  it('lets two pastes in one chunk stay two, and a terminator inside one vanish', () => {
    expect(events('\x1b[200~a\x1b[201~\x1b[200~b\x1b[201~')).toEqual([
      { type: 'paste', text: 'a' },
      { type: 'paste', text: 'b' },
    ]);
    expect(events('\x1b[200~a\x1b[201~\rb\x1b[201~')).toEqual([
      { type: 'paste', text: 'a\x1b[201~\rb' },
    ]);
  });

  it('takes a lone escape as the key only when nothing follows', () => {
    expect(decodeInput('\x1b', false)).toEqual({ events: [], rest: '\x1b' });
    expect(events('\x1b', true)).toEqual([{ type: 'key', key: 'escape' }]);
    expect(events('\x1b[A\x1b[B')).toEqual([
      { type: 'key', key: 'up' },
      { type: 'key', key: 'down' },
    ]);
  });

  it('keeps half a sequence, however long its rest takes', () => {
    expect(decodeInput('a\x1b[20', true)).toEqual({
      events: [{ type: 'text', text: 'a' }],
      rest: '\x1b[20',
    });
  });

  it('swallows the Enter at the end of a long chunk of plain keys, not of a short one', () => {
    expect(events('short\r').at(-1)).toEqual({ type: 'key', key: 'enter' });
    expect(events(`${'x'.repeat(300)}\r`)).toEqual([
      { type: 'text', text: `${'x'.repeat(300)}\n` },
    ]);
  });
});
