import { describe, expect, it } from 'vitest';
import { readScreen } from '../../../../src/provider/claude-code/screen.ts';

const COLS = 60;
const RULE = '─'.repeat(COLS);
const NBSP = '\u00a0';
const FOOTER = '  ⏸ manual mode on · ? for shortcuts';
const sent = (text: string): string => `\x1b[38;5;246m\x1b[48;5;237m❯ \x1b[38;5;231m${text}\x1b[0m`;
const screen = (...lines: readonly string[]): ReturnType<typeof readScreen> =>
  readScreen({ capture: `${lines.join('\n')}\n`, cols: COLS });
const box = (...draft: readonly string[]): readonly string[] => [RULE, ...draft, RULE, FOOTER];
const cursor = '\x1b[7m \x1b[0m';

const APPROVAL = [
  RULE,
  ' Bash command',
  '   touch x',
  ' Do you want to proceed?',
  ' ❯ 1. Yes',
  '   2. No',
  ' Esc to cancel · Tab to amend',
];

describe('screen reader: the box', () => {
  it.each([
    ['one line', ['hello'], 'hello'],
    ['line feeds', ['one', 'two', '', 'four'], 'one\ntwo\n\nfour'],
    [
      'a wrap at a blank',
      ['The quick brown fox jumps over the lazy dog and goes', 'homewards then'],
      'The quick brown fox jumps over the lazy dog and goes homewards then',
    ],
    ['a wrap inside a word', ['x'.repeat(COLS - 2), 'xxx'], 'x'.repeat(COLS + 1)],
    ['what looks like a choice', ['1. first'], '1. first'],
    ['what looks like a prompt', ['❯ ❯ 2. x'], '❯ ❯ 2. x'],
  ])('reads a draft with %s', (_name, rows, text) => {
    const [first = '', ...rest] = rows;
    const reading = screen(...box(`❯${NBSP}${first}`, ...rest.map((row) => `  ${row}`)));
    expect(reading).toMatchObject({ kind: 'box', draft: { type: 'text', text } });
  });

  it('gives a form of the draft that no wrapping can change', () => {
    const reading = screen(...box(`❯${NBSP}a b${cursor}`, '  c'));
    expect(reading).toMatchObject({ draft: { compact: 'abc' } });
  });

  it('tells a placeholder from a draft by its look, not its words', () => {
    const dim = `❯${NBSP}\x1b[7mP\x1b[0;2mress up to edit\x1b[0m`;
    const typed = `❯${NBSP}\x1b[7mP\x1b[0mress up to edit\x1b[0m`;
    expect(screen(...box(dim))).toMatchObject({ draft: { type: 'placeholder' } });
    expect(screen(...box(typed))).toMatchObject({ draft: { type: 'text' } });
    const half = `❯${NBSP}typed \x1b[2mand suggested\x1b[0m`;
    expect(screen(...box(half))).toMatchObject({ draft: { type: 'text' } });
    expect(screen(...box(`❯${NBSP}\x1b[7mx\x1b[0m`))).toMatchObject({ draft: { type: 'text' } });
  });

  it('takes blanks before the cursor for a draft (D5)', () => {
    expect(screen(...box(`❯${NBSP}${cursor}      `))).toMatchObject({ draft: { type: 'empty' } });
    expect(screen(...box(`❯${NBSP}   ${cursor}`))).toMatchObject({
      draft: { type: 'text', compact: '' },
    });
    expect(screen(...box(`❯${NBSP}`, `  ${cursor}`))).toMatchObject({ draft: { type: 'text' } });
  });

  it('S03 counts what stands for pastes and images', () => {
    const text = 'see [Pasted text #1 +12 lines] and [Image #2] [Pasted text #3]';
    const wide = readScreen({
      capture: ['─'.repeat(90), `❯${NBSP}${text}`, '─'.repeat(90)].join('\n'),
      cols: 90,
    });
    expect(wide).toMatchObject({
      draft: { chips: ['[Pasted text #1 +12 lines]', '[Image #2]', '[Pasted text #3]'] },
    });
  });

  it('is not fooled by sent messages, quoted boxes or dialogs above it', () => {
    const reading = screen(
      sent('first message'),
      `● Here is a box:`,
      `  ${'─'.repeat(COLS - 2)}`,
      `  ❯${NBSP}not yours`,
      `  ${'─'.repeat(COLS - 2)}`,
      ...APPROVAL.map((line) => `  ${line}`),
      '',
      ...box(`❯${NBSP}${cursor}`),
    );
    expect(reading).toMatchObject({ kind: 'box', draft: { type: 'empty' }, queued: [] });
  });

  it('takes no sent message between two rules for a box', () => {
    expect(screen(RULE, sent('hello'), RULE)).toMatchObject({
      kind: 'blocked',
      cause: 'unknown-screen',
    });
  });

  it('is no box with a shell prompt below it, or cut off, or of another width', () => {
    expect(screen(...box(`❯${NBSP}`), 'alex@host:~$')).toEqual({ kind: 'shell' });
    expect(screen(RULE, `❯${NBSP}text`)).toMatchObject({ cause: 'unknown-screen' });
    const narrow = '─'.repeat(COLS - 10);
    expect(screen(narrow, `❯${NBSP}text`, narrow)).toMatchObject({ cause: 'unknown-screen' });
  });

  it('takes ╌ for no rule', () => {
    const dashes = '╌'.repeat(COLS);
    expect(screen(dashes, `❯${NBSP}text`, dashes)).toMatchObject({ cause: 'unknown-screen' });
  });

  it('lists waiting messages, oldest first, and no sent ones', () => {
    const waiting = (text: string): string => `\x1b[38;5;246m\x1b[48;5;237m❯ ${text}\x1b[0m`;
    const reading = screen(
      sent('sent'),
      '● working',
      waiting('one'),
      waiting('two'),
      '  ⎿  Queued · ctrl+x ctrl+s to send now',
      '',
      ...box(`❯${NBSP}`),
    );
    expect(reading).toMatchObject({ queued: ['one', 'two'] });
  });
});

