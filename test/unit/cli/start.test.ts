import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BridgeProcess } from '../../../src/cli/cli-deps.ts';
import { tempDir } from '../../fakes/temp-dir.ts';
import { cliFixture } from './fixture.ts';

const bridge = (): BridgeProcess & { readonly calls: string[] } => {
  const calls: string[] = [];
  return {
    calls,
    start: () => {
      calls.push('start');
      return Promise.resolve({ url: 'http://127.0.0.1:4317', token: 'dummy-token' });
    },
    stop: () => {
      calls.push('stop');
      return Promise.resolve();
    },
    reader: {
      list: () => Promise.resolve([]),
      run: () => Promise.resolve(null),
      window: () => Promise.reject(new Error('not asked for')),
      changes: () => Promise.reject(new Error('not asked for')),
    },
  };
};
const state = 'stateDir: state\n';

describe('afk-bridge start (O3)', () => {
  it('starts, shows the link with its token on a terminal, stops at a signal', async () => {
    const own = bridge();
    const cli = cliFixture({ bridge: own, isTty: true });
    cli.configure(state);
    const done = cli.run('start');
    await expect.poll(() => cli.out).toContain('page: http://127.0.0.1:4317/#token=dummy-token');
    await expect.poll(() => cli.out.at(-1)).toContain('afk-bridge run -- claude');
    cli.signal();
    expect(await done).toBe(0);
    expect(own.calls).toEqual(['start', 'stop']);
    const log = readFileSync(join(cli.dir, 'state/afk-bridge.log'), 'utf8');
    expect(log).toContain('"started"');
    expect(log).not.toContain('dummy-token');
    expect(existsSync(join(cli.dir, 'state/page.json'))).toBe(false);
  });

  it('invariant 6: start shows the page’s token on a terminal only, and never logs it (A4)', async () => {
    const cli = cliFixture({ bridge: bridge() });
    cli.configure(state);
    const log = join(cli.dir, 'log');
    const done = cli.run('start', '--log-file', log);
    await expect.poll(() => cli.out.join('\n')).toContain('page: http://127.0.0.1:4317/ (');
    expect([...cli.out, ...cli.err, readFileSync(log, 'utf8')].join()).not.toContain('dummy-token');
    expect(await cli.run('ls')).toBe(0);
    expect(cli.out.at(-1)).toBe('page: http://127.0.0.1:4317/#token=dummy-token');
    cli.signal();
    await done;
  });

  it('asks for tmux where there is none', async () => {
    const cli = cliFixture({ bridge: bridge(), missing: 'tmux' });
    cli.configure(state);
    expect(await cli.run('start')).toBe(5);
    expect(cli.err.join()).toContain('tmux is not installed or not in PATH; install it');
  });

  it('gives way to the instance that holds the state directory (L3)', async () => {
    const cli = cliFixture({ bridge: bridge() });
    cli.configure(state);
    const log = ['--log-file', join(cli.dir, 'log')];
    const done = cli.run('start', ...log);
    await expect.poll(() => cli.out.join('\n')).toContain('page:');
    expect(await cli.run('start', ...log)).toBe(3);
    expect(cli.err.join('\n')).toContain(`process ${process.pid} on `);
    cli.signal();
    expect(await done).toBe(0);
  });

  it('ends at once at a second signal', async () => {
    const own = { ...bridge(), stop: () => new Promise<void>(() => {}) };
    const cli = cliFixture({ bridge: own });
    cli.configure(state);
    void cli.run('start', '--log-file', join(cli.dir, 'log'));
    await expect.poll(() => cli.out.join('\n')).toContain('page:');
    cli.signal();
    // The same Ctrl-C, passed on by the programs above.
    cli.signal();
    expect(cli.exits).toEqual([]);
    await cli.clock.advance(1_001);
    cli.signal();
    expect(cli.exits).toEqual([130]);
  });

  it.each([
    ['runs.outsideTmux', 'runs: {outsideTmux: true}'],
    ['replies.commands', 'replies: {commands: [compact]}'],
    ['replies.attachments', 'replies: {attachments: {dir: in}}'],
  ])(
    'invariant 7: what is not built yet is refused with a remedy, never ignored: %s',
    async (what, yaml) => {
      const cli = cliFixture({ bridge: bridge() });
      cli.configure(yaml);
      expect(await cli.run('start')).toBe(5);
      expect(cli.err.join()).toMatch(new RegExp(`${what}: not built yet; remove`));
    },
  );

  it('O05 A1: says at start where nobody may act; L3: one bridge for one app token', async () => {
    const slack =
      'slack: {botToken: xoxb-dummy, appToken: xapp-dummy, channels: [{id: C0X, all: true}]}';
    const home = tempDir();
    const cli = cliFixture({ bridge: bridge(), home });
    cli.configure(`${slack}\n${state}`);
    const running = cli.run('start', '--log-file', join(cli.dir, 'log'));
    await expect.poll(() => cli.out.join('\n')).toContain('page:');
    expect(cli.err.join()).toContain('warning: Slack is read-only: nobody of it stands in access');
    const other = cliFixture({ bridge: bridge(), home });
    other.configure(`${slack}\nstateDir: ./other\naccess: {drivers: ["slack:U0BOB"]}`);
    expect(await other.run('start', '--log-file', join(other.dir, 'log'))).toBe(3);
    expect(other.err.join()).toMatch(
      /slack\.appToken is held by another afk-bridge: process \d+ .*give each bridge an app of its own/,
    );
    cli.signal();
    await running;
  });

  it('stops what it began when it cannot start', async () => {
    const own = bridge();
    const cli = cliFixture({
      bridge: { ...own, start: () => Promise.reject(new Error('no port')) },
    });
    cli.configure(state);
    expect(await cli.run('start', '--log-file', join(cli.dir, 'log'))).toBe(1);
    expect(own.calls).toEqual(['stop']);
  });
});
