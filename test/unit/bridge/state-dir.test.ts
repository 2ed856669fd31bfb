import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { prepareStateDir } from '../../../src/bridge/state-dir.ts';
import { tempDir } from '../../fakes/temp-dir.ts';

describe('prepareStateDir (A4)', () => {
  it('makes a private directory and one host id for ever', () => {
    const path = join(tempDir(), 'deep/state');
    const first = prepareStateDir(path);
    expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(statSync(join(path, 'host-id')).mode & 0o777).toBe(0o600);
    expect(first.host).toMatch(/^[a-z0-9]{10}$/);
    expect(prepareStateDir(path)).toEqual(first);
  });

  it('takes away what others may do', () => {
    const path = join(tempDir(), 'state');
    mkdirSync(path);
    chmodSync(path, 0o755);
    prepareStateDir(path);
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  it('refuses a host id that is none', () => {
    const path = join(tempDir(), 'state');
    mkdirSync(path);
    writeFileSync(join(path, 'host-id'), 'x y');
    expect(() => prepareStateDir(path)).toThrow(/remove it to get a new one/);
  });
});
