import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { prepareStateDir } from '../bridge/state-dir.ts';
import { auditTable } from '../bridge/store/audit-table.ts';
import { openDatabase } from '../bridge/store/database.ts';
import { hostStore } from '../bridge/store/host-store.ts';
import type { CliDeps, GlobalOptions } from './cli-deps.ts';
import { findRun } from './find-run.ts';
import { columns } from './table.ts';

export interface DeliveriesOptions extends GlobalOptions {
  readonly json?: boolean;
}

/** More is history. */
const SHOWN = 200;

/** `afk-bridge deliveries [RUN]`: who did what to this run, and what came of it (A2). */
export const deliveries = (
  name: string | undefined,
  options: DeliveriesOptions,
  deps: CliDeps,
): void => {
  const { config } = deps.load(options.config);
  const path = join(prepareStateDir(config.stateDir).path, 'bridge.db');
  const { terminal } = deps;
  if (!existsSync(path)) {
    terminal.print(options.json === true ? '[]' : 'nobody has done anything yet');
    return;
  }
  const db = openDatabase(path, deps.clock.now());
  try {
    const run = name === undefined ? undefined : findRun(hostStore(db).runs(), name).id;
    const lines = auditTable(db).newest(run, SHOWN);
    if (options.json === true) {
      terminal.print(JSON.stringify(lines, null, 2));
    } else if (lines.length === 0) {
      terminal.print('nobody has done anything yet');
    } else {
      const rows = lines.map(({ at, who, what, run: about, delivery, outcome }) => [
        new Date(at).toISOString(),
        who,
        what,
        outcome,
        about ?? '',
        delivery ?? '',
      ]);
      const head = ['WHEN', 'WHO', 'WHAT', 'OUTCOME', 'RUN', 'DELIVERY'];
      for (const line of columns([head, ...rows])) terminal.print(line);
    }
  } finally {
    db.close();
  }
};
