import type { Database } from 'better-sqlite3';
import { id } from '../model/ids.ts';
import type { Binding } from '../model/thread.ts';
import type { ThreadTable } from '../ports/thread-store.ts';

interface BindingRow {
  readonly channel: string;
  readonly run: string;
  readonly session: string;
  readonly thread: string;
  readonly not_before: number;
  readonly is_live: number;
}

const toBinding = (row: BindingRow): Binding => ({
  channel: id(row.channel),
  run: id(row.run),
  ...(row.session !== '' && { session: id(row.session) }),
  thread: id(row.thread),
  notBefore: row.not_before,
  isLive: row.is_live === 1,
});

/** Table `binding`: which thread shows a session, and through which run. */
export const bindingTable = (db: Database): Pick<ThreadTable, 'bind' | 'bindings' | 'setLive'> => {
  const bind = db.prepare(
    `INSERT INTO binding (channel, run, session, thread, not_before, is_live)
     VALUES (@channel, @run, @session, @thread, @notBefore, @isLive)
     ON CONFLICT (channel, run, session) DO UPDATE
     SET thread = excluded.thread, not_before = excluded.not_before, is_live = excluded.is_live`,
  );
  const bindings = db.prepare<[string, string, string, string, string], BindingRow>(
    `SELECT * FROM binding WHERE channel = ? AND (run = ? OR (session = ? AND session <> '')
       OR thread IN (SELECT thread FROM binding
         WHERE channel = ? AND session = ? AND session <> ''))
     ORDER BY id`,
  );
  const setLive = db.prepare('UPDATE binding SET is_live = ? WHERE run = ?');
  return {
    bind(binding) {
      const { channel, run, thread, notBefore } = binding;
      const isLive = binding.isLive ? 1 : 0;
      bind.run({ channel, run, session: binding.session ?? '', thread, notBefore, isLive });
    },
    bindings: (channel, run, session) =>
      bindings.all(channel, run, session ?? '', channel, session ?? '').map(toBinding),
    setLive(run, isLive) {
      setLive.run(isLive ? 1 : 0, run);
    },
  };
};
