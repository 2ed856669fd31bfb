import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type ScriptedTuiOptions, scriptedTui } from '../../src/demo/launch.ts';
import { PrivateServer } from './private-server.ts';

const patient = { timeout: 15_000, interval: 25 };

type More = Pick<ScriptedTuiOptions, 'resume' | 'isFork'>;

/** A scripted TUI in a pane of its own server; ends with the test. */
const start = (at?: string, more: More = {}) => {
  const server = new PrivateServer();
  onTestFinished(() => server.stop());
  const dir = at ?? server.dir;
  const configDir = join(dir, 'config');
  const groundTruth = join(dir, 'truth.jsonl');
  const { argv, env } = scriptedTui({ configDir, groundTruth, pace: 0.2, ...more });
  const cwd = join(dir, 'a project');
  mkdirSync(cwd, { recursive: true });
  const words = ['env', ...Object.entries(env).map((pair) => pair.join('=')), ...argv];
  const command = words.map((word) => `'${word}'`).join(' ');
  const pane = server.session(`cd '${cwd}' && exec ${command}`, 'work');
  const pid = Number(server.tmux('display-message', '-p', '-t', pane.pane, '#{pane_pid}'));
  const sessions = join(configDir, 'sessions');
  const files = () => (existsSync(sessions) ? readdirSync(sessions) : []);
  const entry = () => {
    const path = join(sessions, `${pid}.json`);
    if (!existsSync(path)) return undefined;
    return JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  };
  const readLines = (path: string) =>
    existsSync(path)
      ? readFileSync(path, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Record<string, unknown>)
      : [];
  const rows = (session: unknown) => {
    const projects = join(configDir, 'projects');
    const [slug = ''] = existsSync(projects) ? readdirSync(projects) : [];
    return readLines(join(projects, slug, `${String(session)}.jsonl`));
  };
  const isIdle = () => expect.poll(entry, patient).toMatchObject({ status: 'idle' });
  const truth = () => readLines(groundTruth);
  const another = (options: More) => start(dir, options);
  return { server, configDir, pane, pid, files, entry, rows, truth, isIdle, another };
};

it('a scripted TUI is registered as the real program is, and works through a reply', async () => {
  const { server, pane, pid, entry, rows, truth, isIdle, configDir } = start();
  await isIdle();
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  expect(entry()).toMatchObject({
    pid,
    procStart: stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19],
    kind: 'interactive',
    tmux: `work:@0.${pane.pane}`,
    version: '2.1.332',
  });
  expect(server.tmux('display-message', '-p', '-t', pane.pane, '#{pane_current_command}')).toBe(
    'claude',
  );
  server.tmux('set-buffer', '-b', 'text', 'grüße an alle\nzwei Zeilen');
  server.tmux('paste-buffer', '-p', '-r', '-d', '-b', 'text', '-t', pane.pane);
  await expect.poll(() => server.screen(pane), patient).toContain('zwei Zeilen');
  server.tmux('send-keys', '-t', pane.pane, 'Enter');
  await expect
    .poll(truth, patient)
    .toMatchObject([{ type: 'received', text: 'grüße an alle\nzwei Zeilen' }]);
  await expect.poll(() => server.screen(pane), patient).toContain('ACK grüße an alle');
  await isIdle();
  const [slug = ''] = readdirSync(join(configDir, 'projects'));
  expect(slug).toMatch(/^[A-Za-z0-9-]+-a-project$/);
  expect(rows(entry()?.['sessionId']).map((row) => row['subtype'])).toContain('turn_duration');
});

it.each([
  ['SIGTERM', (_server: PrivateServer, pid: number) => process.kill(pid, 'SIGTERM')],
  ['a killed session', (server: PrivateServer) => server.tmux('kill-session', '-t', 'work')],
  ['two ctrl+c', (server: PrivateServer) => server.tmux('send-keys', '-t', 'work', 'C-c', 'C-c')],
])('%s ends it and takes its registry files away', async (_how, act) => {
  const { server, files, entry, isIdle } = start();
  await isIdle();
  act(server, Number(entry()?.['pid']));
  await expect.poll(files, patient).toEqual([]);
});

it('SIGKILL leaves its registry files', async () => {
  const { files, entry, isIdle } = start();
  await isIdle();
  process.kill(Number(entry()?.['pid']), 'SIGKILL');
  await expect.poll(() => existsSync(`/proc/${String(entry()?.['pid'])}`), patient).toBe(false);
  expect(files()).toHaveLength(2);
});

it('goes on with a session, or with a copy of it as a fork', async () => {
  const first = start();
  await first.isIdle();
  const session = String(first.entry()?.['sessionId']);
  const say = async (tui: typeof first, text: string): Promise<void> => {
    tui.server.tmux('send-keys', '-t', tui.pane.pane, '-l', text);
    await expect.poll(() => tui.server.screen(tui.pane), patient).toContain(text);
    tui.server.tmux('send-keys', '-t', tui.pane.pane, 'Enter');
    await expect.poll(() => tui.server.screen(tui.pane), patient).toContain(`ACK ${text}`);
    await expect
      .poll(() => tui.rows(tui.entry()?.['sessionId']).at(-1), patient)
      .toMatchObject({
        type: 'atis-latch',
      });
  };
  await say(first, 'original');
  const again = first.another({ resume: session });
  await again.isIdle();
  await say(again, 'resumed');
  expect(again.entry()).toMatchObject({ sessionId: session });
  const fork = again.another({ resume: session, isFork: true });
  await fork.isIdle();
  await say(fork, 'forked');
  const own = fork.entry()?.['sessionId'];
  expect(own).not.toBe(session);
  const uuids = (id: unknown) => fork.rows(id).flatMap((row) => row['uuid'] ?? []);
  expect(uuids(own).slice(0, uuids(session).length)).toEqual(uuids(session));
  const rows = fork.rows(own).filter((row) => row['uuid'] !== undefined);
  expect(rows.slice(1).map((row) => row['parentUuid'])).toEqual(
    rows.slice(0, -1).map((row) => row['uuid']),
  );
});
