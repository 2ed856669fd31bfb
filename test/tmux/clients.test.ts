import { realpathSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PaneIdentity } from '../../src/bridge/model/run-state.ts';
import { attachCommandOf } from '../../src/provider/tmux/launch.ts';
import { findSockets } from '../../src/provider/tmux/sockets.ts';
import { Tmux } from '../../src/provider/tmux/tmux.ts';
import { PrivateServer } from './private-server.ts';

const uid = process.getuid?.() ?? 0;

describe('people at the terminal, and starting programs', () => {
  let server: PrivateServer;
  /** A second server whose pane is the terminal of a person who is attached to the first. */
  let terminal: PrivateServer;
  const tmux = new Tmux();
  beforeEach(() => {
    server = new PrivateServer();
    terminal = new PrivateServer();
  });
  afterEach(() => {
    terminal.stop();
    server.stop();
  });

  const attach = async (command: string): Promise<PaneIdentity> => {
    const person = terminal.session(`env -u TMUX TERM=xterm ${command}`, undefined, 90, 12);
    await expect.poll(() => server.tmux('list-clients')).not.toBe('');
    return person;
  };

  it('shows who typed, as plain text, to who is attached there and nobody else (D8)', async () => {
    const pane = server.session('cat', 'work', 90, 10);
    const other = server.session('cat', 'other', 90, 10);
    const person = await attach(`tmux -S ${server.socket} attach -t work`);
    const text = 'Ünï #[fg=red] #{pid} %H 50%\n\x1b[31m -x;';
    await tmux.notify(other, 'not for here');
    await tmux.notify(pane, text);
    await expect.poll(() => terminal.screen(person)).toContain('Ünï #[fg=red] #{pid} %H 50%');
    expect(terminal.screen(person)).toContain('-x;');
    expect(terminal.screen(person)).not.toContain('not for here');
    // The line takes no key from the person.
    terminal.tmux('send-keys', '-t', person.pane, '-l', 'typed on');
    await expect.poll(() => server.screen(pane)).toContain('typed on');
  });

  it('is silent where nobody is attached, or where the pane is gone', async () => {
    const pane = server.session('cat');
    await tmux.notify(pane, 'hello');
    await tmux.notify({ ...pane, pane: '%77' }, 'hello');
    await tmux.notify({ ...pane, socket: `${server.socket}x` }, 'hello');
    expect(server.screen(pane)).toBe('');
  });

  it('types past a person who looks at another session in copy mode', async () => {
    const pane = server.session('cat', 'work');
    server.session('cat', 'other');
    await attach(`tmux -S ${server.socket} attach -t other`);
    server.tmux('copy-mode', '-t', 'other');
    expect(await tmux.paste(pane, 'hello')).toEqual({ typed: true });
    expect(await tmux.keys(pane, ['Enter'])).toEqual({ typed: true });
    await expect.poll(() => server.screen(pane)).toContain('hello');
  });

  it('starts a program with its arguments as they are, without a shell', async () => {
    const show = 'printf "[%s]" "$@"; exec sleep 100';
    const argv = ['sh', '-c', show, 'sh', 'a b', '$HOME', ';', 'c;', '-d', '#{pid}', "'"];
    server.session('cat', 'keep');
    const pane = await tmux.newSession(server.socket, { argv, cwd: '/', name: 'printing' });
    await expect.poll(() => server.screen(pane)).toContain("[a b][$HOME][;][c;][-d][#{pid}][']");
    expect(await tmux.paneStatus(pane)).toMatchObject({ found: true });
  });

  it('starts a server where there is none, in the directory and environment that are asked for', async () => {
    const dir = realpathSync(server.dir);
    const request = { argv: ['cat'], cwd: dir, env: { AFK_NOTE: 'x y;' } };
    const pane = await tmux.newSession(server.socket, request);
    const row = (await tmux.listPanes(server.socket))?.panes[0];
    expect(row).toMatchObject({ pane: pane.pane, serverPid: pane.serverPid });
    const show = ['sh', '-c', 'echo "$AFK_NOTE|$PWD"; sleep 100'];
    const second = await tmux.newWindow(server.socket, pane.pane, { ...request, argv: show });
    await expect.poll(() => server.screen(second)).toContain(`x y;|${dir}`);
    expect((await tmux.listPanes(server.socket))?.panes).toHaveLength(2);
  });

  it('says why a program could not be started', async () => {
    const pane = server.session('cat', 'taken');
    const request = { argv: ['cat'], cwd: '/', name: 'taken' };
    await expect(tmux.newSession(server.socket, request)).rejects.toMatchObject({
      code: 'tmux-failed',
      message: expect.stringContaining('duplicate session'),
    });
    await expect(tmux.newWindow(server.socket, '%99', request)).rejects.toMatchObject({
      code: 'tmux-failed',
    });
    expect((await tmux.listPanes(server.socket))?.panes).toMatchObject([{ pane: pane.pane }]);
  });

  it('gives an attach command that leads to the very pane, whatever its session is called', async () => {
    server.session('cat', 'first');
    const pane = server.session('echo here; exec cat', 'second');
    server.tmux('split-window', '-t', pane.pane, 'cat');
    server.tmux('new-window', '-t', 'second', 'cat');
    const person = await attach(attachCommandOf(pane, uid));
    await expect.poll(() => terminal.screen(person)).toContain('here');
    expect(attachCommandOf({ ...pane, socket: `/tmp/tmux-${uid}/default` }, uid)).toBe(
      `tmux attach -t '${pane.pane}'`,
    );
    expect(attachCommandOf({ ...pane, socket: "/a b'c" }, uid)).toContain(`-S '/a b'\\''c'`);
  });

  it('finds sockets of this user, and takes nothing else for one', async () => {
    const pane = server.session('cat');
    const deps = { uid, tmuxTmpdir: server.dir, configured: 'auto' } as const;
    const paths = async (more: readonly string[]): Promise<readonly string[]> =>
      (await findSockets(deps, more)).map((socket) => socket.path);
    const real = realpathSync(server.socket);
    expect(await paths([])).not.toContain(real);
    expect(await paths([server.socket, server.socket, '/etc/passwd', '/no/where'])).toContain(real);
    expect(await paths(['/etc/passwd'])).not.toContain('/etc/passwd');
    const named = { uid, configured: [{ path: server.socket }, { name: 'no-such' }] } as const;
    expect((await findSockets(named, ['/tmp/other'])).map((socket) => socket.path)).toEqual([real]);
    const stamp = async (): Promise<string | undefined> => (await findSockets(named, []))[0]?.stamp;
    const before = await stamp();
    expect(await stamp()).toBe(before);
    server.tmux('kill-server');
    await expect.poll(() => tmux.serverIdentity(pane.socket)).toBeUndefined();
    server.session('cat');
    expect(await stamp()).not.toBe(before);
  });
});
