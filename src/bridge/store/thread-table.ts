import type { Database } from 'better-sqlite3';
import type { MessageRef, Role, ThreadRef } from '../model/chat.ts';
import { type ActorId, id } from '../model/ids.ts';
import type { Thread, Verbosity } from '../model/thread.ts';
import type { ThreadTable } from '../ports/thread-store.ts';
import { bindingTable } from './binding-table.ts';

interface ThreadRow {
  readonly id: string;
  readonly channel: string;
  readonly platform: string;
  readonly ref: string | null;
  readonly run: string;
  readonly state: Thread['state'];
  readonly gone_why: string | null;
  readonly shown_state: string | null;
  readonly tail: string | null;
  readonly last_message: string | null;
  readonly head_edited_at: number;
  readonly verbosity: Verbosity | null;
  readonly notify: string;
}

/** One text per place, whatever the order of keys. */
export const refKey = (ref: ThreadRef): string =>
  JSON.stringify({ platform: ref.platform, channel: ref.channel, thread: ref.thread });

const toThread = (row: ThreadRow): Thread => ({
  id: id(row.id),
  channel: id(row.channel),
  platform: id(row.platform),
  ...(row.ref !== null && { ref: JSON.parse(row.ref) as ThreadRef }),
  run: id(row.run),
  state: row.state,
  ...(row.gone_why !== null && { goneWhy: row.gone_why }),
  ...(row.shown_state !== null && { shownState: row.shown_state }),
  ...(row.tail !== null && { tail: row.tail }),
  ...(row.last_message !== null && { lastMessage: JSON.parse(row.last_message) as MessageRef }),
  headEditedAt: row.head_edited_at,
  ...(row.verbosity !== null && { verbosity: row.verbosity }),
  notify: JSON.parse(row.notify) as ActorId[],
});

/** Tables `thread`, `thread_grant` and `binding`. */
export const threadTable = (db: Database): ThreadTable => {
  const find = db.prepare<[string], ThreadRow>('SELECT * FROM thread WHERE id = ?');
  const byRef = db.prepare<[string], ThreadRow>('SELECT * FROM thread WHERE ref = ?');
  const ofRun = db.prepare<[string], ThreadRow>('SELECT * FROM thread WHERE run = ? ORDER BY id');
  const all = db.prepare<[], ThreadRow>('SELECT * FROM thread ORDER BY created_at, id');
  const readable = db.prepare<[string, number], { ref: string; createdAt: number }>(
    `SELECT ref, created_at AS createdAt FROM thread
     WHERE platform = ? AND state = 'open' AND ref IS NOT NULL AND (head_edited_at > ?
       OR EXISTS (SELECT 1 FROM binding WHERE thread = thread.id AND is_live = 1))
     ORDER BY created_at, id`,
  );
  const create = db.prepare(
    `INSERT INTO thread (id, channel, platform, run, state, created_at)
     VALUES (@id, @channel, @platform, @run, @state, @now)`,
  );
  const save = db.prepare(
    `UPDATE thread SET ref = @ref, run = @run, state = @state, gone_why = @goneWhy,
       shown_state = @shownState, tail = @tail, last_message = @lastMessage,
       head_edited_at = @headEditedAt, verbosity = @verbosity, notify = @notify WHERE id = @id`,
  );
  const grants = db.prepare<[string], { actor: string; role: Role }>(
    'SELECT actor, role FROM thread_grant WHERE thread = ? ORDER BY actor',
  );
  const grant = db.prepare('INSERT OR REPLACE INTO thread_grant VALUES (?, ?, ?)');
  const revoke = db.prepare('DELETE FROM thread_grant WHERE thread = ? AND actor = ?');
  const write = (thread: Thread): void => {
    save.run({
      id: thread.id,
      ref: thread.ref === undefined ? null : refKey(thread.ref),
      run: thread.run,
      state: thread.state,
      goneWhy: thread.goneWhy ?? null,
      shownState: thread.shownState ?? null,
      tail: thread.tail ?? null,
      lastMessage: thread.lastMessage === undefined ? null : JSON.stringify(thread.lastMessage),
      headEditedAt: Math.trunc(thread.headEditedAt),
      verbosity: thread.verbosity ?? null,
      notify: JSON.stringify(thread.notify),
    });
  };
  const one = (row: ThreadRow | undefined) => row && toThread(row);
  return {
    ...bindingTable(db),
    find: (thread) => one(find.get(thread)),
    byRef: (ref) => one(byRef.get(refKey(ref))),
    ofRun: (run) => ofRun.all(run).map(toThread),
    all: () => all.all().map(toThread),
    readable: (platform, touchedSince) =>
      readable
        .all(platform, Math.trunc(touchedSince))
        .map(({ ref, createdAt }) => ({ ref: JSON.parse(ref) as ThreadRef, createdAt })),
    create(thread, now) {
      const { id: name, channel, platform, run, state } = thread;
      create.run({ id: name, channel, platform, run, state, now });
      write(thread);
    },
    save: write,
    grants: (thread) =>
      grants.all(thread).map((row) => ({ actor: id<ActorId>(row.actor), role: row.role })),
    grant(thread, actor, role) {
      if (role === undefined) revoke.run(thread, actor);
      else grant.run(thread, actor, role);
    },
  };
};
