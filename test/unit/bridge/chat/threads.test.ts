import { expect, test } from 'vitest';
import {
  copiedBefore,
  hasLeft,
  type Placement,
  placeSession,
  type SessionSeen,
} from '../../../../src/bridge/chat/threads.ts';
import {
  type ChannelId,
  id,
  type RunId,
  type SessionId,
  type ThreadId,
} from '../../../../src/bridge/model/ids.ts';
import type { Binding, Thread } from '../../../../src/bridge/model/thread.ts';

const t = (name: string) => id<ThreadId>(name);
const bound = (run: string, session: string, thread: string, isLive = true): Binding => ({
  channel: id<ChannelId>('memory:c'),
  run: id<RunId>(run),
  ...(session !== '' && { session: id<SessionId>(session) }),
  thread: t(thread),
  notBefore: 0,
  isLive,
});
const seen = (run: string, session: string, origin?: SessionSeen['origin']): SessionSeen => ({
  run: id<RunId>(run),
  startedAt: 100_000,
  session: session === '' ? undefined : id<SessionId>(session),
  origin,
});

test.each<[string, readonly Binding[], SessionSeen, Placement]>([
  ['a first run', [], seen('r', 's', 'new'), { type: 'new', why: 'first' }],
  ['a run at its start-up screen', [], seen('r', ''), { type: 'new', why: 'first' }],
  [
    'the same run and session again, also after a restart of the bridge',
    [bound('r', 's', 't1')],
    seen('r', 's', 'met-late'),
    { type: 'same', thread: t('t1'), isBound: true },
  ],
  [
    'a run between two sessions keeps its thread',
    [bound('r', 's', 't1')],
    seen('r', ''),
    { type: 'same', thread: t('t1'), isBound: true },
  ],
  [
    'the start-up screen passed',
    [bound('r', '', 't1')],
    seen('r', 's', 'new'),
    { type: 'same', thread: t('t1'), isBound: false },
  ],
  [
    '/clear',
    [bound('r', 's', 't1')],
    seen('r', 's2', 'cleared'),
    { type: 'goes-on', thread: t('t1'), separator: 'cleared' },
  ],
  [
    '/clear in a run that was not shown before',
    [],
    seen('r', 's2', 'cleared'),
    { type: 'new', why: 'first' },
  ],
  [
    'a later process resumes the session',
    [bound('r', 's', 't1', false)],
    seen('r2', 's', 'resumed'),
    { type: 'goes-on', thread: t('t1'), separator: 'resumed' },
  ],
  [
    'it is the run that is seen first, without items',
    [bound('r', 's', 't1', false)],
    seen('r2', 's'),
    { type: 'goes-on', thread: t('t1'), separator: 'resumed' },
  ],
  [
    'after a second process it is the first thread that goes on',
    [bound('r', 's', 't1', false), bound('r2', 's', 't2', false)],
    seen('r3', 's', 'resumed'),
    { type: 'goes-on', thread: t('t1'), separator: 'resumed' },
  ],
  [
    'a live run took the thread along to another session',
    [bound('r', 's', 't1', false), bound('r', 's2', 't1')],
    seen('r2', 's', 'resumed'),
    { type: 'new', why: 'taken' },
  ],
  [
    'the thread that it took is free again',
    [bound('r', 's', 't1', false), bound('r', 's2', 't1', false)],
    seen('r2', 's', 'resumed'),
    { type: 'goes-on', thread: t('t1'), separator: 'resumed' },
  ],
  [
    'the session went on elsewhere since then',
    [bound('r', 's', 't1', false), bound('r', 's2', 't1', false), bound('r2', 's', 't2', false)],
    seen('r3', 's', 'resumed'),
    { type: 'goes-on', thread: t('t2'), separator: 'resumed' },
  ],
  [
    'a run that goes back to its earlier session',
    [bound('r', 's', 't1', false), bound('r', 's2', 't2')],
    seen('r', 's', 'same'),
    { type: 'goes-on', thread: t('t1'), separator: 'resumed' },
  ],
  [
    'an end that is told again',
    [bound('r', 's', 't1', false), bound('r', 's2', 't2', false)],
    seen('r', 's', 'same'),
    { type: 'same', thread: t('t1'), isBound: true },
  ],
  [
    '/clear in a session that was gone back to',
    [bound('r', 's', 't1'), bound('r', 's2', 't2', false)],
    seen('r', 's3', 'cleared'),
    { type: 'goes-on', thread: t('t1'), separator: 'cleared' },
  ],
  ['a fork', [bound('r', 's', 't1')], seen('r2', 's2', 'forked'), { type: 'new', why: 'forked' }],
  [
    'a fork inside the same process',
    [bound('r', 's', 't1')],
    seen('r', 's2', 'forked'),
    { type: 'new', why: 'forked' },
  ],
  [
    'a second live process on one session',
    [bound('r', 's', 't1')],
    seen('r2', 's', 'resumed'),
    { type: 'new', why: 'second-process' },
  ],
  [
    'a run gone to another session before any item of it',
    [bound('r', 's', 't1')],
    seen('r', 's2'),
    { type: 'wait' },
  ],
  [
    'a run gone to another old session that was never shown',
    [bound('r', 's', 't1')],
    seen('r', 's2', 'resumed'),
    { type: 'new', why: 'first' },
  ],
])('R2 %s', (_, bindings, asked, want) => {
  expect(placeSession(bindings, asked)).toEqual(want);
});

test('R2 a thread is left while its run is in another one', () => {
  const thread = { id: t('t1'), run: id<RunId>('r') } as Thread;
  expect(hasLeft([bound('r', 's', 't1')], thread)).toBe(false);
  expect(hasLeft([bound('r', 's', 't1', false), bound('r', 's2', 't2')], thread)).toBe(true);
  expect(hasLeft([bound('r', 's', 't1', false), bound('r', 's2', 't1')], thread)).toBe(false);
  expect(hasLeft([bound('r', 's', 't1', false), bound('r2', 's', 't2')], thread)).toBe(false);
});

test.each([
  ['new', 98_000],
  ['forked', 98_000],
  ['resumed', 0],
  ['met-late', 0],
  ['same', 0],
] as const)('R2 copied history of a session that is %s ends at %i', (origin, want) => {
  expect(copiedBefore(seen('r', 's', origin))).toBe(want);
});
