import type { Database } from 'better-sqlite3';
import type { MessageRef } from '../model/chat.ts';
import { id } from '../model/ids.ts';
import type { LedgerEntry, LedgerPart, LedgerState } from '../model/thread.ts';
import type { LedgerTable } from '../ports/thread-store.ts';
import { refKey } from './thread-table.ts';

interface LedgerRow {
  readonly thread: string;
  readonly item: string;
  readonly part: number;
  readonly digest: string;
  readonly state: LedgerState;
  readonly shown_in: string | null;
  readonly kept: string | null;
  readonly content: string | null;
  readonly message: string | null;
}

/** One text per message, whatever the order of keys. */
export const messageKey = (ref: MessageRef): string =>
  `{"thread":${refKey(ref.thread)},"message":${JSON.stringify(ref.message)}}`;

const toPart = (row: LedgerRow): readonly LedgerPart[] =>
  row.content === null
    ? []
    : [
        {
          part: row.part,
          content: row.content,
          ...(row.message !== null && { message: JSON.parse(row.message) as MessageRef }),
        },
      ];

/** Rows by item and part → one entry per item; what the entry itself has stands on part 0. */
const toEntries = (rows: readonly LedgerRow[]): readonly LedgerEntry[] => {
  const entries = new Map<string, LedgerEntry>();
  for (const row of rows) {
    const known = entries.get(row.item);
    entries.set(row.item, {
      ...(known ?? {
        item: row.item,
        digest: row.digest,
        state: row.state,
        ...(row.shown_in !== null && { shownIn: row.shown_in }),
        ...(row.kept !== null && { kept: row.kept }),
      }),
      parts: [...(known?.parts ?? []), ...toPart(row)],
    });
  }
  return [...entries.values()];
};

/** Table `ledger`: item part → where it was posted, with which digest. */
export const ledgerTable = (db: Database): LedgerTable => {
  const load = db.prepare<{ thread: string; items: string }, LedgerRow>(
    `WITH RECURSIVE near (item) AS (
       SELECT value FROM json_each(@items)
       UNION
       SELECT ledger.shown_in FROM near
         JOIN ledger ON ledger.thread = @thread AND ledger.item = near.item AND part = 0
         WHERE ledger.shown_in IS NOT NULL)
     SELECT * FROM ledger WHERE thread = @thread AND item IN (SELECT item FROM near)
     UNION
     SELECT * FROM ledger WHERE thread = @thread AND kept IS NOT NULL
       AND shown_in IN (SELECT item FROM near)
     ORDER BY item, part`,
  );
  const kept = db.prepare<{ thread: string; glob: string }, LedgerRow>(
    'SELECT * FROM ledger WHERE thread = @thread AND item GLOB @glob ORDER BY item, part',
  );
  const save = db.prepare(
    `INSERT INTO ledger (thread, item, part, digest, state, shown_in, kept)
     VALUES (@thread, @item, 0, @digest, @state, @shownIn, @kept)
     ON CONFLICT (thread, item, part) DO UPDATE SET digest = excluded.digest,
       state = excluded.state, shown_in = excluded.shown_in, kept = excluded.kept`,
  );
  const savePart = db.prepare(
    `INSERT INTO ledger (thread, item, part, digest, state, content)
     SELECT thread, item, @part, digest, state, @content FROM ledger
       WHERE thread = @thread AND item = @item AND part = 0
     ON CONFLICT (thread, item, part) DO UPDATE SET content = excluded.content`,
  );
  const removePart = db.prepare('DELETE FROM ledger WHERE thread = ? AND item = ? AND part = ?');
  const itemOf = db.prepare<[string], LedgerRow>('SELECT * FROM ledger WHERE message = ?');
  return {
    load: (thread, items) => toEntries(load.all({ thread, items: JSON.stringify(items) })),
    kept: (thread, prefix) =>
      toEntries(kept.all({ thread, glob: `${prefix}*` })).filter((e) => e.kept !== undefined),
    save(thread, entry) {
      const { item, digest, state } = entry;
      const shownIn = entry.shownIn ?? null;
      save.run({ thread, item, digest, state, shownIn, kept: entry.kept ?? null });
    },
    savePart(thread, item, part) {
      savePart.run({ thread, item, part: part.part, content: part.content });
    },
    removePart(thread, item, part) {
      removePart.run(thread, item, part);
    },
    itemOf(message) {
      const row = itemOf.get(messageKey(message));
      return row && { thread: id(row.thread), item: row.item, part: row.part };
    },
  };
};
