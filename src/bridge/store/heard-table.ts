import type { Database } from 'better-sqlite3';
import type { HeardTable } from '../ports/thread-store.ts';

/** Table `heard`. */
export const heardTable = (db: Database): HeardTable => {
  const find = db.prepare<[string], { until: number }>(
    'SELECT until FROM heard WHERE platform = ?',
  );
  const save = db.prepare('INSERT OR REPLACE INTO heard (platform, until) VALUES (?, ?)');
  return {
    until: (platform) => find.get(platform)?.until,
    save(platform, until) {
      save.run(platform, Math.trunc(until));
    },
  };
};
