import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  afterFailure,
  type Bucket,
  retryDelayMs,
  takeToken,
} from '../../../../src/bridge/chat/backoff.ts';
import { BridgeError } from '../../../../src/bridge/model/errors.ts';

const post = { id: 0, op: 'post' } as const;
const edit = { id: 0, op: 'edit' } as const;
const failure = (code: string, certain = true, retryAfterMs?: number) =>
  new BridgeError(code, code, { certain, ...(retryAfterMs !== undefined && { retryAfterMs }) });

test.each([
  [
    'a rate limit moves the row as it says',
    post,
    failure('rate-limited', true, 7_000),
    { do: 'retry', notBefore: 8_000, isUncertain: false },
  ],
  [
    'a lost answer of a post is uncertain',
    post,
    failure('unavailable', false),
    { do: 'retry', notBefore: 2_000, isUncertain: true },
  ],
  [
    'a lost answer of an edit may be repeated',
    edit,
    failure('unavailable', false),
    { do: 'retry', notBefore: 2_000, isUncertain: false },
  ],
  [
    'what nobody knows is uncertain',
    post,
    new Error('html'),
    { do: 'retry', notBefore: 2_000, isUncertain: true },
  ],
  [
    'a revoked token is tried again seldom',
    post,
    failure('auth'),
    { do: 'retry', notBefore: 31_000, isUncertain: false },
  ],
  [
    'a deleted thread ends the thread',
    post,
    failure('thread-gone'),
    { do: 'fail', scope: 'thread' },
  ],
  ['a refused message ends the message', post, failure('rejected'), { do: 'fail', scope: 'row' }],
  ['an edit of a deleted message is done', edit, failure('message-gone'), { do: 'drop' }],
] as const)('%s', (_, row, error, want) => {
  expect(afterFailure(row, 1, error, 1_000)).toEqual(want);
});

test('what never becomes known ends after many tries, a lost platform never', () => {
  expect(afterFailure(post, 60, new Error('x'), 0)).toMatchObject({ do: 'fail' });
  expect(afterFailure(post, 1_000, failure('unavailable', false), 0)).toMatchObject({
    do: 'retry',
  });
});

test('O15 delays double up to a minute and a quarter', () => {
  expect([1, 2, 3, 30].map((n) => retryDelayMs(n, 0))).toEqual([1_000, 2_000, 4_000, 60_000]);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 99 }), fc.nat(), (attempts, row) => {
      expect(retryDelayMs(attempts, row)).toBeLessThanOrEqual(75_000);
    }),
  );
});

test('V5 a budget gives its burst at once, then its rate, and never more', () => {
  const budget = { burst: 3, perMinute: 60, per: 'channel' } as const;
  let bucket: Bucket | undefined;
  let now = 0;
  let taken = 0;
  while (now <= 10_000) {
    const next = takeToken(bucket, budget, now);
    bucket = next.bucket;
    if (next.waitMs === 0) taken++;
    else now += next.waitMs;
  }
  expect(taken).toBe(13);
});
