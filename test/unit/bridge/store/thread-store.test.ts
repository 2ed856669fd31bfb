import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { MessageRef, ThreadRef } from '../../../../src/bridge/model/chat.ts';
import {
  type ActorId,
  type ChannelId,
  id,
  type PlatformId,
  type RunId,
  type SessionId,
  type ThreadId,
} from '../../../../src/bridge/model/ids.ts';
import type { Binding, NewOutboxRow, Thread } from '../../../../src/bridge/model/thread.ts';
import { openDatabase } from '../../../../src/bridge/store/database.ts';
import { threadStore } from '../../../../src/bridge/store/thread-store.ts';
import { tempDir } from '../../../fakes/temp-dir.ts';

const channel = id<ChannelId>('memory:c');
const run = id<RunId>('r1');
const session = id<SessionId>('s1');
const threadId = id<ThreadId>('t1');
const ref: ThreadRef = { platform: id<PlatformId>('memory'), channel, thread: '77' };
const message = (n: string): MessageRef => ({ thread: ref, message: n });
const thread = (more: Partial<Thread> = {}): Thread => ({
  id: threadId,
  channel,
  platform: id<PlatformId>('memory'),
  run,
  state: 'open',
  headEditedAt: 0,
  notify: [],
  ...more,
});
const binding = (more: Partial<Binding> = {}): Binding => ({
  channel,
  run,
  session,
  thread: threadId,
  notBefore: 0,
  isLive: true,
  ...more,
});
const row = (more: Partial<NewOutboxRow> = {}): NewOutboxRow => ({
  key: `k-${more.item ?? 'a'}`,
  thread: threadId,
  item: 'a',
  part: 0,
  op: 'post',
  priority: 1,
  notBefore: 0,
  data: '{"data":"1"}',
  ...more,
});
const edit = (more: Partial<NewOutboxRow> = {}): NewOutboxRow => {
  const { key: _, ...rest } = row({ op: 'edit', priority: 2, ...more });
  return rest;
};
const open = () => {
  const db = openDatabase(join(tempDir(), 'bridge.db'), 1);
  onTestFinished(() => void db.close());
  const store = threadStore(db);
  store.threads.create(thread(), 1);
  return store;
};
const only = <T>(rows: readonly T[]): T => {
  expect(rows).toHaveLength(1);
  return rows[0] as T;
};

test('a thread is found by id, run and place; saving keeps its grants and bindings', () => {
  const { threads } = open();
  threads.grant(threadId, id<ActorId>('slack:U1'), 'driver');
  threads.bind(binding());
  const full = thread({
    ref,
    tail: 'x',
    lastMessage: message('m'),
    verbosity: 'quiet',
    notify: [id<ActorId>('slack:U1')],
  });
  threads.save(full);
  expect(threads.find(threadId)).toEqual(full);
  expect(threads.byRef({ thread: '77', channel, platform: ref.platform })).toEqual(full);
  expect(threads.ofRun(run)).toEqual([full]);
  expect(threads.grants(threadId)).toEqual([{ actor: 'slack:U1', role: 'driver' }]);
  expect(threads.bindings(channel, run, session)).toEqual([binding()]);
  threads.grant(threadId, id<ActorId>('slack:U1'), undefined);
  expect(threads.grants(threadId)).toEqual([]);
});

test('bindings of a channel: by run, by session, by thread of the session; an end is noted in all of them', () => {
  const { threads } = open();
  const other = id<RunId>('r2');
  threads.bind(binding());
  threads.bind({
    channel,
    run: other,
    thread: threadId,
    notBefore: 5,
    isLive: true,
  });
  threads.bind(binding({ channel: id<ChannelId>('memory:else') }));
  expect(threads.bindings(channel, other, session)).toHaveLength(2);
  expect(threads.bindings(channel, other, undefined)).toMatchObject([{ run: 'r2', notBefore: 5 }]);
  threads.setLive(run, false);
  // Who else is in a thread of the session is told as well.
  expect(threads.bindings(channel, run, session)).toMatchObject([
    binding({ isLive: false }),
    { run: 'r2', isLive: true },
  ]);
});

test('ledger: an item with its parts; what is shown in the same message comes along', () => {
  const { ledger } = open();
  ledger.save(threadId, { item: 'activity:a', digest: '1', state: 'shown' });
  ledger.savePart(threadId, 'activity:a', { part: 0, content: 'h0' });
  ledger.savePart(threadId, 'activity:a', { part: 1, content: 'h1' });
  for (const item of ['a', 'b'])
    ledger.save(threadId, {
      item,
      digest: 'd',
      state: 'folded',
      shownIn: 'activity:a',
      kept: item,
    });
  ledger.save(threadId, { item: 'c', digest: 'd', state: 'skipped' });
  const loaded = ledger.load(threadId, ['a', 'nowhere']);
  expect(loaded.map((e) => e.item).sort()).toEqual(['a', 'activity:a', 'b']);
  expect(loaded.find((e) => e.item === 'activity:a')?.parts).toEqual([
    { part: 0, content: 'h0' },
    { part: 1, content: 'h1' },
  ]);
  expect(ledger.kept(threadId, 'a').map((e) => e.item)).toEqual(['a']);
  ledger.removePart(threadId, 'activity:a', 1);
  const group = ledger.load(threadId, ['activity:a']).find((e) => e.item === 'activity:a');
  expect(group?.parts).toHaveLength(1);
});

