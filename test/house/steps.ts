import { spawn } from 'node:child_process';

/** One command of the house. */
export interface Step {
  readonly name: string;
  readonly argv: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  readonly limitMinutes: number;
}

export interface StepEnd {
  /** Exit code; null: killed, by us when the limit was over. */
  readonly code: number | null;
  readonly seconds: number;
}

const bin = (name: string): string => `node_modules/.bin/${name}`;

/** What needs no test to run. Biome checks format and lint in one go. */
export const STATIC_STEPS: readonly Step[] = [
  { name: 'format and lint', argv: [bin('biome'), 'ci', '.'], limitMinutes: 2 },
  {
    name: 'promises (oxlint)',
    argv: [bin('oxlint'), '--type-aware', '--deny-warnings', 'src', 'test', 'compat'],
    limitMinutes: 2,
  },
  { name: 'types', argv: [bin('tsc'), '-p', 'tsconfig.json'], limitMinutes: 3 },
  { name: 'types of the page', argv: [bin('tsc'), '-p', 'tsconfig.page.json'], limitMinutes: 2 },
  { name: 'dead code', argv: [bin('knip')], limitMinutes: 2 },
];

/** Ratios of cost that are worse by an order of magnitude (docs/performance.md). */
export const BENCH_STEP: Step = {
  name: 'regressions of cost',
  argv: [bin('tsx'), 'test/bench/regressions.ts'],
  limitMinutes: 2,
};

/** The tests of one vitest project, with our report written to `report`. */
export const testStep = (project: string, report: string, limitMinutes: number): Step => ({
  name: `tests: ${project}`,
  argv: [
    bin('vitest'),
    'run',
    '--project',
    project,
    '--passWithNoTests',
    '--allowOnly=false',
    '--reporter=default',
    '--reporter=./test/house/reporter.ts',
  ],
  env: { AFK_BRIDGE_TEST_REPORT: report },
  limitMinutes,
});

/** Runs a step with its output on ours. Past its limit its process group is killed. */
export const runStep = (step: Step): Promise<StepEnd> =>
  new Promise((resolve) => {
    const began = Date.now();
    const end = (code: number | null): void => {
      clearTimeout(timer);
      resolve({ code, seconds: Math.round((Date.now() - began) / 100) / 10 });
    };
    const child = spawn(step.argv[0], step.argv.slice(1), {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...step.env },
      detached: true,
    });
    const timer = setTimeout(() => {
      console.log(`\n${step.name}: not done after ${step.limitMinutes} minutes, killed`);
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, step.limitMinutes * 60_000);
    child.once('error', (error) => {
      console.log(`${step.name}: ${error.message}`);
      end(127);
    });
    child.once('close', end);
  });
