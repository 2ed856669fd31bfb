import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { type BridgeError, plainError } from '../../bridge/model/errors.ts';
import { id, type PlatformId } from '../../bridge/model/ids.ts';
import type { AdapterHealth, ChatEventSink, ChatSource } from '../../bridge/ports/chat-adapter.ts';
import type { Clock } from '../../bridge/ports/clock.ts';
import type { Log } from '../../bridge/ports/log.ts';
import type { ChangeFeed, DeliveryReader, RunReader } from '../../bridge/ports/run-reader.ts';
import { createApp, type Probe } from './app.ts';
import { isLoopback, namesFor } from './guard.ts';
import { shippedPage } from './page-files.ts';
import { loadToken } from './token.ts';

/** How long a request may take to arrive, and how many may come at once; times in ms. */
export interface WebLimits {
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly keepAliveTimeout: number;
  /** How often the times are looked at. */
  readonly connectionsCheckingInterval: number;
  readonly maxConnections: number;
}

export interface WebDeps {
  readonly config: {
    /** Loopback only; anything else is refused. */
    readonly host: string;
    /** 0: any free one. */
    readonly port: number;
    /** Where a proxy serves the page. */
    readonly baseUrl?: string | undefined;
    readonly stateDir: string;
  };
  readonly runs: RunReader;
  readonly deliveries: DeliveryReader;
  readonly changes: ChangeFeed;
  readonly clock: Clock;
  readonly log: Log;
  /** Handlers by path: `/healthz`, `/readyz`, `/metrics`. */
  readonly probes: Readonly<Record<string, Probe>>;
  readonly pageDir?: string;
  readonly limits?: WebLimits;
}

const notLoopback = (host: string): BridgeError => {
  const text = `web.host is ${host}, but the page listens on loopback only (127.0.0.1, ::1 or localhost). To reach it from elsewhere put a proxy with TLS in front and set web.baseUrl.`;
  return plainError('web-host', text);
};

const cannotListen = (where: string, cause: unknown): BridgeError => {
  const isTaken = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
  const text = isTaken
    ? `${where} is in use by another program. Set web.port to another port, or 0 for any free one.`
    : `The page cannot listen on ${where}: ${cause instanceof Error ? cause.message : String(cause)}`;
  return plainError('web-listen', text, cause);
};

/** Who sends slowly or only connects takes nobody's place (A4). Live events are answers: no limit here ends them. */
const LIMITS: WebLimits = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 2_000,
  maxConnections: 256,
};

/** The web page: a source of chat events and a reader of runs; it gets no posts. */
export class WebPage implements ChatSource {
  readonly platform = id<PlatformId>('web');
  readonly #deps: WebDeps;
  readonly #token: string;
  readonly #closing = new AbortController();
  #server: Server | undefined;
  #port = 0;

  /** Throws BridgeError `web-host` for an address that is not loopback, `web-token` for a spoilt token file. */
  constructor(deps: WebDeps) {
    if (!isLoopback(deps.config.host)) throw notLoopback(deps.config.host);
    this.#deps = deps;
    this.#token = loadToken(deps.config.stateDir);
  }

  /** Where it listens, once started: `http://127.0.0.1:4317`. */
  get url(): string {
    const { host } = this.#deps.config;
    return `http://${host.includes(':') ? `[${host}]` : host}:${this.#port}`;
  }

  /** Logs a device in. For the operator's terminal only: never logged, never posted. */
  get loginUrl(): string {
    return `${this.#deps.config.baseUrl ?? this.url}/#token=${this.#token}`;
  }

  async start(sink: ChatEventSink, signal: AbortSignal): Promise<void> {
    const { config, log } = this.#deps;
    const app = createApp({
      ...this.#deps,
      sink,
      token: this.#token,
      isSecure: config.baseUrl?.startsWith('https:') ?? false,
      names: () => namesFor(config.host, this.#port, config.baseUrl),
      newId: randomUUID,
      pageDir: this.#deps.pageDir ?? shippedPage,
      signal: this.#closing.signal,
    });
    const { maxConnections, ...serverOptions } = this.#deps.limits ?? LIMITS;
    const server = createAdaptorServer({ fetch: app.fetch, serverOptions }) as Server;
    server.maxConnections = maxConnections;
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) => reject(cannotListen(`${config.host}:${config.port}`, error)));
      server.listen(config.port, config.host, () => resolve());
    });
    server.on('error', (error) => log.error({ err: error }, 'web server'));
    this.#port = (server.address() as AddressInfo).port;
    signal.addEventListener('abort', () => void this.stop(), { once: true });
    if (signal.aborted) await this.stop();
  }

  async stop(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    this.#closing.abort();
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeIdleConnections();
      // An answer that is being written is done in far less.
      setTimeout(() => server.closeAllConnections(), 1_000).unref();
    });
  }

  health(): AdapterHealth {
    return this.#server === undefined
      ? { isConnected: false, detail: 'the web page is not running' }
      : { isConnected: true, detail: `the web page listens on ${this.url}` };
  }
}
