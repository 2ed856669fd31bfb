import { spawn } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { systemClock } from '../../../../src/bridge/system-clock.ts';
import { HookServer } from '../../../../src/provider/claude-code/hook-server.ts';
import { tempDir } from '../../../fakes/temp-dir.ts';

const main = join(import.meta.dirname, '..', '..', '..', '..', 'src', 'main.ts');
const servers: HookServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

const open = async (path: string): Promise<HookServer> => {
  const onProblem = (what: string, error: unknown): void => {
    throw new Error(what, { cause: error });
  };
  const server = new HookServer({ path, clock: systemClock, onProblem });
  servers.push(server);
  await server.listen();
  return server;
};

/** The real hook process; resolves with what it printed and its exit code. */
const runHook = (socket: string, event: string, command = 'ls'): Promise<string> => {
  const hook = spawn(process.execPath, ['--import', 'tsx', main, 'hook', '--socket', socket]);
  hook.stdin.end(
    JSON.stringify({
      hook_event_name: event,
      session_id: 's',
      tool_name: 'Bash',
      tool_input: { command },
    }),
  );
  let output = '';
  for (const stream of [hook.stdout, hook.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  return new Promise((resolve) => hook.once('close', (code) => resolve(`${output}|${code}`)));
};

it('L5: with no bridge the hook ends at once, silently', async () => {
  expect(await runHook(join(tempDir(), 'hook.sock'), 'PermissionRequest')).toBe('|0');
});

it('D02 Q3: a hook waits, is answered, and prints exactly that', async () => {
  const path = join(tempDir(), 'hook.sock');
  const server = await open(path);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const done = runHook(path, 'PermissionRequest');
  await expect.poll(() => server.requests.all.length, { timeout: 10_000 }).toBe(1);
  const [request] = server.requests.all;
  expect(request?.answer('{"decision":1}')).toBe(true);
  expect(await done).toBe('{"decision":1}|0');
});

it('L5: an event that asks nothing, and a hook that is ended, print nothing', async () => {
  const path = join(tempDir(), 'hook.sock');
  const server = await open(path);
  expect(await runHook(path, 'PreToolUse')).toBe('|0');
  const done = runHook(path, 'PermissionRequest');
  await expect.poll(() => server.requests.all.length, { timeout: 10_000 }).toBe(1);
  for (const request of server.requests.all) server.requests.dismiss(request);
  expect(await done).toBe('|0');
});

it('L1: a hook outlives a bridge and finds the next one, with the call that it was bound to', async () => {
  const dir = tempDir();
  mkdirSync(dir, { recursive: true });
  const path = join(dir, 'hook.sock');
  const first = await open(path);
  const done = runHook(path, 'PermissionRequest');
  await expect.poll(() => first.requests.all.length, { timeout: 10_000 }).toBe(1);
  first.requests.all[0]?.note('toolu_7');
  await first.close();
  const second = await open(path);
  await expect.poll(() => second.requests.all.length, { timeout: 10_000 }).toBe(1);
  expect(second.requests.all[0]?.call).toBe('toolu_7');
  second.requests.all[0]?.answer('late');
  expect(await done).toBe('late|0');
});
