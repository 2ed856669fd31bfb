import type { Database } from 'better-sqlite3';
import type { ChatEvent } from '../model/chat.ts';
import type { InboxStore } from '../ports/chat-store.ts';

/** The idempotent inbox: a key is written once, whatever is delivered twice. */
export const createInboxStore = (db: Database): InboxStore => {
  const put = db.prepare<[string, string, number]>(
    'INSERT INTO inbox (key, event, received_at) VALUES (?, ?, ?) ON CONFLICT (key) DO NOTHING',
  );
  const unhandled = db.prepare<[number], { event: string }>(
    'SELECT event FROM inbox WHERE handled_at IS NULL ORDER BY seq LIMIT ?',
  );
  const handled = db.prepare<[number, string]>(
    'UPDATE inbox SET handled_at = ?, event = NULL WHERE key = ?',
  );
  return {
    put: (event, now) => put.run(event.key, JSON.stringify(event), now).changes === 1,
    unhandled: (limit) =>
      unhandled.all(limit).map(({ event }): ChatEvent => JSON.parse(event) as ChatEvent),
    handled: (key, now) => {
      handled.run(now, key);
    },
  };
};
