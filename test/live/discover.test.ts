import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HostId, id } from '../../src/bridge/model/ids.ts';
import type { RunHandle } from '../../src/bridge/model/run-state.ts';
import {
  type DiscoveryParts,
  discoveryParts,
} from '../../src/provider/claude-code/discovery-parts.ts';
import { sightOf } from '../../src/provider/claude-code/process-sight.ts';
import { readScreen } from '../../src/provider/claude-code/screen.ts';
import { Tmux } from '../../src/provider/tmux/tmux.ts';
import { Stage } from './harness.ts';
import { findLiveProgram } from './program.ts';

const program = await findLiveProgram();
const never = new AbortController().signal;
const clock = { now: () => Date.now(), sleep: async () => undefined };

describe.skipIf(program.isMissing)(`discovery, ${program.title}`, () => {
  let stage: Stage;
  let fresh: Stage;
  let parts: DiscoveryParts;
  const tmux = new Tmux();
  const problems: string[] = [];
  beforeAll(async () => {
    stage = await Stage.open(program);
    fresh = await Stage.open(program, { isTrusted: false });
    // A directory that no agent uses: theirs must be found by their own environment.
    parts = discoveryParts({
      ...{ clock, tmux, host: id<HostId>('live'), configDir: '/nonexistent/.claude' },
      ...{ sockets: 'auto', includesOutside: false, platform: process.platform },
      uid: process.getuid?.() ?? 0,
      onProblem: (what) => problems.push(what),
    });
  });
  afterAll(async () => {
    const stopped = await Promise.allSettled([stage?.stop(), fresh?.stop()]);
    expect(stopped.filter((one) => one.status === 'rejected')).toEqual([]);
    expect(problems.filter((what) => what.includes('/afk-live-'))).toEqual([]);
  });

  /** Other agents of this user may run beside the test; only those of the two stages count. */
  const discovered = async (): Promise<readonly RunHandle[]> =>
    (await parts.discovery.discover(never)).filter((run) =>
      [stage.home.configDir, fresh.home.configDir].includes(run.configDir ?? ''),
    );
  const found = async (pid: number): Promise<RunHandle | undefined> =>
    (await discovered()).find((run) => run.pid === pid);

  it('finds agents on any server, by their own environment (R1, R3)', async () => {
    const one = await stage.start();
    const two = await stage.start({ server: 'second', size: [80, 24] });
    expect(one.pane).toBe(two.pane);
    const [first, second] = [await found(one.pid), await found(two.pid)];
    expect(first).toMatchObject({
      pid: one.pid,
      cwd: stage.home.cwd,
      version: program.version,
      session: await one.session(),
      pane: { socket: one.socket, pane: one.pane },
    });
    expect(second?.pane?.socket).toBe(two.socket);
    const registry = await parts.registry.read(first?.configDir ?? '', one.pid);
    expect(registry).toMatchObject({ pid: one.pid, status: 'idle' });
    const entry = await one.registry();
    expect(Math.abs((first?.startedAt ?? 0) - Number(entry?.startedAt))).toBeLessThan(5000);
    await two.end();
    expect(await found(two.pid)).toBeUndefined();
  });

  it('finds a run on the trust screen, by its key file alone', async () => {
    const agent = await fresh.start({ untilIdle: false });
    await expect.poll(() => found(agent.pid), { timeout: 15_000 }).toBeDefined();
    const run = (await found(agent.pid)) as RunHandle;
    expect(run).toMatchObject({ cwd: fresh.home.cwd, pane: { pane: agent.pane } });
    expect(run.session).toBeUndefined();
    await agent.waitForScreen('Yes, I trust this folder');
    const look = run.pane && (await tmux.look(run.pane));
    expect(look?.found && readScreen({ capture: look.screen, cols: look.status.cols })).toEqual({
      kind: 'blocked',
      cause: 'trust',
      basis: 'seen',
    });
  });

  it('does not take what an agent starts for a run, nor what a kill left behind (L4)', async () => {
    const agent = await stage.start({ mode: 'bypassPermissions' });
    const before = (await discovered()).map((run) => run.pid);
    await agent.say(`#bash ${program.command} -p "a note from below"; sleep 3`);
    await stage.api.waitForText('a note from below');
    expect((await discovered()).map((run) => run.pid)).toEqual(before);
    process.kill(agent.pid, 'SIGKILL');
    await expect.poll(() => found(agent.pid)).toBeUndefined();
  });

  it('sees that an agent was suspended behind its shell, and brought back', async () => {
    const agent = await stage.start();
    const made = await agent.tmux(
      ...['new-window', '-d', '-c', stage.home.cwd, '-P', '-F', '#{pane_id} #{pane_tty}'],
      'bash --norc -i',
    );
    const [pane = '', tty = ''] = made.trim().split(' ');
    const command = `${program.command} --permission-mode manual`;
    await agent.tmux('send-keys', '-t', pane, '-l', command);
    await agent.tmux('send-keys', '-t', pane, 'Enter');
    const inShell = async (): Promise<RunHandle | undefined> =>
      (await discovered()).find((run) => run.pane?.pane === pane);
    await expect.poll(async () => (await inShell())?.session, { timeout: 20_000 }).toBeDefined();
    const run = (await inShell()) as RunHandle;
    const sight = (): Promise<unknown> => sightOf(parts.processes, run, tty);
    const screen = async (): Promise<string> => {
      const look = run.pane && (await tmux.look(run.pane));
      return look?.found ? readScreen({ capture: look.screen, cols: look.status.cols }).kind : '';
    };
    await expect.poll(screen, { timeout: 10_000 }).toBe('box');
    expect(await sight()).toEqual({ isAlive: true, isStopped: false, isInFront: true });
    await agent.tmux('send-keys', '-t', pane, 'C-z');
    await expect.poll(sight, { timeout: 5000 }).toEqual({
      ...{ isAlive: true, isStopped: true, isInFront: false },
    });
    await expect.poll(screen).toBe('shell');
    expect(await inShell()).toMatchObject({ pid: run.pid });
    await agent.tmux('send-keys', '-t', pane, '-l', 'fg');
    await agent.tmux('send-keys', '-t', pane, 'Enter');
    await expect.poll(sight, { timeout: 5000 }).toEqual({
      ...{ isAlive: true, isStopped: false, isInFront: true },
    });
    await expect.poll(screen, { timeout: 5000 }).toBe('box');
    process.kill(run.pid, 'SIGTERM');
    await expect.poll(sight, { timeout: 5000 }).toMatchObject({ isAlive: false });
  });
});
