import type { Database } from 'better-sqlite3';
import { id } from '../model/ids.ts';
import type { OutboxOp, OutboxPriority, OutboxRow } from '../model/thread.ts';
import type { OutboxTable } from '../ports/thread-store.ts';
import { messageKey } from './ledger-table.ts';

interface Row {
  readonly id: number;
  readonly idempotency_key: string | null;
  readonly thread: string;
  readonly item: string;
  readonly part: number;
  readonly op: OutboxOp;
  readonly priority: OutboxPriority;
  readonly attempts: number;
  readonly is_uncertain: number;
  readonly not_before: number;
  readonly created_at: number;
  readonly error: string | null;
}

const columns =
  'id, idempotency_key, thread, item, part, op, priority, attempts, is_uncertain, not_before, created_at, error';

const toRow = (row: Row): OutboxRow => ({
  id: row.id,
  ...(row.idempotency_key !== null && { key: row.idempotency_key }),
  thread: id(row.thread),
  item: row.item,
  part: row.part,
  op: row.op,
  priority: row.priority,
  attempts: row.attempts,
  isUncertain: row.is_uncertain === 1,
  notBefore: row.not_before,
  createdAt: row.created_at,
});

/** Table `outbox`: what is still to go out. */
export const outboxTable = (db: Database): OutboxTable => {
  const insert = db.prepare(
    `INSERT INTO outbox (idempotency_key, thread, item, part, op, priority, data, not_before, created_at)
     VALUES (@key, @thread, @item, @part, @op, @priority, @data, @notBefore, @now)
     ON CONFLICT (idempotency_key) DO NOTHING`,
  );
  // A row on its way, or a post that may be there, keeps its bytes: they are what it is looked for by.
  const replace = db.prepare(
    `UPDATE outbox SET data = @data, priority = min(priority, @priority),
       not_before = CASE WHEN op = @op AND attempts = 0 THEN min(not_before, @notBefore)
         ELSE not_before END
     WHERE thread = @thread AND item = @item AND part = @part AND state = 'waiting'
       AND is_uncertain = 0
       AND (op = @op OR (@op = 'edit' AND op IN ('open', 'post')))`,
  );
  const waiting = db.prepare<[], Row>(
    `SELECT ${columns} FROM outbox WHERE state = 'waiting' ORDER BY id`,
  );
  const isWaiting = db
    .prepare<[number], number>(`SELECT 1 FROM outbox WHERE id = ? AND state = 'waiting'`)
    .pluck();
  const posts = db
    .prepare<[string], number>(
      `SELECT count(*) FROM outbox WHERE thread = ? AND state = 'waiting' AND op IN ('open', 'post')`,
    )
    .pluck();
  const data = db.prepare<[number], string>('SELECT data FROM outbox WHERE id = ?').pluck();
  const begin = db.prepare('UPDATE outbox SET is_uncertain = 1 WHERE id = ?');
  const leave = db.prepare('DELETE FROM outbox WHERE id = ?');
  const posted = db.prepare(
    'UPDATE ledger SET message = ? WHERE thread = ? AND item = ? AND part = ?',
  );
  const defer = db.prepare(
    `UPDATE outbox SET attempts = attempts + 1, not_before = ?, is_uncertain = ?, error = ?
     WHERE id = ?`,
  );
  const fail = db.prepare(
    `UPDATE outbox SET state = 'failed', data = NULL, idempotency_key = NULL, error = ? WHERE id = ?`,
  );
  const failed = db.prepare(
    `UPDATE ledger SET state = 'failed', kept = NULL WHERE thread = ? AND item = ? AND message IS NULL`,
  );
  const failures = db.prepare<[number], Row>(
    `SELECT ${columns} FROM outbox WHERE state = 'failed' ORDER BY id DESC LIMIT ?`,
  );
  const complete = db.transaction((row: OutboxRow, message: string | undefined) => {
    leave.run(row.id);
    if (message !== undefined) posted.run(message, row.thread, row.item, row.part);
  });
  const end = db.transaction((row: OutboxRow, error: string) => {
    fail.run(error, row.id);
    if (row.op === 'open' || row.op === 'post') failed.run(row.thread, row.item);
  });
  return {
    add(row, now) {
      const { thread, item, part, op, priority, data: bytes, notBefore } = row;
      const isRepeatable = op === 'edit' || op === 'receipt';
      const values = { thread, item, part, op, priority, data: bytes, notBefore };
      if (isRepeatable && replace.run(values).changes > 0) return;
      insert.run({ ...values, key: row.key ?? null, now });
    },
    waiting: () => waiting.all().map(toRow),
    isWaiting: (row) => isWaiting.get(row) !== undefined,
    postsWaiting: (thread) => posts.get(thread) ?? 0,
    data: (row) => data.get(row) ?? '',
    begin(row) {
      begin.run(row);
    },
    complete: (row, message) => complete(row, message && messageKey(message)),
    defer(row, notBefore, isUncertain, error) {
      defer.run(notBefore, isUncertain ? 1 : 0, error, row);
    },
    fail: (row, error) => end(row, error),
    failures: (limit) =>
      failures.all(limit).map((row) => ({ ...toRow(row), error: row.error ?? '' })),
  };
};
