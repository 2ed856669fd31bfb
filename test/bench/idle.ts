import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { Crowd } from './crowd.ts';
import { type Bench, median, rounded } from './figures.ts';
import { costOf } from './process-cost.ts';

const call = promisify(execFile);
const CHILD = join(import.meta.dirname, 'idle-child.ts');
/** A run without a change for 15 s rests. */
const SETTLE_MS = 22_000;

interface Child {
  readonly pid: number;
  end(): Promise<void>;
}

const begin = async (dir: string, ...args: readonly string[]): Promise<Child> => {
  const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', CHILD, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, HOME: dir, TMUX: '', TMUX_PANE: '' },
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (said: Buffer) => {
      if (/ready|^page:/m.test(said.toString())) resolve();
    });
    child.once('exit', (code) => reject(new Error(`the child ended with ${code}`)));
  });
  return {
    pid: child.pid ?? 0,
    async end() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
};

/** Share of one core in percent, and the median of resident MB. */
const watch = async (pid: number, ms: number): Promise<{ cpu: number; mb: number }> => {
  const began = performance.now();
  const before = costOf(pid);
  const mb: number[] = [];
  while (performance.now() - began < ms) {
    await pause(Math.min(1_000, ms));
    mb.push(costOf(pid).residentMb);
  }
  const used = costOf(pid).cpuMs - before.cpuMs;
  return { cpu: (100 * used) / (performance.now() - began), mb: median(mb) };
};

/** System calls a second by strace; undefined where there is none. */
const syscalls = async (pid: number, seconds: number): Promise<number | undefined> => {
  const limit = ['-s', 'INT', String(seconds)];
  const strace = ['strace', '-c', '-f', '-p', String(pid)];
  // strace ends with the signal that it was sent: its summary is what counts.
  const { stderr } = await call('timeout', [...limit, ...strace]).catch(
    (error: unknown) => error as { readonly stderr?: string },
  );
  const total = /^\s*100\.00\s+\S+(?:\s+\d+)?\s+(\d+)(?:\s+\d+)?\s+total$/m.exec(stderr ?? '')?.[1];
  return total === undefined ? undefined : Number(total) / seconds;
};

interface Case {
  readonly live: number;
  readonly left: number;
}

interface Watched {
  readonly cpu: number;
  readonly mb: number;
  readonly perSecond: number | undefined;
  readonly driftMb: number | undefined;
}

const watchCrowd = async (
  { live, left }: Case,
  ms: number,
  driftMs: number,
  hasStrace: boolean,
): Promise<Watched> => {
  const crowd = new Crowd();
  try {
    await crowd.fill(live, left);
    const file = join(crowd.dir, 'afk-bridge.yaml');
    const config = {
      stateDir: join(crowd.dir, 'state'),
      claudeCode: { configDir: crowd.configDir },
      tmux: { sockets: [crowd.socket] },
      web: { port: 0 },
    };
    writeFileSync(file, stringify(config));
    const child = await begin(crowd.dir, 'bridge', file);
    try {
      await pause(SETTLE_MS);
      const { cpu, mb } = await watch(child.pid, ms);
      const perSecond = hasStrace ? await syscalls(child.pid, 10) : undefined;
      if (driftMs === 0) return { cpu, mb, perSecond, driftMb: undefined };
      await watch(child.pid, driftMs);
      return { cpu, mb, perSecond, driftMb: (await watch(child.pid, 10_000)).mb - mb };
    } finally {
      await child.end();
    }
  } finally {
    await crowd.leave();
  }
};

const importsOnly = async (ms: number): Promise<number> => {
  const crowd = new Crowd();
  try {
    const child = await begin(crowd.dir, 'imports');
    const { mb } = await watch(child.pid, ms);
    await child.end();
    return mb;
  } finally {
    await crowd.leave();
  }
};

/** V3: what watching costs while nothing happens, above a process that has only the packages. */
export const idle: Bench = async ({ isShort, minutes }) => {
  const ms = isShort ? 15_000 : 60_000;
  const base = await importsOnly(Math.min(ms, 10_000));
  const cases: readonly Case[] = isShort
    ? [{ live: 100, left: 0 }]
    : [
        { live: 0, left: 0 },
        { live: 100, left: 0 },
        { live: 100, left: 900 },
      ];
  const rows: Record<string, string | number>[] = [];
  const ratios: Record<string, number> = {};
  for (const one of cases) {
    const hasDrift = !isShort && one.live > 0 && one.left === 0;
    const seen = await watchCrowd(one, ms, hasDrift ? minutes * 60_000 : 0, !isShort);
    rows.push({
      'watched runs': one.live + one.left,
      'of them live': one.live,
      'CPU, % of a core': rounded(seen.cpu),
      'memory MB': rounded(seen.mb),
      'above imports MB': rounded(seen.mb - base),
      'system calls a second': seen.perSecond === undefined ? 'not asked' : rounded(seen.perSecond),
      [`drift in ${minutes} min, MB`]: seen.driftMb === undefined ? '' : rounded(seen.driftMb),
    });
    const of = `${one.live + one.left} runs, ${one.live} live`;
    ratios[`CPU ÷ 1 % of a core, ${of}`] = rounded(seen.cpu);
    ratios[`memory above imports ÷ 60 MB, ${of}`] = rounded((seen.mb - base) / 60);
  }
  return {
    name: 'idle',
    what: `V3: runs that rest; a process that only imports the same packages has ${rounded(base)} MB`,
    rows,
    ratios,
  };
};
