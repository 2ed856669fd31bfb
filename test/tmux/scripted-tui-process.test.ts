import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { scriptedTui } from '../../src/demo/launch.ts';
import { PrivateServer } from './private-server.ts';

const patient = { timeout: 15_000, interval: 25 };

/** A scripted TUI in a pane of its own server; ends with the test. */
const start = () => {
  const server = new PrivateServer();
  onTestFinished(() => server.stop());
  const configDir = join(server.dir, 'config');
  const groundTruth = join(server.dir, 'truth.jsonl');
  const { argv, env } = scriptedTui({ configDir, groundTruth, pace: 0.2 });
  const cwd = join(server.dir, 'a project');
  mkdirSync(cwd);
  const words = ['env', ...Object.entries(env).map((pair) => pair.join('=')), ...argv];
  const command = words.map((word) => `'${word}'`).join(' ');
  const pane = server.session(`cd '${cwd}' && exec ${command}`, 'work');
  const sessions = join(configDir, 'sessions');
  const files = () => (existsSync(sessions) ? readdirSync(sessions) : []);
  const entry = () => {
    const name = files().find((file) => file.endsWith('.json'));
    if (name === undefined) return undefined;
    return JSON.parse(readFileSync(join(sessions, name), 'utf8')) as Record<string, unknown>;
  };
  const truth = () =>
    existsSync(groundTruth)
      ? readFileSync(groundTruth, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Record<string, unknown>)
      : [];
  const isIdle = () => expect.poll(entry, patient).toMatchObject({ status: 'idle' });
  return { server, configDir, pane, files, entry, truth, isIdle };
};

it('a scripted TUI is registered as the real program is, and works through a reply', async () => {
  const { server, pane, entry, truth, isIdle, configDir } = start();
  await isIdle();
  const pid = Number(server.tmux('display-message', '-p', '-t', pane.pane, '#{pane_pid}'));
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
  const file = join(configDir, 'projects', slug, `${String(entry()?.['sessionId'])}.jsonl`);
  expect(readFileSync(file, 'utf8')).toContain('"subtype":"turn_duration"');
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
