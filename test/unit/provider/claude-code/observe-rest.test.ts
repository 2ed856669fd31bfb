import { appendFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TranscriptFacts } from '../../../../src/provider/claude-code/fold.ts';
import { isResting, stampOf } from '../../../../src/provider/claude-code/observe-rest.ts';
import type { Present } from '../../../../src/provider/claude-code/observe-view.ts';
import { parseRegistryEntry } from '../../../../src/provider/claude-code/registry-schema.ts';
import { tempDir } from '../../../fakes/temp-dir.ts';

const entryOf = (status: string) =>
  parseRegistryEntry(
    JSON.stringify({ pid: 7, sessionId: 's', cwd: '/', startedAt: 1, procStart: '1', status }),
    7,
  ) ?? 'absent';
const present = (part: Partial<Present>): Present => ({
  entry: entryOf('idle'),
  isAlive: true,
  screen: undefined,
  paneTrouble: undefined,
  ...part,
});
const facts: TranscriptFacts = {
  isTurnEnded: true,
  lastWord: 'agent',
  background: 0,
  openCalls: [],
  lastAt: 1,
};

describe('V3: a run that rests is looked at from outside', () => {
  it('whatever is done to one of its files shows in the stamp, and nothing else does', () => {
    const dir = tempDir();
    const [entry, transcript, other] = ['entry', 'transcript', 'other'].map((n) => join(dir, n));
    if (entry === undefined || transcript === undefined || other === undefined) return;
    for (const path of [entry, transcript, other]) writeFileSync(path, 'text');
    const paths = [entry, transcript];
    const stamps = [stampOf(paths)];
    appendFileSync(other, 'more');
    expect(stampOf(paths)).toBe(stamps[0]);
    const changes = [
      () => appendFileSync(transcript, 'more'),
      () => writeFileSync(entry, 'longer text'),
      () => renameSync(other, transcript),
      () => rmSync(entry),
    ];
    for (const change of changes) {
      change();
      stamps.push(stampOf(paths));
    }
    expect(new Set(stamps).size).toBe(stamps.length);
  });

  it('rests only while nothing runs, nothing is asked and nothing is in the way', () => {
    expect(isResting(present({}), facts)).toBe(true);
    expect(isResting(present({ entry: entryOf('busy') }), facts)).toBe(false);
    expect(isResting(present({ entry: entryOf('waiting') }), facts)).toBe(false);
    expect(isResting(present({ entry: 'absent' }), facts)).toBe(false);
    expect(isResting(present({ isAlive: false }), facts)).toBe(false);
    expect(isResting(present({ screen: 'menu' }), facts)).toBe(false);
    expect(isResting(present({ paneTrouble: 'no pane' }), facts)).toBe(false);
    expect(isResting(present({}), { ...facts, background: 1 })).toBe(false);
  });
});