describe('screen reader: what is no box', () => {
  it('goes by the footer, whatever the agent wrote into the dialog', () => {
    const reading = screen(
      RULE,
      ' Bash command',
      '   echo "Ready to code?',
      ' ☐ Colour',
      '   1. Submit answers',
      '   2. Cancel',
      '   Enter to select · ↑/↓ to navigate · Esc to cancel"',
      ' Do you want to proceed?',
      ' ❯ 1. Yes',
      '   2. No',
      ' Esc to cancel · Tab to amend',
    );
    expect(reading).toMatchObject({
      dialog: 'approval',
      options: [
        { number: 1, label: 'Yes', isCursor: true },
        { number: 2, label: 'No', isCursor: false },
      ],
    });
  });

  it('takes a dialog that has scrolled up for none', () => {
    expect(screen(...APPROVAL, 'Bye.', 'alex@host:~$')).toEqual({ kind: 'shell' });
  });

  it('knows a survey only right above the box (documented, not seen)', () => {
    const survey = [
      '● How is Claude doing this session? (optional)',
      '  1: Bad    2: Fine   3: Good   0: Dismiss',
    ];
    expect(screen(...survey, '', ...box(`❯${NBSP}`))).toMatchObject({ cause: 'survey' });
    expect(screen(...survey, '✻ Baked for 2s', ...box(`❯${NBSP}`))).toMatchObject({ kind: 'box' });
  });

  it.each([
    [
      'usage-limit',
      [
        RULE,
        ' What do you want to do?',
        ' ❯ 1. Stop and wait for limit to reset',
        '   2. Upgrade your plan',
        ' Enter to confirm · Esc to cancel',
      ],
    ],
    [
      'login',
      [' Select login method:', ' ❯ 1. Claude account', '   2. Console account', ' Esc to cancel'],
    ],
    ['login', [' Browser didn’t open?', ' Paste code here if prompted >']],
    ['menu', ['▔'.repeat(COLS), '  Some new menu', '  ❯ one', '  Enter to select · Esc to cancel']],
    ['unknown-screen', ['  Something new that waits']],
  ])('says %s for its documented texts', (cause, lines) => {
    expect(screen(...lines)).toMatchObject({ kind: 'blocked', cause });
  });

  it('says blank for a blank screen, and never throws', () => {
    expect(screen('', '  ', '')).toEqual({ kind: 'blank' });
    expect(readScreen({ capture: '', cols: 0 })).toEqual({ kind: 'blank' });
    expect(readScreen({ capture: '\x1b[38;5m\x1b]8;;x\x07a\x1b[', cols: 1 })).toMatchObject({
      kind: 'blocked',
    });
  });
});
