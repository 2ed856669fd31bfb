import type { Database } from 'better-sqlite3';
import type { RunId } from '../model/ids.ts';
import { id } from '../model/ids.ts';
import type { AuditLine, AuditLog } from '../ports/audit.ts';

interface Row {
  readonly at: number;
  readonly who: string;
  readonly what: string;
  readonly run: string | null;
  readonly delivery: string | null;
  readonly outcome: string;
}

const toLine = (row: Row): AuditLine & { readonly at: number } => ({
  at: row.at,
  who: id(row.who),
  what: row.what,
  run: row.run === null ? undefined : id(row.run),
  ...(row.delivery !== null && { delivery: id(row.delivery) }),
  outcome: row.outcome,
});

/** Table `audit`. */
export const auditTable = (db: Database): AuditLog => {
  const add = db.prepare(
    'INSERT INTO audit (at, who, what, run, delivery, outcome) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const newest = db.prepare<[string | null, string | null, number], Row>(
    'SELECT * FROM audit WHERE ? IS NULL OR run = ? ORDER BY seq DESC LIMIT ?',
  );
  const sweep = db.prepare('DELETE FROM audit WHERE at < ?');
  return {
    add({ who, what, run, delivery, outcome }, at) {
      add.run(at, who, what, run ?? null, delivery ?? null, outcome);
    },
    newest: (run: RunId | undefined, limit) =>
      newest
        .all(run ?? null, run ?? null, limit)
        .reverse()
        .map(toLine),
    sweep(before) {
      sweep.run(before);
    },
  };
};
