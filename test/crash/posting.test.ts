import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { tempDir } from '../fakes/temp-dir.ts';
import { memoryPlatform, type PostingPlatform, realPlatforms } from './posting-platforms.ts';
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
const marksOf = (platform: PostingPlatform, name: string): readonly string[] =>
  platform
    .seen()
    // A file stands under a summary that repeats its last words.
    .map(({ now, file }) => (file?.name.startsWith('missed') === true ? file.content : now))
    .flatMap((text) => text.match(new RegExp(`<${name}\\.\\d+>`, 'g')) ?? []);

const check = (platform: PostingPlatform, bursts: Readonly<Record<string, number>>): void => {
  for (const [name, burst] of Object.entries(bursts)) {
    const seen = marksOf(platform, name);
    const plan = planMark(name);
    const inOrder = (marks: readonly string[]) => marks.filter((m) => m !== plan);
    expect(inOrder(seen)).toEqual(inOrder(expectedMarks(name, burst)));
    expect(seen.filter((m) => m === plan)).toEqual([plan]);
  }
  expect(platform.seen().filter(({ isHead }) => isHead)).toHaveLength(2);
  const dialogs = platform.seen().filter(({ first }) => first.includes('Plan to approve'));
  expect(dialogs).toHaveLength(2);
  for (const { now } of dialogs) expect(now).toContain('✅ Answered');
};

const stageOn = async <P extends PostingPlatform>(make: () => Promise<P>, burst: number) => {
  const platform = await make();
  onTestFinished(() => platform.close());
  const args = [join(tempDir(), 'bridge.db'), platform.name, platform.url, String(burst)];
  return { platform, args };
};

const stage = (burst: number) => stageOn(memoryPlatform, burst);

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
    platform.platform.fail({
      method: (['post', 'find', 'edit'] as const)[next(3)] ?? 'post',
      kind,
    });
    await runChild(args, { killAfterMs: next(250) });
  }
  await finish(args);
  expect(() => check(platform, { ra: 40, rb: 2 }), `AFK_SEED=${seed}`).not.toThrow();
});

describe.each(realPlatforms)('L1 P4 %s', (_, make) => {
  test.each(['dispatch:begun', 'dispatch:sent'])(
    'killed at %s, while it opens threads, posts and edits: every item once, in order',
    async (point) => {
      const { platform, args } = await stageOn(make, 2);
      for (const hit of [1, 3, 6]) {
        const end = await runChild(args, { failPoint: `${point}#${hit}` });
        expect(end).toMatchObject({ signal: 'SIGKILL' });
      }
      await finish(args);
      check(platform, { ra: 2, rb: 2 });
    },
  );
});
