import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PaneIdentity } from '../../src/bridge/model/run-state.ts';
import { scriptedTui } from '../../src/demo/launch.ts';
import { readScreen } from '../../src/provider/claude-code/screen.ts';
import type { ScreenReading } from '../../src/provider/claude-code/screen-reading.ts';
import { PrivateServer } from './private-server.ts';

const cols = 120;
const rows = 40;
const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** What the screen reader sees in a capture of the real program. */
const real = (name: string): ScreenReading => {
  const path = `../../compat/claude-code/fixtures/panes/2.1.332/${name}.ansi.txt`;
  const capture = readFileSync(new URL(path, import.meta.url), 'utf8');
  return readScreen({ capture, cols });
};

const question = (
  text: string,
  header: string,
  labels: readonly string[],
  multiSelect = false,
) => ({
  question: text,
  header,
  multiSelect,
  options: labels.map((label) => ({ label, description: `desc of ${label}` })),
});
const colour = question('Which colour do you like?', 'Colour', ['Red', 'Green', 'Blue']);
const size = question('Which size?', 'Size', ['Small', 'Medium', 'Large']);
const toppings = question('Which toppings?', 'Toppings', ['Ham', 'Cheese', 'Olives'], true);
const letters = ['A', 'B', 'C', 'D'].map((letter) =>
  question(
    `Question ${letter}?`,
    `Head${letter}`,
    [1, 2, 3].map((n) => `${letter}${n}`),
  ),
);
const layout = {
  question: 'Which layout?',
  header: 'Layout',
  multiSelect: false,
  options: ['One', 'Two', 'Three'].map((label) => ({ label, description: '', preview: '+---+' })),
};
const ask = (...questions: readonly unknown[]): string => `#ask ${JSON.stringify(questions)}`;

describe('the scripted TUI on a real tmux reads like the real program', () => {
  const server = new PrivateServer();
  let pane: PaneIdentity;

  const start = (isUntrusted: boolean): PaneIdentity => {
    const { argv, env } = scriptedTui({
      configDir: join(server.dir, 'config'),
      isUntrusted,
      pace: 0.25,
    });
    const variables = Object.entries(env).map(([name, value]) => quote(`${name}=${value}`));
    return server.session(
      ['exec env', ...variables, ...argv.map(quote)].join(' '),
      undefined,
      cols,
      rows,
    );
  };
  const read = (of = pane): ScreenReading =>
    readScreen({ capture: server.tmux('capture-pane', '-p', '-e', '-t', of.pane), cols });
  const key = (...names: readonly string[]): string =>
    server.tmux('send-keys', '-t', pane.pane, ...names);
  const paste = (text: string): void => {
    server.tmux('set-buffer', '-b', 'text', text);
    server.tmux('paste-buffer', '-p', '-r', '-d', '-b', 'text', '-t', pane.pane);
  };
  const becomes = (expected: unknown, of = pane) =>
    expect.poll(() => read(of), { timeout: 8000, interval: 25 }).toEqual(expected);
  const say = async (text: string): Promise<void> => {
    paste(text);
    await expect.poll(() => read()).toMatchObject({ draft: { type: 'text' } });
    key('Enter');
  };
  const idle = () => becomes(real('03-idle'));

  beforeAll(() => {
    pane = start(false);
  });
  afterAll(() => server.stop());

  it('idle, staged, wrapped, several lines, a placeholder for a long paste, shell mode', async () => {
    await idle();
    paste('some staged text');
    await becomes(real('03-staged'));
    key('C-u');
    paste('line one\nline two\nline three');
    await becomes(real('03-multiline'));
    key('C-u', 'C-u', 'C-u', 'C-u', 'C-u');
    paste('word '.repeat(60).trim());
    await becomes(real('03-long-line-300'));
    key('C-u', 'C-u', 'C-u', 'C-u', 'C-u');
    paste('x'.repeat(5000));
    await becomes(real('03-paste-5000-oneline'));
    key('C-u');
    paste('!echo hi');
    await becomes(real('03-bash-mode-text'));
    key('C-u', 'BSpace');
    await idle();
  });

  it('busy, a waiting message with its dim hint, a draft while busy', async () => {
    await say('#slow 60');
    await becomes(real('03-busy'));
    await say('queued one');
    await becomes(real('03-busy-queued'));
    paste('staged while busy');
    await becomes(real('03-busy-staged'));
    key('C-u', 'Escape');
    await idle();
  });

  it.each([
    ['one choice', '05-ask1', ask(colour), []],
    ['several choices', '05-askmulti', ask(toppings), []],
    ['several choices, one ticked', 'picker-multi-tab', ask(toppings), ['1']],
    ['two questions', '05-ask2', ask(colour, size), []],
    ['the review of four', 'picker-ask4q-cancelpage', ask(...letters), ['2', '3', '1', '2']],
    ['previews', '05-askprev', ask(layout), []],
    ['a plan', '06-plan-full', '#plan', []],
    ['a plan with feedback', '06-plan-key3', '#plan', ['3']],
  ])('a dialog: %s', async (_what, capture, prompt, keys) => {
    await say(prompt);
    await expect.poll(() => read().kind, { timeout: 8000 }).toBe('dialog');
    for (const name of keys) {
      const before = JSON.stringify(read());
      // A late dialog is deaf at first: the key is pressed until it has acted.
      await expect
        .poll(
          () => {
            if (JSON.stringify(read()) === before) key(name);
            return JSON.stringify(read());
          },
          { interval: 60 },
        )
        .not.toBe(before);
    }
    await becomes(real(capture));
    key('Escape');
    await idle();
  });

  it('an approval', async () => {
    await say('#perm touch x1');
    const seen = real('05-perm');
    if (seen.kind !== 'dialog') throw new Error('the capture shows no dialog');
    // Its second entry names the directory.
    const options = seen.options.map((option) =>
      option.number === 2 ? { ...option, label: expect.stringContaining('always allow') } : option,
    );
    await becomes({ ...seen, options });
    // One that comes late takes no key at first, as on the real program: Escape until it has gone.
    await expect
      .poll(
        () => {
          const { kind } = read();
          if (kind === 'dialog') key('Escape');
          return kind;
        },
        { interval: 300, timeout: 10_000 },
      )
      .toBe('box');
    await idle();
  });

  it('screens that no dialog explains: rewind, status, the detailed transcript, trust', async () => {
    key('Escape');
    await expect
      .poll(
        () => {
          if (read().kind === 'box') key('Escape');
          return read();
        },
        { interval: 60 },
      )
      .toEqual(real('07-idle-esc-twice-empty'));
    key('Escape');
    await idle();
    await say('/status');
    await becomes(real('01-status-dialog'));
    key('Escape');
    await idle();
    key('C-o');
    await becomes(real('03-ctrl-o-transcript'));
    key('C-o');
    await idle();
    await becomes(real('00-trust-dialog'), start(true));
  });
});
