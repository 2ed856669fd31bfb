/** The one error class: a lost connection or a platform's refusal. Expected results are values, not errors. */
export class BridgeError extends Error {
  readonly code: string;
  /** False: the effect may have happened all the same; look before trying again. */
  readonly certain: boolean;
  readonly retryAfterMs: number | undefined;
  /** A sentence for a person, with the remedy. */
  readonly userMessage: string | undefined;

  constructor(
    code: string,
    message: string,
    detail: { certain: boolean; retryAfterMs?: number; userMessage?: string; cause?: unknown },
  ) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.name = 'BridgeError';
    this.code = code;
    this.certain = detail.certain;
    this.retryAfterMs = detail.retryAfterMs;
    this.userMessage = detail.userMessage;
  }
}

/** Nothing has happened, and the sentence says to whoever reads it what to do. */
export const plainError = (code: string, sentence: string, cause?: unknown): BridgeError =>
  new BridgeError(code, sentence, { certain: true, userMessage: sentence, cause });

/**
 * What an adapter's call can fail with, told apart by what to do next:
 * `rate-limited`: later, `retryAfterMs` says when. `unavailable`: the platform or the way to it;
 * later. `no-access`, `auth`: an operator must act (kicked, a missing permission, a revoked token);
 * kept and tried again seldom. `thread-gone`, `channel-gone`: nothing can be shown there any more.
 * `message-gone`: it was deleted; an edit of it is done. `rejected`: the platform will never take
 * this one; the next ones may go.
 */
export type PlatformErrorCode =
  | 'rate-limited'
  | 'unavailable'
  | 'no-access'
  | 'auth'
  | 'thread-gone'
  | 'channel-gone'
  | 'message-gone'
  | 'rejected';
