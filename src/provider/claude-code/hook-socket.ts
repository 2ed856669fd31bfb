import { createHash } from 'node:crypto';
import { join } from 'node:path';

/** Longest path of a unix socket on the systems we run on, bytes (Linux 107, macOS 103). */
const mostBytes = 100;

/**
 * Where the hooks of a state directory meet its bridge. A long state directory gets a short one in
 * the temporary directory, private to the user like the other.
 */
export const hookSocketPath = (stateDir: string, tmpdir: string, uid: number): string => {
  const own = join(stateDir, 'hook.sock');
  if (Buffer.byteLength(own) <= mostBytes) return own;
  const name = createHash('sha256').update(stateDir).digest('hex').slice(0, 12);
  return join(tmpdir, `afk-bridge-${uid}`, `${name}.sock`);
};
