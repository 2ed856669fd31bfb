import { describe, expect, it } from 'vitest';
import type { PaneIdentity } from '../../../../src/bridge/model/run-state.ts';
import {
  meansNoPane,
  meansNoServer,
  parseRows,
  parseServer,
  parseStatus,
  refusalOf,
} from '../../../../src/provider/tmux/formats.ts';
import { isPasteable, keyCommands, messageText } from '../../../../src/provider/tmux/keys.ts';

const LINE = ['50', '1000', '%3', '60', '/dev/pts/1', '0', '0', '0', '0', '1', '80', '24', '2'];
const line = (changed: Readonly<Record<number, string>> = {}): string =>
  LINE.map((field, index) => changed[index] ?? field).join('\t');
const pane: PaneIdentity = { socket: '/s', serverPid: 50, serverStart: 1000, pane: '%3' };

describe('what tmux prints', () => {
  it('reads a pane’s status', () => {
    expect(parseStatus(line())).toEqual({
      ...{ serverPid: 50, serverStart: 1000, pane: '%3', panePid: 60, tty: '/dev/pts/1' },
      ...{ isDead: false, isInMode: false, isInputOff: false, isSynchronized: false },
      ...{ cols: 80, rows: 24, cursorColumn: 2 },
    });
  });

  it.each<[number, string, string]>([
    [0, '51', 'other-server'],
    [1, '1001', 'other-server'],
    [2, '%4', 'no-pane'],
    [5, '1', 'dead'],
    [6, '2', 'in-mode'],
    [7, '1', 'input-off'],
  ])('forbids a key where field %i is %s: %s (D2, R3)', (field, value, why) => {
    expect(refusalOf(pane, parseStatus(line({ [field]: value })))).toBe(why);
  });

  it('forbids a key for synchronized neighbours, not for a pane alone', () => {
    expect(refusalOf(pane, parseStatus(line({ 8: '1', 9: '2' })))).toBe('synchronized');
    expect(refusalOf(pane, parseStatus(line({ 8: '1' })))).toBeUndefined();
    expect(refusalOf(pane, undefined)).toBe('no-server');
    expect(refusalOf(pane, parseServer('50\t1000'))).toBe('no-pane');
  });

  it('takes nothing for a pane that is none', () => {
    for (const odd of ['', '50\t1000\t', 'x', line({ 2: 'main' }), line({ 0: '' }), '50\t1000\t%3'])
      expect(parseStatus(odd)).toBeUndefined();
    const rows = parseRows([`${line()}\t@1\tmain\tclaude`, 'evil', '', `${line({ 2: '%x' })}\t@1`]);
    expect(rows.map((row) => row.pane)).toEqual(['%3']);
  });

  it('joins the sessions of one pane', () => {
    const rows = parseRows([
      `${line()}\t@1\tone\tsh`,
      `${line()}\t@1\ttwo\tsh`,
      `${line()}\t@1\tone\tsh`,
    ]);
    expect(rows).toMatchObject([{ pane: '%3', sessions: ['one', 'two'], command: 'sh' }]);
  });

  it('tells no server from no pane from anything else', () => {
    expect(meansNoServer('no server running on /s\n')).toBe(true);
    expect(meansNoServer('error connecting to /s (No such file or directory)\n')).toBe(true);
    expect(meansNoServer('server exited unexpectedly\n')).toBe(true);
    expect(meansNoServer("can't find pane: %3\n")).toBe(false);
    expect(meansNoPane("can't find pane: %3\n")).toBe(true);
    expect(meansNoPane('unknown command: x\n')).toBe(false);
  });
});

describe('what is typed', () => {
  it('R04 presses digits literally and the rest by name, in order', () => {
    expect(keyCommands('%3', ['Escape'])).toEqual(['send-keys -t %3 Escape']);
    expect(keyCommands('%3', ['1', 'Right', 'Enter', '2'])).toEqual([
      'send-keys -t %3 -l 1',
      'send-keys -t %3 Right Enter',
      'send-keys -t %3 -l 2',
    ]);
    expect(keyCommands('%3', [])).toEqual([]);
  });

  it('shows a message as it is, on one short line', () => {
    expect(messageText('a #{x} 50%\n\x1b[1mb;')).toBe('a ##{x} 50%% [1mb\\;');
    expect([...messageText('👩‍👩‍👧'.repeat(200))].length).toBeLessThanOrEqual(200);
  });

  it('pastes text, never control characters (A3)', () => {
    for (const text of ['', 'a\nb\tc', 'ünï 漢字 👩‍👩‍👧', '-x;'])
      expect(isPasteable(text)).toBe(true);
    for (const text of ['\x1b', '\r', '\0', '\x7f', '\u0085', '\u009b'])
      expect(isPasteable(text)).toBe(false);
  });
});
