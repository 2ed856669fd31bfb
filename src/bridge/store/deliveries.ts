import type { Database } from 'better-sqlite3';
import { BridgeError } from '../model/errors.ts';
import { type DeliveryId, id, type RunId } from '../model/ids.ts';
import type { DeliveryRecord, DeliveryStore, Pause } from '../ports/chat-store.ts';
import { type DeliveryRow, messageKey, payloadText, toRecord } from './delivery-row.ts';

interface PauseRow {
  readonly run: string;
  readonly before_seq: number;
  readonly is_confirmed: number;
}

const OPEN = "(status IN ('waiting', 'held') OR is_sending = 1)";

/** Deliveries and pauses. Every method is one statement or one transaction. */
export const createDeliveryStore = (db: Database): DeliveryStore => {
  const insert = db.prepare<(string | number | null)[]>(
    `INSERT INTO delivery (id, event_key, run, kind, actor, by_name, target, message_ref, text, payload,
       status, outcome, hold_until, created_at, updated_at) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`,
  );
  const byId = db.prepare<[string], DeliveryRow>('SELECT * FROM delivery WHERE id = ?');
  const byMessage = db.prepare<[string], DeliveryRow>(
    'SELECT * FROM delivery WHERE message_ref = ? ORDER BY seq DESC LIMIT 1',
  );
  const open = db.prepare<[], DeliveryRow>(`SELECT * FROM delivery WHERE ${OPEN} ORDER BY seq`);
  const openOf = db.prepare<[string], DeliveryRow>(
    `SELECT * FROM delivery WHERE run = ? AND ${OPEN} ORDER BY seq`,
  );
  const newest = db.prepare<[string, number], DeliveryRow>(
    'SELECT * FROM delivery WHERE run = ? ORDER BY seq DESC LIMIT ?',
  );
  const change = db.prepare<(string | number | null)[]>(
    `UPDATE delivery SET kind = ?, text = ?, payload = ?, status = ?, outcome = ?, hold_until = ?, again = ?,
       is_sending = ?, is_discarding = ?, wish = ?, revision = ?, updated_at = ? WHERE id = ?`,
  );
  const requeue = db.prepare<[string]>(
    'UPDATE delivery SET seq = (SELECT max(seq) + 1 FROM delivery) WHERE id = ?',
  );
  const pauseOf = db.prepare<[string], PauseRow>('SELECT * FROM run_pause WHERE run = ?');
  const setPause = db.prepare<[string, number, number, number]>(
    `INSERT INTO run_pause (run, before_seq, is_confirmed, since) VALUES (?, ?, ?, ?)
     ON CONFLICT (run) DO UPDATE SET before_seq = excluded.before_seq,
       is_confirmed = excluded.is_confirmed, since = excluded.since`,
  );
  const clearPause = db.prepare<[string]>('DELETE FROM run_pause WHERE run = ?');
  const eraseTexts = db.prepare<[number]>(
    `UPDATE delivery SET text = '', payload = json_remove(payload, '$.answer'), wish = NULL
     WHERE status IN ('confirmed', 'refused') AND is_sending = 0 AND updated_at < ?
       AND (text <> '' OR json_extract(payload, '$.answer') IS NOT NULL)`,
  );
  const dropRows = db.prepare<[number]>(
    `DELETE FROM delivery WHERE updated_at < ? AND NOT ${OPEN}`,
  );
  const dropKeys = db.prepare<[number]>('DELETE FROM inbox WHERE handled_at < ?');

  const find = (delivery: DeliveryId): DeliveryRecord | undefined => {
    const row = byId.get(delivery);
    return row === undefined ? undefined : toRecord(row);
  };
  const mustFind = (delivery: DeliveryId): DeliveryRecord => {
    const record = find(delivery);
    if (record === undefined) {
      throw new BridgeError('delivery-missing', `no delivery ${delivery}`, { certain: true });
    }
    return record;
  };

  return {
    atomically: (work) => (db.inTransaction ? work() : db.transaction(work).immediate()),
    create: (d) => {
      insert.run(
        d.id,
        d.eventKey,
        d.run,
        d.kind,
        d.actor,
        d.by,
        JSON.stringify(d.target),
        d.messageRef === undefined ? null : messageKey(d.messageRef),
        d.text,
        payloadText(d),
        d.outcome.status,
        JSON.stringify(d.outcome),
        d.holdUntil,
        d.createdAt,
        d.createdAt,
      );
      return mustFind(d.id);
    },
    find,
    findByMessage: (ref) => {
      const row = byMessage.get(messageKey(ref));
      return row === undefined ? undefined : toRecord(row);
    },
    open: () => open.all().map(toRecord),
    openOf: (run) => openOf.all(run).map(toRecord),
    forRun: (run, limit) => newest.all(run, limit).map(toRecord).reverse(),
    update: (delivery, patch, now) => {
      const before = mustFind(delivery);
      const { wish = before.wish ?? null, isRequeued = false, ...fields } = patch;
      const next = { ...before, ...fields };
      const outcome = JSON.stringify(next.outcome);
      const isChanged = outcome !== JSON.stringify(before.outcome);
      change.run(
        next.kind,
        next.text,
        payloadText(next),
        next.outcome.status,
        outcome,
        next.holdUntil,
        next.again ? 1 : 0,
        next.isSending ? 1 : 0,
        next.isDiscarding ? 1 : 0,
        wish === null ? null : JSON.stringify(wish),
        before.revision + (isChanged ? 1 : 0),
        isChanged ? now : before.updatedAt,
        delivery,
      );
      if (isRequeued) requeue.run(delivery);
      return mustFind(delivery);
    },
    pause: (run): Pause | undefined => {
      const row = pauseOf.get(run);
      return row === undefined
        ? undefined
        : { run: id(row.run), beforeSeq: row.before_seq, isConfirmed: row.is_confirmed === 1 };
    },
    setPause: (pause, now) => {
      setPause.run(pause.run, pause.beforeSeq, pause.isConfirmed ? 1 : 0, now);
    },
    clearPause: (run: RunId) => {
      clearPause.run(run);
    },
    sweep: (textsBefore, rowsBefore) => {
      eraseTexts.run(textsBefore);
      dropRows.run(rowsBefore);
      dropKeys.run(rowsBefore);
    },
  };
};
