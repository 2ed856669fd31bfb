import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HostId } from '../../../../src/bridge/model/ids.ts';
import { id } from '../../../../src/bridge/model/ids.ts';
import { Agents } from '../../../../src/provider/claude-code/agents.ts';
import { Discovery } from '../../../../src/provider/claude-code/discover.ts';
import { PaneServers } from '../../../../src/provider/claude-code/pane-servers.ts';
import { Registry } from '../../../../src/provider/claude-code/registry.ts';
import type { PaneRow } from '../../../../src/provider/tmux/formats.ts';
import type { OwnSocket } from '../../../../src/provider/tmux/sockets.ts';
import type { ServerPanes } from '../../../../src/provider/tmux/tmux.ts';
import { type FakeProcess, FakeProcesses } from '../../../fakes/fake-processes.ts';

const KEY = `${'0123456789abcdef'.repeat(4)}.key`;
const never = new AbortController().signal;

/** tmux servers as a test sets them up; a server can be silent. */
class FakeServers {
  readonly servers = new Map<string, ServerPanes>();
  readonly silent = new Set<string>();
  calls: string[] = [];

  add(socket: string, ...panes: readonly Partial<PaneRow>[]): void {
    const server = { socket, serverPid: 50, serverStart: 1000 };
    const rows = panes.map((pane) => ({ ...PANE, ...server, ...pane }));
    this.servers.set(socket, { ...server, panes: rows });
  }
  async listPanes(socket: string): Promise<ServerPanes | undefined> {
    this.calls.push(socket);
    if (this.silent.has(socket)) throw new Error('no answer');
    return this.servers.get(socket);
  }
}

const PANE: PaneRow = {
  serverPid: 50,
  serverStart: 1000,
  pane: '%0',
  panePid: 100,
  tty: '/dev/pts/1',
  isDead: false,
  isInMode: false,
  isInputOff: false,
  isSynchronized: false,
  cols: 80,
  rows: 24,
  cursorColumn: 2,
  sessions: ['main'],
  window: '@0',
  command: 'claude',
};

