import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Tmux } from '../../src/provider/tmux/tmux.ts';
import { PrivateServer } from './private-server.ts';

describe('knowing panes of real tmux', () => {
  let server: PrivateServer;
  let second: PrivateServer;
  const tmux = new Tmux();
  beforeEach(() => {
    server = new PrivateServer();
    second = new PrivateServer();
  });
  afterEach(() => {
    server.stop();
    second.stop();
  });

  it('lists all panes of a server in one call, odd names and grouped sessions included', async () => {
    const pane = server.session('cat', 'tea; room "x" 50%');
    server.tmux('new-session', '-d', '-t', 'tea; room "x" 50%', '-s', 'grüße');
    const other = server.session('sleep 1000', 'second', 40, 10);
    const found = await tmux.listPanes(server.socket);
    expect(found).toMatchObject({
      socket: server.socket,
      serverPid: pane.serverPid,
      serverStart: pane.serverStart,
    });
    const row = found?.panes.find((p) => p.pane === pane.pane);
    expect(found?.panes.map((p) => p.pane).sort()).toEqual([pane.pane, other.pane].sort());
    expect([...(row?.sessions ?? [])].sort()).toEqual(['grüße', 'tea; room "x" 50%']);
    expect(row?.tty).toMatch(/^\/dev\//);
    const small = found?.panes.find((p) => p.pane === other.pane);
    expect(small).toMatchObject({ cols: 40, rows: 10, isDead: false, isInMode: false });
    expect(small?.sessions).toEqual(['second']);
  });

  it('looks at the screen with its escapes and the status in one call', async () => {
    const pane = server.session(`printf '\\033[1mbold\\033[0m ❯ ok'; exec sleep 1000`);
    await expect.poll(() => server.screen(pane)).toContain('ok');
    const look = await tmux.look(pane);
    expect(look).toMatchObject({ found: true, status: { pane: pane.pane, cols: 80, rows: 24 } });
    expect(look.found && look.screen).toMatch(/^\x1b\[1mbold\x1b\[0m(\x1b\[\d+m)* ❯ ok/);
  });

  it('R02 gives nothing of a pane that is gone, and nothing of a neighbour instead (R3)', async () => {
    const keep = server.session('cat', 'keep');
    const gone = server.session('cat', 'gone');
    server.tmux('kill-session', '-t', 'gone');
    expect(await tmux.paneStatus(gone)).toEqual({ found: false, why: 'no-pane' });
    expect(await tmux.look(gone)).toEqual({ found: false, why: 'no-pane' });
    expect(await tmux.paste(gone, 'x')).toEqual({ typed: false, why: 'no-pane' });
    expect(await tmux.keys(gone, ['Enter'])).toEqual({ typed: false, why: 'no-pane' });
    expect(await tmux.leaveMode(gone)).toEqual({ found: false, why: 'no-pane' });
    expect(server.screen(keep)).toBe('');
    expect(server.tmux('list-buffers')).toBe('');
  });

  it('does not take the same pane number of a restarted server for the pane (R3)', async () => {
    const before = server.session('cat');
    server.tmux('kill-server');
    await expect.poll(() => tmux.serverIdentity(server.socket)).toBeUndefined();
    const after = server.session('cat');
    expect(after.pane).toBe(before.pane);
    const old = { ...before, serverStart: before.serverStart - 1 };
    for (const pane of [{ ...old, serverPid: after.serverPid }, before]) {
      expect(await tmux.paneStatus(pane)).toEqual({ found: false, why: 'other-server' });
      expect(await tmux.look(pane)).toEqual({ found: false, why: 'other-server' });
      expect(await tmux.paste(pane, 'x')).toEqual({ typed: false, why: 'other-server' });
      expect(await tmux.keys(pane, ['Enter'])).toEqual({ typed: false, why: 'other-server' });
    }
    expect(server.screen(after)).toBe('');
  });

  it('keeps two servers with the same pane number apart', async () => {
    const one = server.session('cat');
    const two = second.session('cat');
    expect(one.pane).toBe(two.pane);
    await tmux.paste(two, 'to the second');
    await expect.poll(() => second.screen(two)).toContain('to the second');
    expect(server.screen(one)).toBe('');
    expect(await tmux.paste({ ...one, socket: two.socket }, 'x')).toMatchObject({ typed: false });
  });

  it('says that there is no server: no socket, a stale socket, a plain file', async () => {
    const pane = server.session('cat');
    process.kill(pane.serverPid, 'SIGKILL');
    await expect.poll(() => tmux.listPanes(server.socket)).toBeUndefined();
    expect(await tmux.paneStatus(pane)).toEqual({ found: false, why: 'no-server' });
    expect(await tmux.paste(pane, 'x')).toEqual({ typed: false, why: 'no-server' });
    expect(await tmux.listPanes(join(server.dir, 'none'))).toBeUndefined();
    writeFileSync(join(server.dir, 'plain'), '');
    expect(await tmux.serverIdentity(join(server.dir, 'plain'))).toBeUndefined();
  });

  it('gives up on a server that does not answer, and says that it is not certain', async () => {
    const pane = server.session('cat');
    const hasty = new Tmux({ timeoutMs: 300 });
    process.kill(pane.serverPid, 'SIGSTOP');
    try {
      const failure = { code: 'tmux-timeout', certain: false };
      await expect(hasty.look(pane)).rejects.toMatchObject(failure);
      await expect(hasty.paste(pane, 'x')).rejects.toMatchObject(failure);
    } finally {
      process.kill(pane.serverPid, 'SIGCONT');
    }
  });

  it('says that tmux is missing or broken', async () => {
    const none = new Tmux({ program: join(server.dir, 'no-such-tmux') });
    await expect(none.listPanes(server.socket)).rejects.toMatchObject({
      code: 'tmux-missing',
      certain: true,
    });
    const broken = join(server.dir, 'broken');
    writeFileSync(broken, '#!/bin/sh\necho protocol version mismatch >&2; exit 1\n');
    chmodSync(broken, 0o700);
    await expect(new Tmux({ program: broken }).listPanes(server.socket)).rejects.toMatchObject({
      code: 'tmux-failed',
      message: expect.stringContaining('protocol version mismatch'),
    });
  });
});
