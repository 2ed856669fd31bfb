import { LogLevel, webApi } from '@slack/bolt';
import { BridgeError } from '../../bridge/model/errors.ts';
import type { Log } from '../../bridge/ports/log.ts';
import { classify, platformErrorOf } from './classify.ts';

export type Json = Readonly<Record<string, unknown>>;

export interface WebOptions {
  readonly token: string;
  /** With a final slash. */
  readonly apiUrl: string;
  readonly timeoutMs: number;
  readonly log: Log;
}

/** What the SDK says is for whoever looks for a fault in it; it may hold what people wrote. */
export const sdkLogger = (log: Log): webApi.WebClientOptions['logger'] & object => {
  const say = (...message: readonly unknown[]): void =>
    log.debug({ sdk: message.map(String).join(' ').slice(0, 500) }, 'the Slack SDK says');
  const nothing = (): void => undefined;
  return {
    debug: nothing,
    info: nothing,
    warn: say,
    error: say,
    setLevel: nothing,
    getLevel: () => LogLevel.WARN,
    setName: nothing,
  };
};

/**
 * One try of one call. Retries belong to the outbox: the SDK's own would post twice after a lost
 * answer, and a 429 in one channel would hold back all others.
 */
export class SlackWeb {
  readonly #client: webApi.WebClient;
  readonly #options: WebOptions;
  #authTrouble: BridgeError | undefined;

  constructor(options: WebOptions) {
    this.#options = options;
    this.#client = new webApi.WebClient(options.token, {
      slackApiUrl: options.apiUrl,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      timeout: options.timeoutMs,
      logger: sdkLogger(options.log),
      logLevel: LogLevel.WARN,
    });
  }

  /** The last call was refused because of the token. */
  get authTrouble(): BridgeError | undefined {
    return this.#authTrouble;
  }

  /** Rejects with a BridgeError. */
  async call(method: string, args: Json = {}): Promise<Json> {
    try {
      const answer: unknown = await this.#client.apiCall(method, args);
      this.#authTrouble = undefined;
      return answer as Json;
    } catch (error) {
      const known = classify(error);
      // One missing scope is no trouble of the token: other calls go on.
      const isOfToken = known.code === 'auth' && platformErrorOf(known) !== 'missing_scope';
      if (isOfToken) this.#authTrouble = known;
      throw known;
    }
  }

  /** Sends a file's bytes to where Slack said. */
  async put(url: string, content: Uint8Array): Promise<void> {
    const response = await this.#fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      // A view may stand on memory that is shared; a body may not.
      body: Uint8Array.from(content),
    });
    if (!response.ok)
      throw new BridgeError('unavailable', `Slack: HTTP ${response.status} for an upload`, {
        certain: true,
      });
    await response.arrayBuffer();
  }

  /** A file of the workspace; the token goes to Slack's own hosts only. */
  async get(url: string, mostBytes: number): Promise<{ bytes: Uint8Array; type: string }> {
    if (!this.#isOwnHost(url))
      throw new BridgeError('rejected', 'the file is not kept by Slack', { certain: true });
    const authorization = `Bearer ${this.#options.token}`;
    const response = await this.#fetch(url, { headers: { authorization } });
    if (!response.ok || response.body === null)
      throw new BridgeError('unavailable', `Slack: HTTP ${response.status} for a file`, {
        certain: true,
      });
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > mostBytes) throw tooLarge(mostBytes);
      chunks.push(chunk);
    }
    return { bytes: Buffer.concat(chunks), type: response.headers.get('content-type') ?? '' };
  }

  async #fetch(url: string, init: RequestInit): Promise<Response> {
    // Bodies are larger than calls; the same server, ten times the patience.
    const signal = AbortSignal.timeout(this.#options.timeoutMs * 10);
    try {
      return await fetch(url, { ...init, redirect: 'error', signal });
    } catch (error) {
      throw new BridgeError('unavailable', 'Slack: a file did not come through', {
        certain: true,
        cause: error,
      });
    }
  }

  #isOwnHost(address: string): boolean {
    if (!URL.canParse(address)) return false;
    const url = new URL(address);
    if (url.origin === new URL(this.#options.apiUrl).origin) return true;
    return url.protocol === 'https:' && /(^|\.)slack(-files)?\.com$/.test(url.hostname);
  }
}

const tooLarge = (mostBytes: number): BridgeError => {
  const sentence = `The file is larger than ${Math.floor(mostBytes / 1_000_000)} MB.`;
  return new BridgeError('rejected', sentence, { certain: true, userMessage: sentence });
};
