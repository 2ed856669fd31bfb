import type { TestReport } from './reporter.ts';

export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Counts the tests of a project. A project that ended badly without a failed test failed all the same. */
export const totalsOf = (reports: readonly TestReport[], code: number | null): Totals => {
  const count = (state: TestReport['state']): number =>
    reports.filter((report) => report.state === state).length;
  const failed = count('failed');
  return {
    passed: count('passed'),
    failed: failed === 0 && code !== 0 ? 1 : failed,
    skipped: count('skipped'),
  };
};

export const sum = (all: readonly Totals[]): Totals =>
  all.reduce(
    (a, b) => ({
      passed: a.passed + b.passed,
      failed: a.failed + b.failed,
      skipped: a.skipped + b.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );

/** A run in which no test ran is a failure: nothing was shown. */
export const judged = (totals: Totals): Totals =>
  totals.passed === 0 && totals.failed === 0 ? { ...totals, failed: 1 } : totals;

/** The last line of `npm test`. */
export const lastLine = ({ passed, failed, skipped }: Totals): string =>
  `${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`;

/** Names with their reasons, by file. */
export const skippedLines = (reports: readonly TestReport[]): readonly string[] =>
  reports
    .filter((report) => report.state === 'skipped')
    .map(({ file, name, note }) => `  ${file}: ${name} — ${note ?? 'no reason given'}`);

/** What passed only when it was tried again: a race of the test or of the product, to be looked at. */
export const retriedLines = (reports: readonly TestReport[]): readonly string[] =>
  reports
    .filter((report) => report.state === 'passed' && report.failures !== undefined)
    .map(({ file, name, failures }) => `  ${file}: ${name} — failed ${failures} times first`);

export const failedLines = (reports: readonly TestReport[]): readonly string[] =>
  reports
    .filter((report) => report.state === 'failed')
    .map(({ file, name }) => `  ${file}: ${name}`);
