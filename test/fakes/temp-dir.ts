import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A private directory that goes when the test ends, also when it fails. */
export const tempDir = (): string => {
  const dir = mkdtempSync(join(tmpdir(), 'afk-test-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
};
