import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadToken } from '../../../src/adapters/web/token.ts';
import { acquireLock } from '../../../src/bridge/instance-lock.ts';
import { createLog } from '../../../src/bridge/log.ts';
import { prepareStateDir } from '../../../src/bridge/state-dir.ts';
import { openDatabase } from '../../../src/bridge/store/database.ts';
import { shippedMigrations } from '../../../src/bridge/store/migrate.ts';
import { writePageNote } from '../../../src/cli/page-note.ts';
import { tempDir } from '../../fakes/temp-dir.ts';

const lock = {
  pid: process.pid,
  host: 'here',
  now: () => 1,
  procStart: () => '1',
  isAlive: () => true,
};

const openForOthers = (dir: string): readonly string[] =>
  readdirSync(dir).filter((name) => (statSync(join(dir, name)).mode & 0o077) !== 0);

test('A4 everything in the state directory is private to the user, whatever the umask', () => {
  const umask = process.umask(0);
  onTestFinished(() => {
    process.umask(umask);
  });
  const parent = tempDir();
  const state = prepareStateDir(join(parent, 'state'));
  const shared = join(state.path, 'afk-bridge.log');
  writeFileSync(shared, 'of an older version\n', { mode: 0o644 });
  createLog({ level: 'info', file: shared, secrets: [] }).info({}, 'x');
  createLog({ level: 'info', file: join(state.path, 'new.log'), secrets: [] }).info({}, 'x');
  acquireLock(state.path, lock);
  loadToken(state.path);
  writePageNote(state.path, { pid: 1, version: '1', link: 'http://127.0.0.1:1/#token=x' });
  // A database of an older version: it is copied before it is changed.
  const [first = ''] = readdirSync(shippedMigrations)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  const older = join(parent, 'older');
  mkdirSync(older);
  writeFileSync(join(older, first), readFileSync(join(shippedMigrations, first)));
  const file = join(state.path, 'bridge.db');
  openDatabase(file, 1, older).close();
  const db = openDatabase(file, 2);
  onTestFinished(() => {
    db.close();
  });
  const names = readdirSync(state.path);
  for (const wanted of [
    /^bridge\.db$/,
    /-wal$/,
    /-shm$/,
    /^lock\./,
    /^web-token$/,
    /^page\.json$/,
    /^host-id$/,
    /backup|before|\.bak/,
  ]) {
    expect([wanted.source, names.some((name) => wanted.test(name))]).toEqual([wanted.source, true]);
  }
  expect(openForOthers(state.path)).toEqual([]);
  expect(statSync(state.path).mode & 0o777).toBe(0o700);
});

test('A4 a database and a token that others could read are closed to them', () => {
  const state = prepareStateDir(join(tempDir(), 'state'));
  loadToken(state.path);
  openDatabase(join(state.path, 'bridge.db'), 1).close();
  chmodSync(join(state.path, 'web-token'), 0o644);
  chmodSync(join(state.path, 'bridge.db'), 0o666);
  loadToken(state.path);
  openDatabase(join(state.path, 'bridge.db'), 1).close();
  expect(openForOthers(state.path)).toEqual([]);
});

test('A4 no token is taken from the command line', () => {
  const options = readFileSync('docs/cli.md', 'utf8').match(/--[a-z][a-z-]*/g) ?? [];
  expect(options.length).toBeGreaterThan(5);
  expect(
    options.filter((name) => /token|secret|password|key/.test(name) && !name.endsWith('-file')),
  ).toEqual([]);
});
