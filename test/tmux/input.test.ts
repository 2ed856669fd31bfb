import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PaneIdentity } from '../../src/bridge/model/run-state.ts';
import { Tmux } from '../../src/provider/tmux/tmux.ts';
import { PrivateServer } from './private-server.ts';

/** Shows every byte that arrives, as hexadecimal, with bracketed paste switched on. */
const BYTES = `printf '\\033[?2004h'; stty raw -echo; exec od -An -v -tx1 -w1`;

const bytesOf = (text: string): string => Buffer.from(text).toString('hex');

describe('typing into panes of real tmux', () => {
  let server: PrivateServer;
  const tmux = new Tmux();
  beforeEach(() => {
    server = new PrivateServer();
  });
  afterEach(() => server.stop());

  const arrived = (pane: PaneIdentity): string =>
    server.tmux('capture-pane', '-p', '-J', '-S', '-', '-t', pane.pane).replace(/\s/g, '');
  const ready = async (pane: PaneIdentity): Promise<void> => {
    await expect
      .poll(() => server.tmux('display-message', '-p', '-t', pane.pane, '#{pane_current_command}'))
      .toBe('od');
  };
  /** `od` writes in blocks when it writes to a pipe, at once to a terminal; a byte per line. */
  const expectBytes = async (pane: PaneIdentity, text: string): Promise<void> => {
    await expect.poll(() => arrived(pane)).toBe(bytesOf(text));
  };

  it.each([
    ['a final semicolon', 'do it; now;'],
    ['a leading dash', '-l -t %0 --help'],
    ['formats and styles', '#{pane_id} #[fg=red] #(touch x) %H %% ##'],
    ['quotes and backslashes', `"a" 'b' \\ $HOME \`id\` \\`],
    ['line feeds and tabs', 'one\n\ttwo\n\nthree\n'],
    ['emoji, joined and flags', '👩‍👩‍👧 👍🏽 🇦🇹 e\u0301'],
    ['right to left and CJK', 'שלום عالم 漢字かな'],
    ['a single space', ' '],
  ])('pastes %s as it is, once, in brackets (D1, A3)', async (_name, text) => {
    const pane = server.session(BYTES, undefined, 200, 200);
    await ready(pane);
    expect(await tmux.paste(pane, text)).toEqual({ typed: true });
    await expectBytes(pane, `\x1b[200~${text}\x1b[201~`);
    expect(server.tmux('list-buffers')).toBe('');
  });

  it('pastes 200 kB, which no argument vector could carry', async () => {
    const pane = server.session(`stty raw -echo; echo ready; head -c 200000 | wc -c; sleep 1000`);
    await expect.poll(() => server.screen(pane)).toContain('ready');
    expect(await tmux.paste(pane, 'x'.repeat(200_000))).toEqual({ typed: true });
    await expect.poll(() => server.screen(pane), { timeout: 10_000 }).toContain('200000');
  });

  it.each([
    ['an escape', 'a\x1b[201~b'],
    ['a NUL', 'a\0b'],
    ['a carriage return', 'a\rb'],
    ['an eight-bit escape', 'a\u009bb'],
    ['a delete', 'a\x7f'],
  ])('refuses to paste %s before any call (A3)', async (_name, text) => {
    const pane = server.session('cat');
    await expect(tmux.paste(pane, text)).rejects.toMatchObject({
      code: 'tmux-unsafe-text',
      certain: true,
    });
    expect(server.screen(pane)).toBe('');
  });

  it('presses named keys and digits in order', async () => {
    const pane = server.session(BYTES, undefined, 80, 60);
    await ready(pane);
    const keys = ['1', '0', 'Right', 'Tab', 'C-e', 'C-u', 'Escape', 'Enter'] as const;
    expect(await tmux.keys(pane, keys)).toEqual({ typed: true });
    await expectBytes(pane, '10\x1b[C\t\x05\x15\x1b\r');
  });

  it('never pastes into a dead pane, and the server survives (tmux 3.3a would crash)', async () => {
    const other = server.session('cat');
    server.tmux('set-option', '-g', 'remain-on-exit', 'on');
    const pane = server.session('true');
    await expect
      .poll(() => server.tmux('display-message', '-p', '-t', pane.pane, '#{pane_dead}'))
      .toBe('1');
    expect(await tmux.paste(pane, 'hello')).toEqual({ typed: false, why: 'dead' });
    expect(await tmux.keys(pane, ['Enter'])).toEqual({ typed: false, why: 'dead' });
    expect(server.tmux('list-buffers')).toBe('');
    expect(await tmux.serverIdentity(server.socket)).toMatchObject({ serverPid: other.serverPid });
  });

  it('types nothing while a person is in copy mode or a tree, and leaves every mode (D2)', async () => {
    const pane = server.session(BYTES);
    await ready(pane);
    server.tmux('copy-mode', '-t', pane.pane);
    expect(await tmux.paste(pane, 'hello')).toEqual({ typed: false, why: 'in-mode' });
    expect(await tmux.keys(pane, ['Enter'])).toEqual({ typed: false, why: 'in-mode' });
    server.tmux('choose-tree', '-t', pane.pane);
    expect(await tmux.paneStatus(pane)).toMatchObject({ status: { isInMode: true } });
    expect(await tmux.leaveMode(pane)).toMatchObject({ status: { isInMode: false } });
    expect(await tmux.leaveMode(pane)).toMatchObject({ status: { isInMode: false } });
    expect(arrived(pane)).toBe('');
    expect(await tmux.keys(pane, ['Enter'])).toEqual({ typed: true });
    await expectBytes(pane, '\r');
  });

  it('presses no key that synchronized neighbours would get too', async () => {
    const pane = server.session('cat');
    server.tmux('set-option', '-w', '-t', pane.pane, 'synchronize-panes', 'on');
    expect(await tmux.keys(pane, ['Enter'])).toEqual({ typed: true });
    server.tmux('split-window', '-t', pane.pane, 'cat');
    expect(await tmux.keys(pane, ['Enter'])).toEqual({ typed: false, why: 'synchronized' });
    expect(await tmux.paste(pane, 'x')).toEqual({ typed: false, why: 'synchronized' });
  });

  it('presses Enter only while the cursor stands where it was seen (D2)', async () => {
    const pane = server.session(BYTES);
    await ready(pane);
    const look = await tmux.look(pane);
    const column = look.found ? look.status.cursorColumn : -1;
    expect(await tmux.keys(pane, ['Enter'], column + 1)).toEqual({
      typed: false,
      why: 'cursor-moved',
    });
    expect(arrived(pane)).toBe('');
    expect(await tmux.keys(pane, ['Enter'], column)).toEqual({ typed: true });
    await expectBytes(pane, '\r');
  });

  it('says so where tmux would drop the keys (select-pane -d)', async () => {
    const pane = server.session('cat');
    server.tmux('select-pane', '-d', '-t', pane.pane);
    expect(await tmux.keys(pane, ['Enter'])).toEqual({ typed: false, why: 'input-off' });
  });
});