test('P4 a row that went out leaves the outbox in the same step as its message is noted', () => {
  const { ledger, outbox } = open();
  ledger.save(threadId, { item: 'a', digest: '1', state: 'shown' });
  ledger.savePart(threadId, 'a', { part: 0, content: 'h' });
  outbox.add(row(), 1);
  outbox.add(row({ data: 'again' }), 1);
  const waiting = only(outbox.waiting());
  expect(outbox.data(waiting.id)).toBe('{"data":"1"}');
  expect(outbox.postsWaiting(threadId)).toBe(1);
  outbox.begin(waiting.id);
  expect(only(outbox.waiting())).toMatchObject({ attempts: 0, isUncertain: true });
  outbox.complete(waiting, message('m1'));
  expect(outbox.waiting()).toEqual([]);
  expect(ledger.itemOf(message('m1'))).toEqual({ thread: threadId, item: 'a', part: 0 });
  ledger.savePart(threadId, 'a', { part: 0, content: 'h2' });
  expect(only(ledger.load(threadId, ['a'])).parts).toEqual([
    { part: 0, content: 'h2', message: message('m1') },
  ]);
});

test('a newer edit replaces a waiting edit of the same message, not one on its way', () => {
  const { outbox } = open();
  outbox.add(edit({ data: 'v1', notBefore: 50 }), 1);
  outbox.add(edit({ data: 'v2', notBefore: 20 }), 1);
  const first = only(outbox.waiting());
  expect(outbox.data(first.id)).toBe('v2');
  expect(first.notBefore).toBe(20);
  outbox.begin(first.id);
  outbox.add(edit({ data: 'v3' }), 1);
  outbox.add(edit({ data: 'v4' }), 1);
  expect(outbox.waiting().map((r) => outbox.data(r.id))).toEqual(['v2', 'v4']);
});

test('an edit of what was not posted yet goes into the post; a rate limit keeps its time', () => {
  const { outbox } = open();
  outbox.add(row(), 1);
  const post = only(outbox.waiting());
  outbox.begin(post.id);
  outbox.defer(post.id, 500, false, 'rate limited');
  outbox.add(edit({ data: 'v2' }), 1);
  expect(only(outbox.waiting())).toMatchObject({ op: 'post', notBefore: 500, priority: 1 });
  expect(outbox.data(post.id)).toBe('v2');
  outbox.defer(post.id, 500, true, 'reset');
  outbox.add(edit({ data: 'v3' }), 1);
  expect(outbox.waiting().map((r) => outbox.data(r.id))).toEqual(['v2', 'v3']);
});

test('a terminal failure erases the text, stays to be shown and is in the ledger', () => {
  const { ledger, outbox } = open();
  ledger.save(threadId, { item: 'a', digest: '1', state: 'shown' });
  ledger.savePart(threadId, 'a', { part: 0, content: 'h' });
  outbox.add(row(), 1);
  const failing = only(outbox.waiting());
  outbox.fail(failing, 'too large');
  expect(outbox.waiting()).toEqual([]);
  expect(outbox.data(failing.id)).toBe('');
  expect(only(outbox.failures(10)).error).toBe('too large');
  expect(only(ledger.load(threadId, ['a'])).state).toBe('failed');
});

test('behind: the first offset stays, a later pass-over outdates a reading', () => {
  const { behind } = open();
  behind.passOver({ thread: threadId, run, session, from: 100 });
  const read = only(behind.of(threadId));
  behind.passOver({ thread: threadId, run, session, from: 300 });
  expect(behind.clear(read)).toBe(false);
  const again = only(behind.all());
  expect(again).toMatchObject({ from: 100, version: 2 });
  expect(behind.clear(again)).toBe(true);
  expect(behind.of(threadId)).toEqual([]);
});

test('an envelope is new once; a transaction is all or nothing', () => {
  const store = open();
  expect(store.isNewEnvelope('e1', 1)).toBe(true);
  expect(store.isNewEnvelope('e1', 2)).toBe(false);
  expect(() =>
    store.transaction(() => {
      store.isNewEnvelope('e2', 3);
      store.transaction(() => store.outbox.add(row(), 1));
      throw new Error('power cut');
    }),
  ).toThrow('power cut');
  expect(store.outbox.waiting()).toEqual([]);
  expect(store.isNewEnvelope('e2', 3)).toBe(true);
});

test('a thread is forgotten with all that hangs on it when its runs have long ended, not before', () => {
  const store = open();
  const { threads, ledger, outbox } = store;
  threads.bind(binding());
  ledger.save(threadId, { item: 'a', digest: '1', state: 'shown' });
  outbox.add(row(), 1);
  threads.save(thread({ headEditedAt: 100 }));
  store.sweep(1_000);
  expect(threads.find(threadId)).toBeDefined();
  threads.setLive(run, false);
  store.sweep(50);
  expect(threads.find(threadId)).toBeDefined();
  store.sweep(1_000);
  expect(threads.all()).toEqual([]);
  expect(ledger.load(threadId, ['a'])).toEqual([]);
  expect(outbox.waiting()).toEqual([]);
  expect(threads.bindings(channel, run, session)).toEqual([]);
});