describe('discovery (R1, R3)', () => {
  let dir: string;
  let processes: FakeProcesses;
  let tmux: FakeServers;
  let problems: string[];
  let sockets: OwnSocket[];
  let known: readonly string[];
  let outside: boolean;
  let discovery: Discovery;

  const register = (pid: number, more: object = {}, configDir = dir): void => {
    mkdirSync(join(configDir, 'sessions'), { recursive: true });
    const entry = {
      ...{ pid, sessionId: `session-${pid}`, cwd: '/work/tree', startedAt: 1_800_000_000_100 },
      ...{ procStart: `${pid}00`, version: '2.1.332', kind: 'interactive', status: 'idle' },
      ...more,
    };
    writeFileSync(join(configDir, 'sessions', `${pid}.json`), JSON.stringify(entry));
    key(pid, configDir);
  };
  const key = (pid: number, configDir = dir): void => {
    mkdirSync(join(configDir, 'sessions'), { recursive: true });
    writeFileSync(join(configDir, 'sessions', `${pid}.${KEY}`), '');
  };
  const claude = (pid: number, more: Partial<FakeProcess> = {}): void =>
    processes.run({ pid, ppid: 100, tty: '/dev/pts/1', command: 'claude', ...more });
  const build = (): Discovery => {
    const onProblem = (what: string): void => {
      problems.push(what);
    };
    const clock = { now: () => Date.now(), sleep: async () => undefined };
    return new Discovery({
      host: id<HostId>('host'),
      agents: new Agents({ registry: new Registry({ clock }), processes, onProblem }),
      servers: new PaneServers({
        tmux,
        findSockets: async (paths) => {
          known = paths;
          return sockets;
        },
        onProblem,
      }),
      processes,
      configDirs: [dir],
      includesOutside: outside,
      branchOf: async (cwd) => (cwd === '/work/tree' ? 'main' : undefined),
    });
  };
  const pids = async (): Promise<readonly number[]> =>
    (await discovery.discover(never)).map((run) => run.pid);

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'afk-discover-'));
    processes = new FakeProcesses();
    tmux = new FakeServers();
    problems = [];
    outside = false;
    sockets = [{ path: '/tmp/s', stamp: '1' }];
    tmux.add('/tmp/s', {});
    processes.run({ pid: 100, tty: '/dev/pts/1', foregroundGroup: 200 });
    discovery = build();
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  it('knows a run by registry, process and pane', async () => {
    claude(200);
    const more = { tmux: 'main:@0.%0', name: 'tidy up', bridgeSessionId: 'session_01AbC' };
    register(200, more);
    expect(await discovery.discover(never)).toEqual([
      {
        id: 'host-200-20000',
        pid: 200,
        procStart: '20000',
        startedAt: 1_800_000_000_200,
        pane: { socket: '/tmp/s', serverPid: 50, serverStart: 1000, pane: '%0' },
        cwd: '/work/tree',
        configDir: dir,
        branch: 'main',
        session: 'session-200',
        tmuxSession: 'main',
        name: 'tidy up',
        version: '2.1.332',
        deepLink: 'https://claude.ai/code/session_01AbC',
      },
    ]);
  });

  it('takes no link from an id that is none, and no name that nobody gave', async () => {
    claude(200);
    register(200, { bridgeSessionId: '../evil?x', name: 'tree-3f', nameSource: 'derived' });
    const [run] = await discovery.discover(never);
    expect(run?.deepLink).toBeUndefined();
    expect(run?.name).toBeUndefined();
  });

  it('finds a start-up screen by its key file alone, and no other program of that number', async () => {
    claude(200, { cwd: '/work/fresh' });
    processes.run({ pid: 201, ppid: 100, tty: '/dev/pts/1', command: 'vim' });
    key(200);
    key(201);
    key(202);
    const runs = await discovery.discover(never);
    expect(runs).toMatchObject([{ pid: 200, cwd: '/work/fresh', pane: { pane: '%0' } }]);
    expect(runs[0]?.session).toBeUndefined();
  });

  it.each<[string, Partial<FakeProcess> | undefined, object]>([
    ['a file that a kill left behind', undefined, {}],
    ['a number that another process has now', { start: '777' }, {}],
    ['a zombie', { state: 'Z' }, {}],
    ['a background session', {}, { kind: 'bg' }],
    ['an agent without a terminal', { tty: '' }, {}],
    ['an agent in another terminal', { tty: '/dev/pts/9' }, {}],
  ])('does not take %s for a run', async (_name, process, entry) => {
    if (process !== undefined) claude(200, process);
    register(200, entry);
    expect(await pids()).toEqual([]);
  });

  it('takes the inner agent of wrappers and shells, not the agent that an agent starts', async () => {
    processes.run({ pid: 150, ppid: 100, tty: '/dev/pts/1', command: 'claude' });
    claude(200, { ppid: 150 });
    register(200);
    processes.run({ pid: 210, ppid: 200, tty: '/dev/pts/1', command: 'sh' });
    claude(220, { ppid: 210 });
    register(220);
    expect(await pids()).toEqual([200]);
  });

  it('follows a terminal that is passed through, not one inside an editor', async () => {
    processes.run({ pid: 150, ppid: 100, tty: '/dev/pts/1', command: 'script' });
    claude(200, { ppid: 150, tty: '/dev/pts/7' });
    register(200);
    expect(await pids()).toEqual([200]);
    processes.run({ pid: 150, ppid: 100, tty: '/dev/pts/1', command: 'nvim' });
    expect(await pids()).toEqual([]);
  });

  it('keeps the same pane number of two servers apart, one call for each', async () => {
    sockets = [...sockets, { path: '/tmp/t', stamp: '1' }];
    tmux.add('/tmp/t', { panePid: 300, tty: '/dev/pts/2' });
    claude(200, { environment: { TMUX: '/tmp/s,50,0' } });
    register(200);
    claude(300, { ppid: 1, tty: '/dev/pts/2', environment: { TMUX: '/tmp/t,60,0' } });
    register(300);
    const runs = await discovery.discover(never);
    expect(runs.map((run) => [run.pid, run.pane?.socket])).toEqual([
      [200, '/tmp/s'],
      [300, '/tmp/t'],
    ]);
    expect(tmux.calls).toEqual(['/tmp/s', '/tmp/t']);
    expect([...known].sort()).toEqual(['/tmp/s', '/tmp/t']);
  });

  it('finds agents that keep their registry elsewhere, by their own environment', async () => {
    const other = join(dir, 'other');
    claude(200, { environment: { CLAUDE_CONFIG_DIR: other, HOME: '/home/x' } });
    register(200, {}, other);
    expect(await discovery.discover(never)).toMatchObject([{ pid: 200, configDir: other }]);
    expect(discovery.configDirs).toEqual([dir, other]);
    processes.end(200);
    expect(await pids()).toEqual([]);
    expect(discovery.configDirs).toEqual([dir]);
  });

  it('finds an agent that a wrapper became', async () => {
    const other = join(dir, 'other');
    processes.run({ pid: 200, ppid: 100, tty: '/dev/pts/1', command: 'sh' });
    expect(await pids()).toEqual([]);
    claude(200, { environment: { CLAUDE_CONFIG_DIR: other } });
    register(200, {}, other);
    await expect.poll(pids).toEqual([200]);
  });

  it('R14 keeps a live run whose tmux server or file is silent, and drops it when it is gone (L4)', async () => {
    claude(200);
    register(200);
    const before = await discovery.discover(never);
    tmux.silent.add('/tmp/s');
    expect(await discovery.discover(never)).toEqual(before);
    expect(problems).toEqual(['tmux server /tmp/s did not answer']);
    tmux.silent.clear();
    writeFileSync(join(dir, 'sessions', '200.json'), '{"pid":200,');
    expect(await discovery.discover(never)).toEqual(before);
    processes.end(200);
    expect(await pids()).toEqual([]);
  });

  it('asks a deserted socket once, and again when a server makes it anew', async () => {
    sockets = [{ path: '/tmp/old', stamp: '1' }];
    await pids();
    await pids();
    expect(tmux.calls).toEqual(['/tmp/old']);
    sockets = [{ path: '/tmp/old', stamp: '2' }];
    tmux.add('/tmp/old', {});
    claude(200);
    register(200);
    expect(await pids()).toEqual([200]);
    expect(await pids()).toEqual([200]);
  });

  it('shows agents outside tmux only when asked, without a pane (R8)', async () => {
    claude(200, { ppid: 1, tty: '/dev/pts/9' });
    register(200);
    expect(await pids()).toEqual([]);
    outside = true;
    discovery = build();
    expect(await discovery.discover(never)).toMatchObject([{ pid: 200 }]);
    expect((await discovery.discover(never))[0]?.pane).toBeUndefined();
  });

  it('costs one tmux call per server for 100 runs, and reads an environment once (V3)', async () => {
    tmux.add(
      '/tmp/s',
      ...Array.from({ length: 100 }, (_, n) => ({
        pane: `%${n}`,
        panePid: 1000 + n,
        tty: `/dev/pts/${n}`,
      })),
    );
    for (let n = 0; n < 100; n += 1) {
      claude(1000 + n, { ppid: 1, tty: `/dev/pts/${n}` });
      register(1000 + n);
    }
    expect(await pids()).toHaveLength(100);
    expect(tmux.calls).toHaveLength(1);
    const reads = processes.environmentReads;
    expect(await pids()).toHaveLength(100);
    expect(tmux.calls).toHaveLength(2);
    expect(processes.environmentReads).toBe(reads);
  });

  it('stops when the signal aborts', async () => {
    await expect(discovery.discover(AbortSignal.abort())).rejects.toThrow();
  });
});
