import { BridgeError, type PlatformErrorCode } from '../model/errors.ts';
import type { OutboxRow } from '../model/thread.ts';
import type { MethodBudget } from '../ports/chat-adapter.ts';

/** Tokens of one method in one channel (or on the whole platform). */
export interface Bucket {
  readonly tokens: number;
  /** ms since the epoch, when `tokens` was true. */
  readonly at: number;
}

const minute = 60_000;

const filled = (bucket: Bucket | undefined, budget: MethodBudget, now: number): number =>
  bucket === undefined
    ? budget.burst
    : Math.min(
        budget.burst,
        bucket.tokens + (Math.max(0, now - bucket.at) * budget.perMinute) / minute,
      );

/** Takes one token and leaves `kept` of them, or says how long until that can be. */
export const takeToken = (
  bucket: Bucket | undefined,
  budget: MethodBudget,
  now: number,
  kept = 0,
): { readonly bucket: Bucket; readonly waitMs: number } => {
  const tokens = filled(bucket, budget, now);
  // A hair short of a whole token is one: sums of fractions are not exact.
  if (tokens >= 1 + kept - 1e-6) return { bucket: { tokens: tokens - 1, at: now }, waitMs: 0 };
  const waitMs = Math.ceil(((1 + kept - tokens) * minute) / budget.perMinute);
  return { bucket: { tokens, at: now }, waitMs };
};

const first = 1_000;
/** So long at most a thread stays silent after its platform has come back. */
const longest = minute;
const operatorPause = 30_000;
/** Tries of what fails in a way that nobody knows; about an hour. */
const mostUnknown = 60;

/** Doubles from 1 s to a minute, spread by up to a quarter so that rows do not come back together. */
export const retryDelayMs = (attempts: number, row: number): number => {
  const base = Math.min(longest, first * 2 ** Math.min(attempts - 1, 20));
  const spread = ((row * 7_919) % 1_000) / 1_000;
  return Math.round(base * (1 + spread / 4));
};

export type AfterFailure =
  /** `notBefore` in ms since the epoch. */
  | { readonly do: 'retry'; readonly notBefore: number; readonly isUncertain: boolean }
  /** Nothing is lost: what was to be changed is gone. */
  | { readonly do: 'drop' }
  | { readonly do: 'fail'; readonly scope: 'row' | 'thread' };

/**
 * What to do after the try number `attempts` (from 1) of a row failed. An edit may be repeated, so
 * only a post can be uncertain; permanent errors are terminal (no endless retries).
 */
export const afterFailure = (
  row: Pick<OutboxRow, 'id' | 'op'>,
  attempts: number,
  error: unknown,
  now: number,
): AfterFailure => {
  const isPost = row.op === 'open' || row.op === 'post';
  const known = error instanceof BridgeError ? error : undefined;
  const isUncertain = isPost && known?.certain !== true;
  const retry = (delay: number): AfterFailure => ({
    do: 'retry',
    notBefore: now + delay,
    isUncertain,
  });
  switch (known?.code as PlatformErrorCode | undefined) {
    case 'rate-limited':
      return retry(known?.retryAfterMs ?? retryDelayMs(attempts, row.id));
    case 'unavailable':
      return retry(known?.retryAfterMs ?? retryDelayMs(attempts, row.id));
    case 'auth':
    case 'no-access':
      return retry(Math.max(operatorPause, retryDelayMs(attempts, row.id)));
    case 'thread-gone':
    case 'channel-gone':
      return { do: 'fail', scope: 'thread' };
    case 'message-gone':
      return isPost ? { do: 'fail', scope: 'row' } : { do: 'drop' };
    case 'rejected':
      return { do: 'fail', scope: 'row' };
    default:
      return attempts >= mostUnknown
        ? { do: 'fail', scope: 'row' }
        : retry(retryDelayMs(attempts, row.id));
  }
};
