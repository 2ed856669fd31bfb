import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { migrate, shippedMigrations } from './migrate.ts';

/** How long a write waits for another process's write (`status` beside a running bridge), ms. */
const busyTimeoutMs = 5_000;

/** An open database of the bridge; what others hold without knowing what it is made of. */
export type Db = Database.Database;

/**
 * Opens the database, made and migrated when needed. The file and its directory are private to the
 * user (A4); SQLite gives its -wal and -shm files the mode of the database.
 * `synchronous = FULL`: what was committed is there after a power cut too, because a commit here
 * is what lets others forget (a cursor moves, a chat event is acknowledged).
 * Throws BridgeError `migration` when the database is not one that this version may open.
 */
export const openDatabase = (
  path: string,
  now: number,
  migrations: string = shippedMigrations,
): Db => {
  const dir = dirname(path);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  chmodSync(dir, 0o700);
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
  const db = new Database(path);
  try {
    db.pragma(`busy_timeout = ${busyTimeoutMs}`);
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.pragma('foreign_keys = ON');
    migrate(db, migrations, now);
  } catch (error) {
    db.close();
    throw error;
  }
  return db;
};
