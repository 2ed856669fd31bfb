import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { clearStage } from '../../src/demo/stage.ts';
import { tempDir } from '../fakes/temp-dir.ts';
import { PageClient } from './page-client.ts';

const root = join(import.meta.dirname, '..', '..');
const patient = { timeout: 30_000, interval: 50 };

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Processes of a demo: its agents, and itself by its owner's note. */
const pidsOf = (stage: string): number[] => {
  const sessions = join(stage, 'claude', 'sessions');
  const agents = existsSync(sessions)
    ? readdirSync(sessions).flatMap((name) => /^(\d+)\.json$/.exec(name)?.[1] ?? [])
    : [];
  const owner = JSON.parse(readFileSync(join(stage, 'owner.json'), 'utf8')) as { pid: number };
  return [owner.pid, ...agents.map(Number)];
};

/** Starts a demo in a process group of its own; whatever is left of it goes with the test. */
const startDemo = async (command: string, args: readonly string[]) => {
  const dir = tempDir();
  const child: ChildProcess = spawn(command, args, {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TMPDIR: dir },
  });
  onTestFinished(async () => {
    if (child.pid !== undefined && isAlive(-child.pid)) process.kill(-child.pid, 'SIGKILL');
    for (const name of readdirSync(dir)) await clearStage(join(dir, name), {});
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const link = () => /Open\s+(\S+)/.exec(output)?.[1];
  await expect.poll(() => link() ?? output, patient).toMatch(/^http:/);
  const page = await PageClient.login(link() ?? '');
  const [name = ''] = readdirSync(dir).filter((each) => each.startsWith('afk-bridge-demo-'));
  return { dir, child, page, stage: join(dir, name) };
};

const demoLeft = (dir: string): string[] =>
  readdirSync(dir).filter((name) => name.startsWith('afk-bridge-demo-'));

it('O1: `npm run demo` shows runs and a question that the page answers; Ctrl-C leaves nothing', async () => {
  const { dir, child, page, stage } = await startDemo('npm', ['run', '--silent', 'demo']);
  await expect.poll(async () => (await page.runs()).length, patient).toBe(3);
  const asking = async () =>
    (await page.runs()).find((run) => run.state.name === 'question-pending' && run.pendingDialog);
  await expect.poll(asking, patient).toBeDefined();
  const run = await asking();
  if (run?.pendingDialog === undefined) throw new Error('no question');
  await page.answer(run.id, run.pendingDialog.id, { type: 'choose', choices: [[0]] });
  await expect
    .poll(async () => JSON.stringify(await page.items(run.id)), patient)
    .toContain('counted in **Redis**');
  const pids = pidsOf(stage);
  expect(pids).toHaveLength(4);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  if (child.pid === undefined) throw new Error('no process');
  process.kill(-child.pid, 'SIGINT');
  await ended;
  await expect.poll(() => pids.filter(isAlive), patient).toEqual([]);
  expect(demoLeft(dir)).toEqual([]);
});

const tsx = createRequire(import.meta.url).resolve('tsx/cli');
it.each([
  ['SIGTERM', (pids: readonly number[]) => process.kill(pids[0] ?? 0, 'SIGTERM')],
  ['SIGHUP', (pids: readonly number[]) => process.kill(pids[0] ?? 0, 'SIGHUP')],
  [
    'the death of what started it',
    (_pids: readonly number[], child: ChildProcess) => child.kill('SIGKILL'),
  ],
])('O1: %s ends a demo cleanly', async (_how, act) => {
  const { dir, child, page, stage } = await startDemo(process.execPath, [
    tsx,
    'src/main.ts',
    'demo',
  ]);
  await expect.poll(async () => (await page.runs()).length, patient).toBe(3);
  const pids = pidsOf(stage);
  act(pids, child);
  await expect.poll(() => pids.filter(isAlive), patient).toEqual([]);
  await expect.poll(() => demoLeft(dir), patient).toEqual([]);
});
