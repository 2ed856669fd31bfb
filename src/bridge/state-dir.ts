import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type BridgeError, plainError } from './model/errors.ts';
import { type HostId, id } from './model/ids.ts';

export interface StateDir {
  readonly path: string;
  /** Made at the first start, the same ever after: part of every run's id. */
  readonly host: HostId;
}

const refused = (message: string): BridgeError => plainError('state-dir', message);

const HOST_ID = /^[a-z0-9]{8,32}$/;

/** Written aside and linked into place: two first starts at once agree on one id. */
const makeHostId = (file: string): void => {
  const own = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(own, `${randomBytes(5).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
  try {
    linkSync(own, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(own);
  }
};

const readHostId = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

/** Makes the state directory, private to the user (A4), and this host's id. Throws a BridgeError with a remedy. */
export const prepareStateDir = (path: string): StateDir => {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const stat = statSync(path);
  if (!stat.isDirectory()) throw refused(`${path} is not a directory`);
  const uid = process.getuid?.();
  if (uid !== undefined && stat.uid !== uid) {
    throw refused(`${path} belongs to another user; set stateDir to a directory of your own`);
  }
  if ((stat.mode & 0o077) !== 0) chmodSync(path, 0o700);
  const file = join(path, 'host-id');
  if (readHostId(file) === undefined) makeHostId(file);
  const host = readHostId(file) ?? '';
  if (!HOST_ID.test(host))
    throw refused(`${file} does not hold a host id; remove it to get a new one`);
  return { path, host: id<HostId>(host) };
};
