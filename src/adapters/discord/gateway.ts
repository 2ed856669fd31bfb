import { type Client, Events } from 'discord.js';
import type { AdapterHealth } from '../../bridge/ports/chat-adapter.ts';
import type { Clock } from '../../bridge/ports/clock.ts';
import type { Log } from '../../bridge/ports/log.ts';
import { type ClientParts, makeClient } from './gateway-client.ts';
import { type Ending, endingOfClose, endingOfLogin, type Packet } from './gateway-endings.ts';
import type { DiscordTiming } from './timing.ts';

export interface GatewayDeps {
  readonly token: string;
  readonly apiUrl: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly timing: DiscordTiming;
  /** Called in the order of arrival; must not throw. */
  readonly onPacket: (packet: Packet) => void;
  /** A new session has begun: what was said since the last one was not heard. */
  readonly onNewSession: () => void;
}

const brokenEnding: Ending = { detail: 'the connection broke', needsOperator: false };

/** Keeps one live connection to the Gateway: what ends for good is begun anew, and health says why. */
export class Gateway {
  readonly #deps: GatewayDeps;
  readonly #stop = new AbortController();
  #health: AdapterHealth = { isConnected: false, detail: 'not started' };
  #running: Promise<void> | undefined;
  /** ms since the epoch. */
  #lastPacketAt = 0;
  #postedAt: number | undefined;
  #firstTry: (() => void) | undefined;

  constructor(deps: GatewayDeps) {
    this.#deps = deps;
  }

  /** Resolves when the first try has succeeded or failed; it goes on by itself. */
  async start(signal: AbortSignal): Promise<void> {
    const tried = new Promise<void>((resolve) => {
      this.#firstTry = resolve;
    });
    signal.addEventListener('abort', () => this.#stop.abort(), { once: true });
    if (signal.aborted) this.#stop.abort();
    this.#running = this.#run();
    await Promise.race([tried, this.#running]);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  health(): AdapterHealth {
    return this.#health;
  }

  /** One of our own messages stands there: the Gateway has to tell us of it. */
  posted(): void {
    this.#postedAt ??= this.#deps.clock.now();
  }

  async #run(): Promise<void> {
    const { clock, timing, log } = this.#deps;
    const { signal } = this.#stop;
    let failures = 0;
    while (!signal.aborted) {
      const broken = new AbortController();
      const parts = makeClient(this.#deps.apiUrl, timing, (error) => {
        log.debug({ err: error }, 'the SDK gave up its connection');
        broken.abort();
      });
      const began = clock.now();
      const ending = await this.#live(parts.client, broken.signal);
      await this.#retire(parts);
      this.#set(false, signal.aborted ? 'stopped' : ending.detail);
      this.#firstTry?.();
      if (signal.aborted) break;
      // Each identification counts (1,000 a day): what breaks again and again is tried less and less.
      failures = clock.now() - began > timing.longestPause ? 1 : failures + 1;
      log.warn({ detail: ending.detail, failures }, 'the connection to Discord ended');
      const short = Math.min(
        timing.longestPause,
        timing.firstPause * 2 ** Math.min(failures - 1, 10),
      );
      const pause = ending.needsOperator ? timing.operatorPause : short;
      await clock.sleep(pause, signal);
    }
    this.#set(false, 'stopped');
  }

  /** @returns why this client is of no more use. */
  async #live(client: Client, broken: AbortSignal): Promise<Ending> {
    const { clock, log } = this.#deps;
    const { signal } = this.#stop;
    const over = new AbortController();
    let isReady = false;
    let waitsSince = clock.now();
    const ended = new Promise<Ending>((resolve) => {
      const end = (ending: Ending): void => resolve(ending);
      const once = { once: true, signal: over.signal };
      signal.addEventListener(
        'abort',
        () => end({ detail: 'stopped', needsOperator: false }),
        once,
      );
      broken.addEventListener('abort', () => end(brokenEnding), once);
      client.on(Events.Raw, (packet: Packet) => {
        if (over.signal.aborted) return;
        this.#lastPacketAt = clock.now();
        this.#postedAt = undefined;
        const isNew = packet.t === 'READY';
        if (isNew || packet.t === 'RESUMED') {
          isReady = true;
          this.#set(true, 'connected');
          this.#firstTry?.();
        }
        this.#deps.onPacket(packet);
        if (isNew) this.#deps.onNewSession();
      });
      client.on(Events.ShardReconnecting, () => {
        if (isReady) waitsSince = clock.now();
        isReady = false;
        this.#set(false, 'reconnecting');
      });
      client.on(Events.ShardDisconnect, ({ code }) => end(endingOfClose(code)));
      client.on(Events.Invalidated, () => end({ detail: 'session lost', needsOperator: false }));
      // Without a listener each of these would end the process.
      client.on(Events.Error, (error) => log.debug({ err: error }, 'Discord client'));
      client.on(Events.ShardError, (error) => log.debug({ err: error }, 'Discord connection'));
      this.#watch(client, over.signal, () => (isReady ? undefined : waitsSince)).then(
        (ending) => ending !== undefined && end(ending),
        (error: unknown) => end(endingOfLogin(error)),
      );
      client.login(this.#deps.token).catch((error: unknown) => end(endingOfLogin(error)));
    });
    try {
      return await ended;
    } finally {
      over.abort();
    }
  }

  /** Notices a connection that is open and dead. @param waitsSince when it began to connect; undefined: it is ready. */
  async #watch(
    client: Client,
    over: AbortSignal,
    waitsSince: () => number | undefined,
  ): Promise<Ending | undefined> {
    const { clock, timing } = this.#deps;
    const isLate = (since: number | undefined, within: number): boolean =>
      since !== undefined && since > 0 && clock.now() - since > within;
    this.#postedAt = undefined;
    this.#lastPacketAt = clock.now();
    while (!over.aborted) {
      await clock.sleep(timing.watchEvery, over);
      if (over.aborted) return undefined;
      const since = waitsSince();
      if (since !== undefined) {
        if (isLate(since, timing.connectTimeout))
          return { detail: 'Discord’s Gateway does not answer', needsOperator: false };
        continue;
      }
      if (isLate(this.#postedAt, timing.echoWithin))
        return { detail: 'the connection was open but silent', needsOperator: false };
      const beat = Math.max(client.ws.shards.first()?.lastPingTimestamp ?? 0, this.#lastPacketAt);
      if (isLate(beat, timing.heartbeatWithin))
        return { detail: 'heartbeats were not answered', needsOperator: false };
    }
    return undefined;
  }

  async #retire({ client, retire }: ClientParts): Promise<void> {
    const { clock, timing, log } = this.#deps;
    retire();
    client.removeAllListeners(Events.Raw);
    const nap = new AbortController();
    const destroyed = client
      .destroy()
      .catch((error: unknown) => log.debug({ err: error }, 'closing the connection to Discord'));
    await Promise.race([destroyed, clock.sleep(timing.stopWithin, nap.signal)]);
    nap.abort();
  }

  #set(isConnected: boolean, detail: string): void {
    this.#health = { isConnected, detail };
  }
}
