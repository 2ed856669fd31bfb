import { existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Config } from '../../src/bridge/config.ts';
import type { BridgeProcess } from '../../src/cli/cli-deps.ts';
import { tempDir } from '../fakes/temp-dir.ts';
import { cliFixture } from '../unit/cli/fixture.ts';

const patient = { timeout: 15_000, interval: 50 };

it('O1: `afk-bridge demo` starts a bridge for its own agents only, on a free port, and clears up', async () => {
  const dir = tempDir();
  vi.stubEnv('TMPDIR', dir);
  onTestFinished(() => void vi.unstubAllEnvs());
  const taken = createServer();
  await new Promise<void>((resolve) => {
    taken.once('error', () => resolve());
    taken.listen(4317, '127.0.0.1', resolve);
  });
  onTestFinished(() => void taken.close());
  const calls: string[] = [];
  const configs: Config[] = [];
  const bridge: BridgeProcess = {
    start: async () => {
      calls.push('start');
      return { url: 'http://127.0.0.1:4999', token: 'dummy-token' };
    },
    stop: async () => void calls.push('stop'),
    reader: {
      list: async () => [],
      run: async () => null,
      window: () => Promise.reject(new Error('not asked for')),
      changes: () => Promise.reject(new Error('not asked for')),
    },
  };
  const cli = cliFixture({ bridge, onConfig: (config) => configs.push(config) });
  const done = cli.run('demo');
  await expect.poll(() => cli.out.join('\n'), patient).toContain('#token=dummy-token');
  const [root = ''] = readdirSync(dir);
  const [config] = configs;
  expect(config?.web.port).toBe(0);
  expect(config?.claudeCode.configDir).toBe(`${dir}/${root}/claude`);
  expect(config?.tmux.sockets).toEqual([{ path: `${dir}/${root}/tmux.sock` }]);
  cli.signal();
  expect(await done).toBe(0);
  expect(calls).toEqual(['start', 'stop']);
  expect(existsSync(`${dir}/${root}`)).toBe(false);
});
