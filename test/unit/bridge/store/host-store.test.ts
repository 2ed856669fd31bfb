import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Attempt, AttemptStage } from '../../../../src/bridge/model/delivery.ts';
import {
  type DeliveryId,
  id,
  type RunId,
  type SessionId,
  type TurnId,
} from '../../../../src/bridge/model/ids.ts';
import type { RunSummary } from '../../../../src/bridge/model/run-state.ts';
import { openDatabase } from '../../../../src/bridge/store/database.ts';
import { hostStore } from '../../../../src/bridge/store/host-store.ts';
import { tempDir } from '../../../fakes/temp-dir.ts';

const run = id<RunId>('h-1-1');
const delivery = (n: number) => id<DeliveryId>(`d${n}`);
const attempt = (n: number, more: Partial<Attempt> = {}): Omit<Attempt, 'stage'> => ({
  delivery: delivery(n),
  run,
  session: undefined,
  file: '/t.jsonl',
  offset: 10,
  kind: 'reply',
  text: 'hello',
  at: n,
  ...more,
});
const store = () => {
  const db = openDatabase(join(tempDir(), 'bridge.db'), 1);
  onTestFinished(() => void db.close());
  return { db, host: hostStore(db) };
};

test('L1 an attempt is found again with all that was noted before the keys', () => {
  const { attempts } = store().host;
  attempts.begin(attempt(1, { session: id<SessionId>('s') }));
  expect(attempts.find(delivery(1))).toEqual({
    ...attempt(1, { session: id<SessionId>('s') }),
    stage: 'begun',
  });
  expect(attempts.find(delivery(2))).toBeUndefined();
});

test('Send again replaces the attempt, its stage and its proof', () => {
  const { attempts } = store().host;
  attempts.begin(attempt(1));
  attempts.advance(delivery(1), 'proved', { offset: 40, turn: id<TurnId>('u1') });
  attempts.advance(delivery(1), 'returned');
  expect(attempts.find(delivery(1))).toMatchObject({
    stage: 'returned',
    proof: { offset: 40, turn: 'u1' },
  });
  attempts.begin(attempt(1, { offset: 99 }));
  expect(attempts.find(delivery(1))).toEqual({ ...attempt(1, { offset: 99 }), stage: 'begun' });
});

test('advancing an attempt that was never begun throws', () => {
  expect(() => store().host.attempts.advance(delivery(9), 'pasted')).toThrow(/never begun/);
});

test('open attempts are those of the run that are not settled, oldest first', () => {
  const { attempts } = store().host;
  for (const n of [3, 1, 2]) attempts.begin(attempt(n));
  attempts.begin(attempt(4, { run: id<RunId>('other') }));
  attempts.advance(delivery(1), 'settled');
  expect(attempts.open(run).map((a) => a.delivery)).toEqual(['d2', 'd3']);
});

test.each<AttemptStage>(['pasted', 'entered', 'queued', 'proved', 'withheld', 'returned'])(
  'stage %s is kept with its text; settled erases the text from the file',
  (stage) => {
    const { db, host } = store();
    host.attempts.begin(attempt(1, { text: 'a private thing' }));
    host.attempts.advance(delivery(1), stage);
    expect(host.attempts.find(delivery(1))).toMatchObject({ stage, text: 'a private thing' });
    host.attempts.advance(delivery(1), 'settled');
    expect(db.prepare('SELECT text FROM attempt').pluck().all()).toEqual(['']);
  },
);

test('cursors and summaries: the last one counts, newest activity first', () => {
  const { host } = store();
  const session = id<SessionId>('s1');
  expect(host.cursor(session, run)).toBeUndefined();
  host.saveCursor(session, run, 'c1', undefined);
  host.saveCursor(session, run, 'c2', '/t/s1.jsonl');
  expect(host.transcriptOf(session)).toBe('/t/s1.jsonl');
  expect(host.cursor(session, run)).toBe('c2');
  const summary = (name: string, lastActivityAt: number, title: string): RunSummary => ({
    id: id<RunId>(name),
    pid: 1,
    procStart: '1',
    startedAt: 1,
    cwd: '/w',
    state: { name: 'idle' },
    title,
    lastActivityAt,
  });
  host.saveRun(summary('a', 1, 'old'));
  host.saveRun(summary('b', 2, 'b'));
  host.saveRun(summary('a', 3, 'new'));
  expect(host.runs().map((r) => r.title)).toEqual(['new', 'b']);
  expect(host.run(id<RunId>('a'))?.title).toBe('new');
  expect(host.run(id<RunId>('c'))).toBeUndefined();
});

test('P4 two runs of one session have a cursor each; a third goes on from the newest', () => {
  const { host } = store();
  const session = id<SessionId>('s1');
  const [second, third] = [id<RunId>('h-2-2'), id<RunId>('h-3-3')];
  host.saveCursor(session, run, 'slow', '/t/s1.jsonl');
  expect(host.cursor(session, second)).toBe('slow');
  host.saveCursor(session, second, 'fast', '/t/s1.jsonl');
  expect(host.cursor(session, run)).toBe('slow');
  expect(host.cursor(session, second)).toBe('fast');
  expect(host.cursor(session, third)).toBe('fast');
  host.saveCursor(id<SessionId>('s2'), run, 'later', undefined);
  expect(host.lastCursor(run)).toBe('later');
});
