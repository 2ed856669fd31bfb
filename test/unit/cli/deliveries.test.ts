import { join } from 'node:path';
import { expect, it } from 'vitest';
import { id } from '../../../src/bridge/model/ids.ts';
import { auditTable } from '../../../src/bridge/store/audit-table.ts';
import { openDatabase } from '../../../src/bridge/store/database.ts';
import { hostStore } from '../../../src/bridge/store/host-store.ts';
import { aRun } from '../../fakes/fake-provider.ts';
import { cliFixture } from './fixture.ts';

it('A2 afk-bridge deliveries says who did what to a run, and what came of it', async () => {
  const cli = cliFixture();
  const stateDir = join(cli.dir, 'state');
  cli.configure(`stateDir: ${stateDir}`);
  expect(await cli.run('deliveries')).toBe(0);
  expect(cli.out).toEqual(['nobody has done anything yet']);

  const db = openDatabase(join(stateDir, 'bridge.db'), 1);
  const run = { ...aRun(), state: { name: 'idle' }, title: 'x', lastActivityAt: 1 } as const;
  hostStore(db).saveRun(run);
  const audit = auditTable(db);
  const who = id<never>('slack:T0/user:U0BOB');
  audit.add({ who, what: 'reply', run: run.id, delivery: id('d1'), outcome: 'confirmed' }, 2);
  audit.add({ who, what: 'grant driver x', run: undefined, outcome: 'done' }, 3);
  db.close();

  expect(await cli.run('deliveries', run.id, '--json')).toBe(0);
  expect(JSON.parse(cli.out.slice(1).join('\n'))).toEqual([
    { at: 2, who, what: 'reply', run: run.id, delivery: 'd1', outcome: 'confirmed' },
  ]);
  expect(await cli.run('deliveries')).toBe(0);
  expect(cli.out.at(-1)).toMatch(/U0BOB\s+grant driver x\s+done/);
  expect(await cli.run('deliveries', 'no-such-run')).not.toBe(0);
});
