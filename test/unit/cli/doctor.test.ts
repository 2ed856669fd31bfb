import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { acquireLock } from '../../../src/bridge/instance-lock.ts';
import { ownProcess } from '../../../src/bridge/own-process.ts';
import { thisMachine } from '../../../src/cli/machine.ts';
import { writePageNote } from '../../../src/cli/page-note.ts';
import { tempDir } from '../../fakes/temp-dir.ts';
import { type CliFixture, cliFixture } from './fixture.ts';

const configured = (over: Parameters<typeof cliFixture>[0] = {}): CliFixture => {
  const cli = cliFixture(over);
  cli.configure('stateDir: state\nclaudeCode: { configDir: claude }\nweb: { port: 4400 }\n');
  return cli;
};
const NAMES = [
  'node',
  'tmux',
  'configuration',
  'state directory',
  'agent directory',
  'Claude Code',
  'page',
];

describe('afk-bridge doctor (O1)', () => {
  it('finds every link in order', async () => {
    const cli = configured();
    expect(await cli.run('doctor')).toBe(0);
    expect(cli.err).toEqual([]);
    expect(cli.out.map((line) => line.replaceAll(cli.dir, '.'))).toEqual([
      'ok  node             20.20.0',
      'ok  tmux             3.3a',
      'ok  configuration    ./afk-bridge.yaml',
      'ok  state directory  ./state, writable and private',
      'ok  agent directory  ./claude',
      'ok  Claude Code      2.1.332, in the table of verified versions',
      'ok  page             127.0.0.1:4400 is free',
    ]);
  });

  it.each([
    ['node', { nodeVersion: '18.20.1' }, /Node 18\.20\.1 is too old; install Node 20\.19/],
    ['tmux', { tmuxVersion: async () => undefined }, /not installed or not in PATH; install tmux/],
    ['tmux', { tmuxVersion: async () => 'tmux 2.9a' }, /2\.9a is too old; install tmux 3\.2/],
    [
      'state directory',
      { stateDirTrouble: async () => 'it belongs to another user' },
      /state cannot be used: it belongs to another user; set stateDir/,
    ],
    ['agent directory', { isDirectory: () => false }, /claude is not there.*; start Claude Code/],
    [
      'Claude Code',
      { agentVersion: async () => ({ why: 'spawn claude ENOENT' }) },
      /claude cannot be run: spawn claude ENOENT; install Claude Code/,
    ],
    ['page', { isFree: async () => false }, /127\.0\.0\.1:4400 is taken.*; set web\.port/],
  ])('says in one line that %s is broken, and what to do', async (name, machine, says) => {
    const cli = configured({ machine });
    expect(await cli.run('doctor')).toBe(1);
    const broken = cli.out.filter((line) => line.startsWith('broken'));
    expect(broken).toEqual([expect.stringMatching(says)]);
    expect(broken[0]).toContain(name);
    expect(cli.err).toEqual(['afk-bridge: 1 of 7 links are broken']);
  });

  it('a configuration that cannot be used is one broken link, with its positions', async () => {
    const cli = cliFixture();
    cli.configure('web: { prot: 1 }\n');
    expect(await cli.run('doctor')).toBe(1);
    expect(cli.out.at(-1)).toMatch(/^broken +configuration +.*afk-bridge\.yaml:1:\d+: /);
    expect(cli.out).toHaveLength(3);
  });

  it('what `start` would refuse is broken here too', async () => {
    const cli = cliFixture();
    cli.configure('runs: { outsideTmux: true }\n');
    expect(await cli.run('doctor')).toBe(1);
    expect(cli.out.join('\n')).toMatch(/broken +configuration +runs\.outsideTmux: not built yet/);
  });

  it('a version that is not verified is a note, no fault', async () => {
    const cli = configured({ machine: { agentVersion: async () => ({ version: '9.9.9' }) } });
    expect(await cli.run('doctor')).toBe(0);
    expect(cli.out[5]).toMatch(/^note +Claude Code +9\.9\.9 is not verified.*doctor --verify$/);
  });

  it('a version that was verified here counts; by another afk-bridge it is to be checked again', async () => {
    const cli = configured({ machine: { agentVersion: async () => ({ version: '9.9.9' }) } });
    expect(await thisMachine.stateDirTrouble(join(cli.dir, 'state'))).toBeUndefined();
    const record = (by: string) =>
      writeFileSync(
        join(cli.dir, 'state/verified.json'),
        JSON.stringify({ claudeCode: { '9.9.9': { at: '2026-12-01T10:00:00.000Z', by } } }),
      );
    record('1.2.3');
    await cli.run('doctor');
    expect(cli.out[5]).toMatch(/^ok +Claude Code +9\.9\.9, verified on this host on 2026-12-01$/);
    record('1.0.0');
    await cli.run('doctor');
    expect(cli.out.at(-2)).toMatch(/^note .* by afk-bridge 1\.0\.0; check it: /);
  });

  it('A4: the port of our own bridge is ours, and its token is not shown', async () => {
    const cli = configured({ machine: { isFree: async () => false } });
    expect(await thisMachine.stateDirTrouble(join(cli.dir, 'state'))).toBeUndefined();
    const lock = ownProcess(() => 0);
    acquireLock(join(cli.dir, 'state'), lock);
    const link = 'http://127.0.0.1:4400/#token=dummy-token';
    writePageNote(join(cli.dir, 'state'), { pid: lock.pid, version: '1.2.3', link });
    expect(await cli.run('doctor')).toBe(0);
    expect(cli.out.at(-1)).toMatch(/served by the running bridge, http:\/\/127\.0\.0\.1:4400\/$/);
    expect(cli.out.join()).not.toContain('dummy-token');
  });

  it('prints JSON for scripts', async () => {
    const cli = configured({ machine: { isFree: async () => false } });
    expect(await cli.run('doctor', '--json')).toBe(1);
    const report = JSON.parse(cli.out.join('\n')) as { links: { name: string }[] };
    expect(report.links.map(({ name }) => name)).toEqual(NAMES);
    expect(report).toMatchObject({ verification: null });
    expect(report.links.at(-1)).toMatchObject({ status: 'broken', remedy: expect.any(String) });
  });
});

describe('what doctor asks of a machine', () => {
  it('a port that somebody listens on is not free', async () => {
    const server = createServer();
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        const address = server.address();
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
    onTestFinished(() => void server.close());
    expect(await thisMachine.isFree('127.0.0.1', port)).toBe(false);
    await new Promise((resolve) => server.close(resolve));
    expect(await thisMachine.isFree('127.0.0.1', port)).toBe(true);
  });

  it('a state directory is made, private; a file in its place is trouble', async () => {
    const dir = tempDir();
    expect(await thisMachine.stateDirTrouble(join(dir, 'state'))).toBeUndefined();
    writeFileSync(join(dir, 'file'), '');
    expect(await thisMachine.stateDirTrouble(join(dir, 'file'))).toMatch(/EEXIST|not a directory/);
  });

  it('a program that is not there, or says no version, says why', async () => {
    expect(await thisMachine.agentVersion('/no/such/claude')).toMatchObject({
      why: expect.stringContaining('ENOENT'),
    });
    expect(await thisMachine.agentVersion('/bin/false')).toHaveProperty('why');
    expect(await thisMachine.agentVersion(process.execPath)).toEqual({
      version: process.versions.node,
    });
  });
});
