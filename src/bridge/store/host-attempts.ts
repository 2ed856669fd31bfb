import type { Database } from 'better-sqlite3';
import type { Attempt, AttemptStage } from '../model/delivery.ts';
import { BridgeError } from '../model/errors.ts';
import { id } from '../model/ids.ts';
import type { AttemptLog } from '../ports/agent-provider.ts';

interface AttemptRow {
  readonly delivery: string;
  readonly run: string;
  readonly session: string | null;
  readonly file: string | null;
  readonly offset: number;
  readonly kind: Attempt['kind'];
  readonly text: string;
  readonly stage: AttemptStage;
  readonly proof_offset: number | null;
  readonly proof_turn: string | null;
  readonly at: number;
}

const toAttempt = (row: AttemptRow): Attempt => ({
  delivery: id(row.delivery),
  run: id(row.run),
  session: row.session === null ? undefined : id(row.session),
  file: row.file ?? undefined,
  offset: row.offset,
  kind: row.kind,
  text: row.text,
  stage: row.stage,
  at: row.at,
  ...(row.proof_offset !== null && {
    proof: {
      offset: row.proof_offset,
      ...(row.proof_turn !== null && { turn: id(row.proof_turn) }),
    },
  }),
});

/** Table `attempt`: written before each effect, so that a crash leaves the question and not a guess. */
export const attemptTable = (db: Database): AttemptLog => {
  const replace = db.prepare(
    `INSERT OR REPLACE INTO attempt (delivery, run, session, file, offset, kind, text, stage, at)
     VALUES (@delivery, @run, @session, @file, @offset, @kind, @text, 'begun', @at)`,
  );
  const advance = db.prepare(
    `UPDATE attempt SET stage = @stage,
       text = CASE @stage WHEN 'settled' THEN '' ELSE text END,
       proof_offset = coalesce(@offset, proof_offset),
       proof_turn = coalesce(@turn, proof_turn)
     WHERE delivery = @delivery`,
  );
  const forget = db.prepare('DELETE FROM attempt WHERE delivery = ?');
  const find = db.prepare<[string], AttemptRow>('SELECT * FROM attempt WHERE delivery = ?');
  const open = db.prepare<[string], AttemptRow>(
    `SELECT * FROM attempt WHERE run = ? AND stage <> 'settled' ORDER BY at, rowid`,
  );
  return {
    begin(attempt) {
      const { delivery, run, offset, kind, text, at } = attempt;
      const session = attempt.session ?? null;
      const file = attempt.file ?? null;
      replace.run({ delivery, run, session, file, offset, kind, text, at });
    },
    advance(delivery, stage, proof) {
      const offset = proof?.offset ?? null;
      const turn = proof?.turn ?? null;
      if (advance.run({ delivery, stage, offset, turn }).changes === 0)
        throw new BridgeError('attempt-unknown', `delivery ${delivery} was never begun`, {
          certain: true,
        });
    },
    forget(delivery) {
      forget.run(delivery);
    },
    find(delivery) {
      const row = find.get(delivery);
      return row && toAttempt(row);
    },
    open: (run) => open.all(run).map(toAttempt),
  };
};
