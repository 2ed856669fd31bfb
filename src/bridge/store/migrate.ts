import { createHash } from 'node:crypto';
import { closeSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Database } from 'better-sqlite3';
import { type BridgeError, plainError } from '../model/errors.ts';

/** The migrations that this program ships; the same path from `src` and from `dist`. */
export const shippedMigrations = fileURLToPath(new URL('../../../migrations/', import.meta.url));

interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly sha256: string;
}

const refusal = (text: string): BridgeError => plainError('migration', text);

const readMigrations = (dir: string): readonly Migration[] =>
  readdirSync(dir)
    .filter((name) => /^\d{4}_[a-z0-9_-]+\.sql$/.test(name))
    .sort()
    .map((name) => {
      const sql = readFileSync(join(dir, name), 'utf8');
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
    });

/** What stands before going on: applied files unchanged, none of them unknown, none skipped. */
const check = (
  files: readonly Migration[],
  applied: readonly { readonly name: string; readonly sha256: string }[],
): void => {
  for (const [index, row] of applied.entries()) {
    const file = files.find((f) => f.name === row.name);
    if (file === undefined)
      throw refusal(
        `The database was made by a newer afk-bridge: it has migration ${row.name}, which this one does not know. Install the newer version, or put back the backup beside the database.`,
      );
    if (file.sha256 !== row.sha256)
      throw refusal(
        `Migration ${row.name} was changed after it had been applied to this database. Reinstall the version that made it.`,
      );
    if (files[index]?.name !== row.name)
      throw refusal(
        `Migration ${files[index]?.name} sorts before ${row.name}, which is applied already. A new migration needs the next number.`,
      );
  }
};

const backUp = (db: Database, path: string): void => {
  rmSync(path, { force: true });
  closeSync(openSync(path, 'wx', 0o600));
  db.prepare('VACUUM INTO ?').run(path);
};

/**
 * Brings the database to the newest migration: each in its own transaction, a copy
 * `<database>.before-NNNN` first when there is something to lose. Throws BridgeError `migration`,
 * with a sentence for the operator, where a file was changed or is unknown; nothing is done then.
 * @returns names of what was applied now.
 */
export const migrate = (db: Database, dir: string, now: number): readonly string[] => {
  db.exec(
    'CREATE TABLE IF NOT EXISTS migration (name TEXT PRIMARY KEY, sha256 TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT',
  );
  const readApplied = db.prepare<[], { name: string; sha256: string }>(
    'SELECT name, sha256 FROM migration ORDER BY name',
  );
  const files = readMigrations(dir);
  const applied = readApplied.all();
  check(files, applied);
  const pending = files.slice(applied.length);
  const first = pending[0];
  if (first === undefined) return [];
  if (applied.length > 0 && !db.memory) backUp(db, `${db.name}.before-${first.name.slice(0, 4)}`);
  const record = db.prepare('INSERT INTO migration (name, sha256, applied_at) VALUES (?, ?, ?)');
  for (const file of pending) {
    db.transaction(() => {
      db.exec(file.sql);
      record.run(file.name, file.sha256, now);
    }).immediate();
  }
  return pending.map((file) => file.name);
};
