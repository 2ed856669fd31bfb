import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { type Bridged, openBridged } from './bridged.ts';
import { findLiveProgram } from './program.ts';

const run = promisify(execFile);
const program = await findLiveProgram();
const ROOT = join(import.meta.dirname, '..', '..');

describe.skipIf(program.isMissing)(`afk-bridge run and status ${program.title}`, () => {
  let bridged: Bridged;

  beforeAll(async () => {
    bridged = await openBridged(program);
    // The branch is read from git's own files.
    mkdirSync(join(bridged.stage.home.cwd, '.git'));
    writeFileSync(join(bridged.stage.home.cwd, '.git', 'HEAD'), 'ref: refs/heads/feature/till\n');
  });
  afterAll(async () => {
    if (bridged === undefined) return;
    // The stage did not start this server; it has ended with its only pane unless the test failed.
    const kill = ['-S', bridged.stage.socket(), 'kill-server'];
    await run('tmux', kill, { timeout: 5_000 }).catch(() => undefined);
    await bridged.stop();
  });

  it('R1, O3: starts Claude Code in tmux; it appears with directory, branch and state', async () => {
    const { home, api } = bridged.stage;
    const config = join(bridged.bridge.stateDir, '..', 'run.yaml');
    writeFileSync(
      config,
      stringify({
        stateDir: bridged.bridge.stateDir,
        claudeCode: { configDir: home.configDir, command: program.command },
        tmux: { sockets: [bridged.stage.socket()] },
      }),
    );
    const { TMUX: _, TMUX_PANE: __, ...bare } = process.env;
    const cli = async (...args: string[]): Promise<string> => {
      const argv = [
        '--import',
        join(ROOT, 'node_modules/tsx/dist/loader.mjs'),
        join(ROOT, 'src/main.ts'),
        '--config',
        config,
        ...args,
      ];
      const env = { ...bare, ...home.env(api.url), TERM: 'xterm-256color' };
      return (await run(process.execPath, argv, { cwd: home.cwd, env, timeout: 30_000 })).stdout;
    };
    const started = await cli('run', '--', 'claude', '--permission-mode', 'manual');
    expect(started).toContain('attach');
    const shown = await bridged.page.anyRun(3_000);
    const idle = await bridged.page.state(shown.id, 'idle');
    expect(idle).toMatchObject({ cwd: home.cwd, branch: 'feature/till' });
    await bridged.page.outcome(
      shown.id,
      await bridged.page.reply(shown.id, 'by the run command'),
      'confirmed',
    );
    expect(api.received().flatMap((turn) => [...turn.texts])).toEqual(['by the run command']);

    const status = await cli('status', shown.id, '--screen');
    expect(status).toContain('by the run command');
    expect(await cli('ls')).toContain('feature/till');
    process.kill(shown.pid, 'SIGTERM');
    await bridged.page.state(shown.id, 'ended');
  });
});
