import { DiscordAPIError, RateLimitError, type RawFile, REST } from 'discord.js';
import { BridgeError } from '../../bridge/model/errors.ts';
import type { Clock } from '../../bridge/ports/clock.ts';
import { classify, type Subject } from './classify.ts';

export type Route = `/${string}`;
export type Method = 'get' | 'post' | 'patch' | 'put' | 'delete';

export interface CallDetail {
  readonly body?: unknown;
  readonly files?: RawFile[];
  readonly query?: Readonly<Record<string, string>>;
  /** What a "does not exist" is about. */
  readonly subject?: Subject;
  /** False: an interaction's own token is in the route. */
  readonly needsToken?: boolean;
}

export interface RestDeps {
  readonly token: string;
  /** Without version and final slash. */
  readonly apiUrl: string;
  readonly clock: Clock;
  /** How long an answer may take, ms. */
  readonly timeoutMs: number;
  /** After a refused token nothing is asked for so long, ms: ten thousand refusals ban the host. */
  readonly authPauseMs: number;
  /** Told when the token is refused, and when it is taken again. */
  readonly onAuth: (isAccepted: boolean) => void;
}

/** A shorter wait is not worth a detour through the outbox, ms; but only so many of them. */
const shortWait = 1_000;
const mostWaits = 2;

/**
 * Calls of Discord's REST API. Each goes once: the SDK's own retries would post twice, and its silent
 * waits would hide a rate limit for minutes. Rejects with a BridgeError.
 */
export class DiscordRest {
  readonly #deps: RestDeps;
  readonly #rest: REST;
  #refusedUntil = 0;
  #isRefused = false;

  constructor(deps: RestDeps) {
    this.#deps = deps;
    this.#rest = new REST({
      api: deps.apiUrl,
      version: '10',
      retries: 0,
      timeout: deps.timeoutMs,
      // The SDK would wait for however long, and repeat a refusal without a time without end.
      rejectOnRateLimit: () => true,
      // The SDK's own way hands forms to the process-wide dispatcher, which is of another undici as
      // soon as Slack's SDK is loaded, and that one knows no forms of this one.
      makeRequest: (url, { dispatcher: _, ...init }) => fetch(url, init),
    });
    this.#rest.on('error', () => undefined);
  }

  /** @returns the answer's JSON; its shape is Discord's. */
  async call<T>(method: Method, route: Route, detail: CallDetail = {}): Promise<T> {
    const { body, files, query, subject, needsToken = true } = detail;
    const { clock, token } = this.#deps;
    if (needsToken && clock.now() < this.#refusedUntil)
      throw new BridgeError('auth', 'the token was refused a moment ago', { certain: true });
    // One refusal makes the SDK forget the token.
    if (needsToken) this.#rest.setToken(token);
    const request = {
      auth: needsToken,
      ...(body !== undefined && { body }),
      ...(files !== undefined && { files }),
      ...(query !== undefined && { query: new URLSearchParams(query) }),
    };
    try {
      const answer = await this.#patiently(() => this.#rest[method](route, request));
      if (needsToken && this.#isRefused) this.#auth(true);
      return answer as T;
    } catch (error) {
      if (needsToken && error instanceof DiscordAPIError && error.status === 401) this.#auth(false);
      throw classify(error, subject);
    }
  }

  async #patiently(call: () => Promise<unknown>): Promise<unknown> {
    for (let n = 0; ; n++) {
      try {
        return await call();
      } catch (error) {
        const isShort = error instanceof RateLimitError && error.retryAfter <= shortWait;
        if (!isShort || n === mostWaits) throw error;
        await this.#deps.clock.sleep(Math.max(50, error.retryAfter));
      }
    }
  }

  /** Something else has shown that the token is taken. */
  accepted(): void {
    if (this.#isRefused) this.#auth(true);
  }

  stop(): void {
    this.#rest.clearHashSweeper();
    this.#rest.clearHandlerSweeper();
  }

  #auth(isAccepted: boolean): void {
    const { clock, authPauseMs, onAuth } = this.#deps;
    this.#isRefused = !isAccepted;
    this.#refusedUntil = isAccepted ? 0 : clock.now() + authPauseMs;
    onAuth(isAccepted);
  }
}
