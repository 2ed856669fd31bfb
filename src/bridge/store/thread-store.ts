import type { Database } from 'better-sqlite3';
import { id } from '../model/ids.ts';
import type { Behind } from '../model/thread.ts';
import type { BehindTable, ThreadStore } from '../ports/thread-store.ts';
import { heardTable } from './heard-table.ts';
import { ledgerTable } from './ledger-table.ts';
import { outboxTable } from './outbox-table.ts';
import { threadTable } from './thread-table.ts';

/** How long an envelope id is remembered; a host repeats one within seconds, ms. */
const envelopeAgeMs = 24 * 3_600_000;

interface BehindRow {
  readonly thread: string;
  readonly run: string;
  readonly session: string;
  readonly behind_from: number;
  readonly version: number;
}

const toBehind = (row: BehindRow): Behind => ({
  thread: id(row.thread),
  run: id(row.run),
  session: id(row.session),
  from: row.behind_from,
  version: row.version,
});

const behindTable = (db: Database): BehindTable => {
  const of = db.prepare<[string], BehindRow>('SELECT * FROM behind WHERE thread = ? ORDER BY id');
  const all = db.prepare<[], BehindRow>('SELECT * FROM behind ORDER BY id');
  const passOver = db.prepare(
    `INSERT INTO behind (thread, run, session, behind_from) VALUES (@thread, @run, @session, @from)
     ON CONFLICT (thread, session) DO UPDATE SET version = version + 1, run = excluded.run,
       behind_from = min(behind_from, excluded.behind_from)`,
  );
  const clear = db.prepare('DELETE FROM behind WHERE thread = ? AND session = ? AND version = ?');
  return {
    of: (thread) => of.all(thread).map(toBehind),
    all: () => all.all().map(toBehind),
    passOver({ thread, run, session, from }) {
      passOver.run({ thread, run, session, from });
    },
    clear: (behind) => clear.run(behind.thread, behind.session, behind.version).changes > 0,
  };
};

/** The chat side's outward tables over one database. */
export const threadStore = (db: Database): ThreadStore => {
  const envelope = db.prepare('INSERT OR IGNORE INTO envelope (id, at) VALUES (?, ?)');
  const forget = db.prepare('DELETE FROM envelope WHERE at < ?');
  const dropThreads = db.prepare(
    `DELETE FROM thread WHERE head_edited_at < ?
       AND NOT EXISTS (SELECT 1 FROM binding WHERE thread = thread.id AND is_live = 1)`,
  );
  const dropFailures = db.prepare(`DELETE FROM outbox WHERE state = 'failed' AND created_at < ?`);
  return {
    // Immediate: two connections that both read first and then write would else fail, not wait.
    transaction: (work) => db.transaction(work).immediate(),
    threads: threadTable(db),
    ledger: ledgerTable(db),
    outbox: outboxTable(db),
    behind: behindTable(db),
    heard: heardTable(db),
    isNewEnvelope(name, at) {
      forget.run(at - envelopeAgeMs);
      return envelope.run(name, at).changes > 0;
    },
    sweep(before) {
      dropThreads.run(before);
      dropFailures.run(before);
    },
  };
};
