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
