import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { playDemo } from '../../src/demo/demo.ts';
import { clearStage, type Stage } from '../../src/demo/stage.ts';
import { tempDir } from '../fakes/temp-dir.ts';

const registry = (configDir: string): { pid: number; cwd: string; status: string }[] => {
  const dir = join(configDir, 'sessions');
  const files = existsSync(dir) ? readdirSync(dir).filter((name) => name.endsWith('.json')) : [];
  return files.map((name) => JSON.parse(readFileSync(join(dir, name), 'utf8')));
};
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const patient = { timeout: 15_000, interval: 50 };

/** Plays a demo with a bridge that does nothing, until `end` is called. */
const play = async (dir: string) => {
  const control = new AbortController();
  const lines: string[] = [];
  const stages: Stage[] = [];
  const stop = vi.fn(async () => undefined);
  const played = playDemo(
    {
      tempDir: dir,
      pace: 0.2,
      tmux: {},
      say: (line) => lines.push(line),
      startBridge: async (stage) => {
        stages.push(stage);
        return { link: 'http://127.0.0.1:4317/#t', stop };
      },
    },
    control.signal,
  );
  onTestFinished(async () => {
    control.abort();
    await played;
  });
  await expect.poll(() => lines.join('\n'), patient).toContain('Ctrl-C');
  const [stage] = stages;
  if (!stage) throw new Error('no stage');
  return { stage, lines, stop, end: () => control.abort(), played };
};

describe('the demo', () => {
  it('O1: shows three runs, one of them with a question, and leaves nothing behind', async () => {
    const dir = tempDir();
    const { stage, lines, stop, end, played } = await play(dir);
    await expect.poll(() => registry(stage.configDir).length, patient).toBe(3);
    await expect
      .poll(
        () => registry(stage.configDir).filter((run) => run.status === 'waiting').length,
        patient,
      )
      .toBe(2);
    expect(lines.join('\n')).toContain('http://127.0.0.1:4317/#t');
    const pids = registry(stage.configDir).map((run) => run.pid);
    end();
    await played;
    expect(stop).toHaveBeenCalledOnce();
    expect(pids.filter(isAlive)).toEqual([]);
    expect(readdirSync(dir)).toEqual([]);
  });

  it('O1: killed, its runs end by themselves and the next demo removes what is left', async () => {
    const dir = tempDir();
    const program = fileURLToPath(new URL('../fakes/demo-process.ts', import.meta.url));
    const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
    const child: ChildProcess = spawn(process.execPath, ['--import', tsx, program, dir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(async () => {
      child.kill('SIGKILL');
      for (const name of readdirSync(dir)) await clearStage(join(dir, name), {});
    });
    await new Promise((resolve) => child.stdout?.once('data', resolve));
    const [left = ''] = readdirSync(dir);
    const configDir = join(dir, left, 'claude');
    await expect.poll(() => registry(configDir).length, patient).toBe(3);
    const pids = registry(configDir).map((run) => run.pid);
    child.kill('SIGKILL');
    await expect.poll(() => pids.filter(isAlive), patient).toEqual([]);
    const next = await play(dir);
    expect(readdirSync(dir)).toHaveLength(1);
    expect(readdirSync(dir)).not.toContain(left);
    expect(next.lines[0]).toContain('killed');
  });

  it('says how to get tmux where there is none', async () => {
    const deps = {
      tempDir: tempDir(),
      tmux: { program: '/nonexistent/tmux' },
      say: () => undefined,
    };
    const startBridge = vi.fn();
    await expect(playDemo({ ...deps, startBridge }, new AbortController().signal)).rejects.toThrow(
      /apt install tmux/,
    );
    expect(startBridge).not.toHaveBeenCalled();
  });
});
