import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plainError } from '../../bridge/model/errors.ts';

const FORM = /^[A-Za-z0-9_-]{43}$/;

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
};

/**
 * The page's token: 32 random bytes in `<stateDir>/web-token`, made at the first start, private to
 * the user (A4). Deleting the file makes a new one and ends every session.
 */
export const loadToken = (stateDir: string): string => {
  const path = join(stateDir, 'web-token');
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  const known = read(path);
  if (known === undefined) {
    const fresh = randomBytes(32).toString('base64url');
    writeFileSync(path, `${fresh}\n`, { mode: 0o600, flag: 'wx' });
    return fresh;
  }
  if (!FORM.test(known)) {
    const text = `${path} does not hold a token of this program. Delete the file; a new one is made at the next start.`;
    throw plainError('web-token', text);
  }
  chmodSync(path, 0o600);
  return known;
};
