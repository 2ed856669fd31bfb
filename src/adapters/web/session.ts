import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** A device stays logged in this long. */
export const SESSION_MS = 180 * 86_400_000;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares without telling by its duration how much was right. */
export const isSameSecret = (given: string, wanted: string): boolean =>
  timingSafeEqual(digest(given), digest(wanted));

const sign = (token: string, body: string): string =>
  createHmac('sha256', token).update(`session ${body}`).digest('base64url');

/**
 * What a device keeps instead of the token: time of login and a nonce, signed with the token. It
 * cannot be turned back into the token, and a new token ends every session.
 */
export const makeSession = (token: string, now: number, nonce: string): string => {
  const body = `${now.toString(36)}.${nonce}`;
  return `${body}.${sign(token, body)}`;
};

/** True for a session that this token signed and that is not too old or from the future. */
export const isSession = (token: string, value: string, now: number): boolean => {
  const match = /^([0-9a-z]{1,12}\.[A-Za-z0-9_-]{1,64})\.([A-Za-z0-9_-]{1,64})$/.exec(value);
  const [, body, signature] = match ?? [];
  if (body === undefined || signature === undefined) return false;
  if (!isSameSecret(signature, sign(token, body))) return false;
  const issuedAt = Number.parseInt(body, 36);
  return issuedAt <= now + 60_000 && now - issuedAt < SESSION_MS;
};

/** Several bridges on one machine share a cookie jar (cookies ignore the port): each has its own name. */
export const cookieName = (token: string): string =>
  `afk_${digest(`cookie ${token}`).toString('hex').slice(0, 8)}`;

/** Wrong tokens in the last minute; beyond the limit nobody may try. */
export class GuessLimit {
  readonly #at: number[] = [];
  static readonly perMinute = 10;

  /** Seconds to wait; 0: go ahead. */
  waitSeconds(now: number): number {
    while (this.#at[0] !== undefined && now - this.#at[0] >= 60_000) this.#at.shift();
    const oldest = this.#at[0];
    if (oldest === undefined || this.#at.length < GuessLimit.perMinute) return 0;
    return Math.ceil((oldest + 60_000 - now) / 1000);
  }

  wrong(now: number): void {
    this.#at.push(now);
  }
}
