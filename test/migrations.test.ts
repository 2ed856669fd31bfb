import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../src/bridge/store/database.ts';
import { migrate, shippedMigrations } from '../src/bridge/store/migrate.ts';
import { tempDir } from './fakes/temp-dir.ts';

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

const migrationsDir = (...files: readonly [name: string, sql: string][]) => {
  const dir = join(tempDir(), 'migrations');
  mkdirSync(dir);
  for (const [name, sql] of files) writeFileSync(join(dir, name), sql);
  return dir;
};
const open = (path: string, dir: string) => {
  const db = openDatabase(path, 1, dir);
  onTestFinished(() => void db.close());
  return db;
};
const tables = (db: Database.Database) =>
  db.prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'").all();

test('the shipped migrations apply to an empty database; every table is STRICT', () => {
  const db = open(join(tempDir(), 'state', 'bridge.db'), shippedMigrations);
  const lax = db
    .prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND strict = 0")
    .all() as { name: string }[];
  expect(lax.filter((t) => !t.name.startsWith('sqlite_'))).toEqual([]);
  expect(tables(db).length).toBeGreaterThan(3);
  expect(db.pragma('foreign_keys', { simple: true })).toBe(1);
  expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
});

test.each(readdirSync(shippedMigrations))('%s says what, why and the oldest binary', (name) => {
  expect(name).toMatch(/^\d{4}_[a-z0-9_-]+\.sql$/);
  const sql = readFileSync(join(shippedMigrations, name), 'utf8');
  expect(sql).toMatch(
    /^-- What: .*\n(--.*\n)*-- Why: .*\n(--.*\n)*-- Oldest binary that may open it: \d/,
  );
});

test('A4 database, WAL and directory are private to the user', () => {
  const dir = join(tempDir(), 'state');
  const path = join(dir, 'bridge.db');
  open(path, shippedMigrations);
  expect([mode(dir), mode(path), mode(`${path}-wal`)]).toEqual(['700', '600', '600']);
});

test('a second start applies nothing; a new file is applied after a backup', () => {
  const dir = migrationsDir(['0001_a.sql', 'CREATE TABLE a (x INTEGER) STRICT']);
  const path = join(tempDir(), 'bridge.db');
  open(path, dir).prepare('INSERT INTO a VALUES (7)').run();
  expect(migrate(open(path, dir), dir, 2)).toEqual([]);
  expect(existsSync(`${path}.before-0002`)).toBe(false);

  writeFileSync(join(dir, '0002_b.sql'), 'CREATE TABLE b (y INTEGER) STRICT; DELETE FROM a');
  const db = open(path, dir);
  expect(tables(db).map((t) => t.name)).toContain('b');
  expect(mode(`${path}.before-0002`)).toBe('600');
  const backup = new Database(`${path}.before-0002`, { readonly: true });
  onTestFinished(() => void backup.close());
  expect(backup.prepare('SELECT x FROM a').pluck().get()).toBe(7);
});

test('a migration that fails leaves nothing of itself behind', () => {
  const dir = migrationsDir(
    ['0001_a.sql', 'CREATE TABLE a (x INTEGER) STRICT'],
    ['0002_b.sql', 'CREATE TABLE b (y INTEGER) STRICT; INSERT INTO nowhere VALUES (1)'],
  );
  const path = join(tempDir(), 'bridge.db');
  expect(() => open(path, dir)).toThrow(/nowhere/);
  const db = new Database(path);
  onTestFinished(() => void db.close());
  expect(tables(db).map((t) => t.name)).toEqual(['migration', 'a']);
});

test('a file changed after it was applied refuses to start and says so', () => {
  const dir = migrationsDir(['0001_a.sql', 'CREATE TABLE a (x INTEGER) STRICT']);
  const path = join(tempDir(), 'bridge.db');
  open(path, dir);
  appendFileSync(join(dir, '0001_a.sql'), ';');
  expect(() => open(path, dir)).toThrow(/0001_a\.sql was changed after/);
});

test('a database of a newer version refuses to start, untouched', () => {
  const newer = migrationsDir(
    ['0001_a.sql', 'CREATE TABLE a (x INTEGER) STRICT'],
    ['0002_later.sql', 'CREATE TABLE later (x INTEGER) STRICT'],
  );
  const older = join(tempDir(), 'migrations');
  mkdirSync(older);
  cpSync(join(newer, '0001_a.sql'), join(older, '0001_a.sql'));
  const path = join(tempDir(), 'bridge.db');
  open(path, newer);
  expect(() => open(path, older)).toThrow(/newer afk-bridge.*0002_later\.sql/);
});

test('a file that sorts before an applied one refuses to start', () => {
  const dir = migrationsDir(['0002_b.sql', 'CREATE TABLE b (x INTEGER) STRICT']);
  const path = join(tempDir(), 'bridge.db');
  open(path, dir);
  writeFileSync(join(dir, '0001_a.sql'), 'CREATE TABLE a (x INTEGER) STRICT');
  expect(() => open(path, dir)).toThrow(/0001_a\.sql sorts before 0002_b\.sql/);
});
