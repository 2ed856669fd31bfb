import { existsSync, readFileSync, rmSync } from 'node:fs';
import type { TestReport } from './house/reporter.ts';
import { BENCH_STEP, runStep, STATIC_STEPS, testStep } from './house/steps.ts';
import {
  failedLines,
  judged,
  lastLine,
  retriedLines,
  skippedLines,
  sum,
  totalsOf,
} from './house/summary.ts';

/**
 * `npm test`: everything, one after the other, to the end; with names of projects only these
 * (`npm test -- tmux e2e`). The very last line is the count.
 */
const PROJECTS: readonly (readonly [name: string, limitMinutes: number])[] = [
  ['fast', 5],
  ['faults', 15],
  ['platforms', 10],
  ['tmux', 10],
  ['e2e', 20],
  ['crash', 20],
  ['browser', 10],
  ['live', 30],
];

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !PROJECTS.some(([project]) => project === name));
if (unknown.length > 0) throw new Error(`no such project: ${unknown.join(', ')}`);
const isAll = asked.length === 0;

const reports: TestReport[] = [];
const totals = [];
const lines: string[] = [];

for (const step of isAll ? [...STATIC_STEPS, BENCH_STEP] : []) {
  console.log(`\n── ${step.name}`);
  const { code, seconds } = await runStep(step);
  totals.push({ passed: 0, failed: code === 0 ? 0 : 1, skipped: 0 });
  lines.push(`  ${code === 0 ? 'ok    ' : 'FAILED'} ${step.name} (${seconds} s)`);
}
for (const [project, limitMinutes] of PROJECTS) {
  if (!isAll && !asked.includes(project)) continue;
  const path = `.artefacts/tests/${project}.json`;
  rmSync(path, { force: true });
  console.log(`\n── tests: ${project}`);
  const { code, seconds } = await runStep(testStep(project, path, limitMinutes));
  const own: readonly TestReport[] = existsSync(path)
    ? (JSON.parse(readFileSync(path, 'utf8')) as readonly TestReport[])
    : [];
  const count = totalsOf(own, code);
  reports.push(...own);
  totals.push(count);
  lines.push(
    `  ${count.failed === 0 ? 'ok    ' : 'FAILED'} tests: ${project}: ${lastLine(count)} (${seconds} s)`,
  );
}

const counted = sum(totals);
const all = judged(counted);
console.log(`\n── summary\n${lines.join('\n')}`);
const skipped = skippedLines(reports);
if (skipped.length > 0) console.log(`\nskipped, with the reason:\n${skipped.join('\n')}`);
const retried = retriedLines(reports);
if (retried.length > 0) console.log(`\npassed only when tried again:\n${retried.join('\n')}`);
const failed = failedLines(reports);
if (failed.length > 0) console.log(`\nfailed:\n${failed.join('\n')}`);
if (all.failed > counted.failed) {
  console.log('\nno test was run: that shows nothing, so it counts as a failure');
}
if (all.failed > 0) process.exitCode = 1;
console.log(`\n${lastLine(all)}`);
