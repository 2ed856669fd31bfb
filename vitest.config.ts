import { defineConfig } from 'vitest/config';

/** Slow projects own real processes (tmux servers, Claude Code, Chromium): one file at a time. */
const slow = (name: string, include: string[], minutes: number) => ({
  test: {
    name,
    include,
    testTimeout: minutes * 60_000,
    hookTimeout: 5 * 60_000,
    fileParallelism: false,
    // Real programs on a busy machine. What passes only then is named at the end of `npm test`.
    retry: 2,
    globalSetup: [] as string[],
  },
});

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'fast',
          include: [
            'test/unit/**/*.test.ts',
            'test/conformance/**/*.test.ts',
            'test/*.test.ts',
            'compat/**/probes.test.ts',
          ],
          testTimeout: 20_000,
          retry: 1,
        },
      },
      {
        // Platforms that fail on purpose: what passes only when tried again has not passed.
        test: {
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          testTimeout: 60_000,
          fileParallelism: false,
        },
      },
      {
        // Much text and much of it at a time on both platforms, with their limits.
        test: {
          name: 'platforms',
          include: ['test/platforms/**/*.test.ts'],
          testTimeout: 20 * 60_000,
          fileParallelism: false,
        },
      },
      slow('tmux', ['test/tmux/**/*.test.ts'], 1),
      slow('e2e', ['test/e2e/**/*.test.ts'], 2),
      slow('crash', ['test/crash/**/*.test.ts'], 5),
      slow('live', ['test/live/**/*.test.ts', 'compat/**/live.test.ts'], 5),
      slow('browser', ['test/browser/**/*.test.ts'], 2),
    ],
  },
});
