import { describe, expect, it } from 'vitest';
import { runStep, type Step } from '../house/steps.ts';
import { failedLines, judged, lastLine, skippedLines, sum, totalsOf } from '../house/summary.ts';

const report = (state: 'passed' | 'failed' | 'skipped', note?: string) => ({
  file: 'a.test.ts',
  name: state,
  state,
  ...(note === undefined ? {} : { note }),
});

describe('the count of npm test', () => {
  it('ends in the line that says it all', () => {
    expect(lastLine({ passed: 3, failed: 0, skipped: 0 })).toBe('3 passed, 0 failed');
    expect(lastLine({ passed: 3, failed: 1, skipped: 2 })).toBe('3 passed, 1 failed, 2 skipped');
  });

  it('counts a project that broke without a failed test as one failure', () => {
    expect(totalsOf([report('passed')], 0)).toEqual({ passed: 1, failed: 0, skipped: 0 });
    expect(totalsOf([report('passed')], 1)).toEqual({ passed: 1, failed: 1, skipped: 0 });
    expect(totalsOf([report('failed')], 1)).toEqual({ passed: 0, failed: 1, skipped: 0 });
    expect(totalsOf([], null).failed).toBe(1);
  });

  it('calls a run without any test a failure', () => {
    expect(judged(sum([])).failed).toBe(1);
    expect(judged(totalsOf([report('skipped')], 0)).failed).toBe(1);
    expect(judged(totalsOf([report('passed'), report('skipped')], 0)).failed).toBe(0);
    expect(judged(totalsOf([report('passed'), report('failed')], 1)).failed).toBe(1);
  });

  it('names the skipped with their reasons, and the failed', () => {
    const all = [report('skipped', 'no chromium here'), report('skipped'), report('failed')];
    expect(skippedLines(all)).toEqual([
      '  a.test.ts: skipped — no chromium here',
      '  a.test.ts: skipped — no reason given',
    ]);
    expect(failedLines(all)).toEqual(['  a.test.ts: failed']);
  });
});

describe('runStep', () => {
  const step = (script: string, limitMinutes = 1): Step => ({
    name: 'a step',
    argv: [process.execPath, '-e', script],
    limitMinutes,
  });

  it('gives the exit code, and one for a program that is not there', async () => {
    expect((await runStep(step('process.exit(7)'))).code).toBe(7);
    const nowhere: Step = { name: 'x', argv: ['/nowhere/at-all'], limitMinutes: 1 };
    expect((await runStep(nowhere)).code).toBe(127);
  });

  it('kills what does not end, with its children', async () => {
    const end = await runStep(step('setInterval(() => {}, 1000)', 0.2 / 60));
    expect(end.code).toBeNull();
  });
});
