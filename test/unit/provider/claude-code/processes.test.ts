import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import {
  configDirOf,
  isAgentCommand,
  type ProcessStat,
  reachesTerminal,
  socketOf,
} from '../../../../src/provider/claude-code/processes.ts';
import {
  bootTime,
  LinuxProcesses,
  parseStat,
} from '../../../../src/provider/claude-code/processes-linux.ts';
import { parsePsLine } from '../../../../src/provider/claude-code/processes-ps.ts';

const stat = (more: Partial<ProcessStat>): ProcessStat => ({
  ...{ pid: 1, ppid: 0, start: '1', startedAt: 0, state: 'S', group: 1, foregroundGroup: 1 },
  ...{ tty: '/dev/pts/1', command: 'claude' },
  ...more,
});

describe('processes', () => {
  it('reads /proc/PID/stat, odd program names included', () => {
    const line = '42 (a) b (c) S 7 42 42 34821 42 4194304 1 1 0 0 5 9 0 0 20 0 7 0 205133 5 6';
    expect(parseStat(line, 1_000_000)).toEqual({
      ...{ pid: 42, ppid: 7, start: '205133', startedAt: 1_000_000 + 2_051_330, state: 'S' },
      ...{ group: 42, foregroundGroup: 42, tty: '/dev/pts/5', command: 'a) b (c' },
    });
    expect(parseStat('42 (torn', 0)).toBeUndefined();
    expect(parseStat(line.replace('34821', '0'), 0)?.tty).toBe('');
    // 300 terminals and more: the minor number is split.
    expect(parseStat(line.replace('34821', String((137 << 8) | 44)), 0)?.tty).toBe('/dev/pts/300');
  });

  it('reads this very process, and its child while it is stopped and after', async () => {
    const processes = new LinuxProcesses();
    const own = await processes.stat(process.pid);
    expect(own).toMatchObject({ pid: process.pid, ppid: process.ppid });
    const upSince = Date.now() - process.uptime() * 1000;
    expect(Math.abs((own?.startedAt ?? 0) - upSince)).toBeLessThan(5000);
    const before = Date.now();
    const young = spawn('sleep', ['60']);
    try {
      // To a tick: it decides what of a fork's rows are copied (R2).
      const { startedAt = 0 } = (await processes.stat(young.pid ?? 0)) ?? {};
      expect(startedAt).toBeGreaterThan(before - 50);
      expect(startedAt).toBeLessThan(Date.now() + 50);
    } finally {
      young.kill('SIGKILL');
    }
    const child = spawn('sleep', ['60'], { env: { HOME: '/nowhere', SECRET: 'x' }, cwd: '/' });
    const pid = child.pid ?? 0;
    try {
      await expect.poll(() => processes.argv(pid)).toEqual(['sleep', '60']);
      expect(await processes.environment(pid)).toEqual({ HOME: '/nowhere' });
      expect(await processes.cwd(pid)).toBe('/');
      expect(await processes.pids()).toContain(pid);
      process.kill(pid, 'SIGSTOP');
      await expect.poll(async () => (await processes.stat(pid))?.state).toBe('T');
    } finally {
      child.kill('SIGKILL');
    }
    await once(child, 'exit');
    expect(await processes.stat(pid)).toBeUndefined();
    expect(await processes.argv(pid)).toEqual([]);
    expect(await processes.environment(pid)).toEqual({});
  });

  it('knows the second of the boot, and the time within it where it fits', () => {
    const stat = 'cpu 1\nbtime 1000\n';
    expect(bootTime(stat, '500.25 900.00\n', 1_500_900)).toBe(1_000_650);
    expect(bootTime(stat, '500.25 900.00\n', 2_000_000)).toBe(1_000_999);
    expect(bootTime(stat, '', 1_500_900)).toBe(1_000_000);
  });

  it('reads what ps prints', () => {
    const line = '  42     7    42    42 ttys003  S+   Mon Nov 30 22:09:00 2026 claude';
    expect(parsePsLine(line)).toMatchObject({
      ...{ pid: 42, ppid: 7, group: 42, foregroundGroup: 42, tty: '/dev/ttys003', state: 'S' },
      command: 'claude',
    });
    expect(parsePsLine('garbage')).toBeUndefined();
    const format = 'pid=,ppid=,pgid=,tpgid=,tty=,stat=,lstart=,ucomm=';
    const real = execFileSync('ps', ['-o', format, '-p', String(process.pid)], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C' },
    });
    expect(parsePsLine(real.trimEnd())).toMatchObject({ pid: process.pid, ppid: process.ppid });
  });

  it('knows the agent by its command line', () => {
    for (const argv of [
      ['claude'],
      ['/opt/x y/claude', '--continue'],
      ['node', '/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js'],
      ['/x/node_modules/@anthropic-ai/claude-code/bin/claude.exe'],
    ])
      expect(isAgentCommand(argv)).toBe(true);
    for (const argv of [['vim', 'claude.md'], ['bash', '-c', 'claude'], ['claude-squad'], []])
      expect(isAgentCommand(argv)).toBe(false);
  });

  it('takes directory and server from the environment at the start', () => {
    expect(configDirOf({ HOME: '/h' })).toBe('/h/.claude');
    expect(configDirOf({ HOME: '/h', CLAUDE_CONFIG_DIR: '/c' })).toBe('/c');
    expect(configDirOf({})).toBeUndefined();
    expect(socketOf({ TMUX: '/tmp/a,b/s,12,0' })).toBe('/tmp/a,b/s');
    expect(socketOf({ TMUX: 'nonsense' })).toBeUndefined();
  });

  it.each<[string, readonly ProcessStat[], string]>([
    ['alone in its pane', [stat({})], 'in-front'],
    ['behind its shell (Ctrl-Z)', [stat({ foregroundGroup: 9 })], 'behind'],
    ['without a terminal', [stat({ tty: '' })], 'elsewhere'],
    ['in another terminal', [stat({ tty: '/dev/pts/2' })], 'elsewhere'],
    [
      'inside script',
      [stat({ tty: '/dev/pts/2' }), stat({ command: 'script' }), stat({ command: 'bash' })],
      'in-front',
    ],
    [
      'inside a script that is behind',
      [stat({ tty: '/dev/pts/2' }), stat({ command: 'script', foregroundGroup: 9 })],
      'behind',
    ],
    ['inside an editor', [stat({ tty: '/dev/pts/2' }), stat({ command: 'nvim' })], 'elsewhere'],
  ])('says whether keys reach an agent %s', (_name, chain, expected) => {
    expect(reachesTerminal(chain, '/dev/pts/1')).toBe(expected);
  });
});
