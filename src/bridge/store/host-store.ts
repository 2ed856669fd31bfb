import type { Database } from 'better-sqlite3';
import type { RunSummary } from '../model/run-state.ts';
import type { HostStore } from '../ports/store.ts';
import { attemptTable } from './host-attempts.ts';

/** Tables `cursor`, `run` and `attempt`: all that the host side remembers. */
export const hostStore = (db: Database): HostStore => {
  const cursor = db.prepare<[string, string], { cursor: string }>(
    'SELECT cursor FROM cursor WHERE session = ? ORDER BY run = ? DESC, saved DESC LIMIT 1',
  );
  const transcriptOf = db.prepare<[string], { transcript: string | null }>(
    'SELECT transcript FROM cursor WHERE session = ? ORDER BY saved DESC LIMIT 1',
  );
  const lastCursor = db.prepare<[string], { cursor: string }>(
    'SELECT cursor FROM cursor WHERE run = ? ORDER BY saved DESC LIMIT 1',
  );
  const saveCursor = db.prepare(
    `INSERT INTO cursor (session, run, cursor, transcript, saved)
     VALUES (?, ?, ?, ?, (SELECT coalesce(max(saved), 0) + 1 FROM cursor))
     ON CONFLICT (session, run) DO UPDATE
     SET cursor = excluded.cursor, transcript = excluded.transcript, saved = excluded.saved`,
  );
  const forgetCursors = db.prepare('DELETE FROM cursor WHERE run = ?');
  const runs = db.prepare<[], { summary: string }>(
    'SELECT summary FROM run ORDER BY last_activity_at DESC, id',
  );
  const run = db.prepare<[string], { summary: string }>('SELECT summary FROM run WHERE id = ?');
  const saveRun = db.prepare(
    `INSERT INTO run (id, last_activity_at, summary) VALUES (?, ?, ?)
     ON CONFLICT (id) DO UPDATE
     SET last_activity_at = excluded.last_activity_at, summary = excluded.summary`,
  );
  const sweeps = [
    "DELETE FROM attempt WHERE stage = 'settled' AND at < ?",
    "DELETE FROM run WHERE last_activity_at < ? AND json_extract(summary, '$.state.name') = 'ended'",
    'DELETE FROM cursor WHERE run NOT IN (SELECT id FROM run) AND ? > 0',
  ].map((sql) => db.prepare(sql));
  const sweep = db.transaction((before: number) => {
    for (const statement of sweeps) statement.run(before);
  });
  // Only saveRun writes this column, so its text is a RunSummary.
  const toSummary = (row: { summary: string }): RunSummary => JSON.parse(row.summary);
  return {
    attempts: attemptTable(db),
    cursor: (session, byRun) => cursor.get(session, byRun)?.cursor,
    lastCursor: (byRun) => lastCursor.get(byRun)?.cursor,
    saveCursor(session, byRun, at, path) {
      saveCursor.run(session, byRun, at, path ?? null);
    },
    forgetCursors(byRun) {
      forgetCursors.run(byRun);
    },
    transcriptOf: (session) => transcriptOf.get(session)?.transcript ?? undefined,
    runs: () => runs.all().map(toSummary),
    run(runId) {
      const row = run.get(runId);
      return row && toSummary(row);
    },
    sweep(before) {
      sweep(before);
    },
    saveRun(summary) {
      saveRun.run(summary.id, Math.trunc(summary.lastActivityAt), JSON.stringify(summary));
    },
  };
};
