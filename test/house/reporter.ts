import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/** What became of one test; written as JSON for test/run.ts. */
export interface TestReport {
  readonly file: string;
  readonly name: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  /** Why it was skipped (the argument of `skip()`). */
  readonly note?: string;
  /** It failed so many times before it passed. */
  readonly failures?: number;
}

/** A module that could not be loaded has no tests: it counts as one that failed. */
const reportsOf = (module: TestModule): readonly TestReport[] => {
  const file = module.relativeModuleId;
  const tests = [...module.children.allTests()].map((test): TestReport => {
    const result = test.result();
    const state = result.state === 'pending' ? 'failed' : result.state;
    const note = 'note' in result ? result.note : undefined;
    const failures = test.diagnostic()?.retryCount ?? 0;
    return {
      file,
      name: test.fullName,
      state,
      ...(note === undefined ? {} : { note }),
      ...(failures === 0 ? {} : { failures }),
    };
  });
  const hasFailedTest = tests.some((test) => test.state === 'failed');
  return module.state() === 'failed' && !hasFailedTest
    ? [...tests, { file, name: '(the file itself or one of its hooks)', state: 'failed' }]
    : tests;
};

/** Writes every test's end to the file that $AFK_BRIDGE_TEST_REPORT names. */
// biome-ignore lint/style/noDefaultExport: vitest loads a reporter by its default export
export default class JsonReport implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const path = process.env['AFK_BRIDGE_TEST_REPORT'];
    if (path === undefined) return;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(modules.flatMap(reportsOf)));
  }
}
