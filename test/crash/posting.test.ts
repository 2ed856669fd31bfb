import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { MemoryPlatform } from '../fakes/memory-platform.ts';
import { serveMemoryPlatform } from '../fakes/memory-server.ts';
import { tempDir } from '../fakes/temp-dir.ts';
import { expectedMarks, planMark } from './posting-story.ts';

const script = fileURLToPath(new URL('./posting-child.ts', import.meta.url));
const root = fileURLToPath(new URL('../../', import.meta.url));

interface Ended {
  readonly signal: NodeJS.Signals | null;
  readonly code: number | null;
  readonly output: string;
}

/** Runs the bridge's outward path once; `killAfterMs` counts from its first sign of life. */
const runChild = (
  args: readonly string[],
  how: { readonly failPoint?: string; readonly killAfterMs?: number },
): Promise<Ended> =>
  new Promise((resolve) => {
    const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', script, ...args], {
      cwd: root,
      env: { ...process.env, AFK_FAIL_POINT: how.failPoint ?? '' },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let output = '';
    child.stderr?.on('data', (chunk) => (output += chunk));
    child.stdout?.on('data', (chunk) => {
      const isFirst = !output.includes('ready');
      output += chunk;
      if (how.killAfterMs !== undefined && isFirst && output.includes('ready'))
        setTimeout(() => child.kill('SIGKILL'), how.killAfterMs);
    });
    child.on('exit', (code, signal) => resolve({ code, signal, output }));
  });

/** What a person reads of each run in the end: marks in order, each message as it is now. */
const marksOf = (platform: MemoryPlatform, name: string): readonly string[] => {
  const threads = new Set(platform.messages.map((m) => m.thread));
  const texts = [...threads].flatMap((thread) =>
    platform.thread(thread).map((m) => {
      const { text } = JSON.parse(m.history.at(-1) ?? '{}') as { text: string };
      // A file stands under a summary that repeats its last words.
      return m.file === undefined || !m.file.name.startsWith('missed') ? text : m.file.content;
    }),
  );
  return texts.flatMap((text) => text.match(new RegExp(`<${name}\\.\\d+>`, 'g')) ?? []);
};

const check = (platform: MemoryPlatform, bursts: Readonly<Record<string, number>>): void => {
  for (const [name, burst] of Object.entries(bursts)) {
    const seen = marksOf(platform, name);
    const plan = planMark(name);
    const inOrder = (marks: readonly string[]) => marks.filter((m) => m !== plan);
    expect(inOrder(seen)).toEqual(inOrder(expectedMarks(name, burst)));
    expect(seen.filter((m) => m === plan)).toEqual([plan]);
  }
  const heads = platform.messages.filter(
    (m) => m.key !== undefined && m.history[0]?.includes('"head"'),
  );
  expect(heads).toHaveLength(2);
  const dialogs = platform.messages.filter((m) => m.history[0]?.includes('Plan to approve'));
  expect(dialogs).toHaveLength(2);
  for (const { history } of dialogs) expect(history.at(-1)).toContain('✅ Answered');
};

const stage = async (burst: number) => {
  const { platform, url, close } = await serveMemoryPlatform();
  onTestFinished(close);
  platform.latencyMs = 4;
  const args = [join(tempDir(), 'bridge.db'), url, String(burst)];
  return { platform, args };
};

const finish = async (args: readonly string[]): Promise<void> => {
  const end = await runChild(args, {});
  expect(end.output).toContain('done');
  expect(end.code).toBe(0);
};

test('L1 P4 uninterrupted: what the others are compared with', async () => {
  const { platform, args } = await stage(4);
  await finish(args);
  check(platform, { ra: 4, rb: 2 });
});

test.each([
  'publish:received',
  'publish:planned',
  'publish:committed',
  'host:published',
  'dispatch:chosen',
  'dispatch:begun',
  'dispatch:sent',
  'dispatch:completed',
])('L1 P4 killed at %s, again and again: every item is posted once, in order', async (point) => {
  const { platform, args } = await stage(4);
  for (const hit of [1, 3, 2, 5]) {
    const end = await runChild(args, { failPoint: `${point}#${hit}` });
    expect(end).toMatchObject({ signal: 'SIGKILL' });
  }
  await finish(args);
  check(platform, { ra: 4, rb: 2 });
});

test.each(['catch-up:read', 'catch-up:committed'])(
  'L1 P4 killed at %s, while a backlog is caught up',
  async (point) => {
    const { platform, args } = await stage(60);
    const end = await runChild(args, { failPoint: `${point}#1` });
    expect(end).toMatchObject({ signal: 'SIGKILL' });
    await finish(args);
    check(platform, { ra: 60, rb: 2 });
  },
);

test('L1 P4 killed at any instant, with answers that get lost', async () => {
  const { platform, args } = await stage(40);
  const seed = Number(process.env.AFK_SEED ?? Date.now() % 100_000);
  let random = seed;
  const next = (below: number): number => {
    random = (random * 1_103_515_245 + 12_345) % 2_147_483_648;
    return random % below;
  };
  for (let n = 0; n < 12; n++) {
    const kind = (['lost', 'broken', 'broken-after'] as const)[next(3)] ?? 'lost';
    platform.fail({ method: (['post', 'find', 'edit'] as const)[next(3)] ?? 'post', kind });
    await runChild(args, { killAfterMs: next(250) });
  }
  await finish(args);
  expect(() => check(platform, { ra: 40, rb: 2 }), `AFK_SEED=${seed}`).not.toThrow();
});
