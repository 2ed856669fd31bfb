import { type App, LogLevel, type ReceiverEvent, SocketModeReceiver } from '@slack/bolt';
import { z } from 'zod';
import { BridgeError } from '../../bridge/model/errors.ts';
import type { Clock } from '../../bridge/ports/clock.ts';
import type { Log } from '../../bridge/ports/log.ts';
import { classify } from './classify.ts';
import { sdkLogger } from './web.ts';

export type { ReceiverEvent };

export interface SocketDeps {
  readonly appToken: string;
  readonly apiUrl: string;
  readonly timeoutMs: number;
  /** A socket that gives no pong for so long is taken to be dead, ms. */
  readonly pongWithinMs: number;
  readonly clock: Clock;
  readonly log: Log;
  /** Persists, then acks. A rejection: not acked. */
  readonly onEvent: (event: ReceiverEvent) => Promise<void>;
  /** Slack threw events away because there were too many. */
  readonly onEventsLost: () => void;
}

const frameSchema = z.looseObject({
  type: z.string().optional(),
  reason: z.string().optional(),
  num_connections: z.number().optional(),
  payload: z.looseObject({ type: z.string().optional(), event: z.unknown() }).optional(),
});

type OnFrame = (data: unknown, isBinary: unknown) => unknown;

/**
 * One connection of Socket Mode. The SDK's own reconnecting is off: after one refused
 * `apps.connections.open` it ends the process, it leaves a gap of 5 s, and with a wrong kind of
 * token it goes on for ever without a word.
 */
export class Socket {
  readonly #deps: SocketDeps;
  readonly #receiver: SocketModeReceiver;
  readonly #gone: Promise<string>;
  #tellGone: (why: string) => void = () => undefined;
  #isGone = false;
  /** As Slack counted them when it said hello, this one included. */
  connections = 1;

  constructor(deps: SocketDeps) {
    this.#deps = deps;
    this.#gone = new Promise((resolve) => {
      this.#tellGone = resolve;
    });
    const { appToken, apiUrl, timeoutMs, log } = deps;
    this.#receiver = new SocketModeReceiver({
      appToken,
      autoReconnectEnabled: false,
      clientPingTimeout: deps.pongWithinMs,
      logger: sdkLogger(log),
      logLevel: LogLevel.WARN,
      installerOptions: {
        // An object of its own: the SDK writes into what it is given.
        clientOptions: {
          slackApiUrl: apiUrl,
          retryConfig: { retries: 0 },
          rejectRateLimitedCalls: true,
          timeout: timeoutMs,
        },
      },
      processEventErrorHandler: async ({ error }) => {
        log.warn({ err: error }, 'an event of Slack was not kept; Slack will send it again');
        return false;
      },
    });
    // No App: it acks before anybody has kept the event, and its listeners are not needed.
    const keep = { processEvent: (event: ReceiverEvent) => deps.onEvent(event) };
    this.#receiver.init(keep as unknown as App);
    this.#guard();
  }

  /** Resolves with the reason when Slack asks to leave or the socket is gone. */
  get gone(): Promise<string> {
    return this.#gone;
  }

  /** Nothing arrives here any more. */
  get isClosed(): boolean {
    return this.#isGone;
  }

  /** Rejects with a BridgeError; by its deadline either way. */
  async open(signal: AbortSignal): Promise<void> {
    const { clock, timeoutMs } = this.#deps;
    const nap = new AbortController();
    const late = clock
      .sleep(timeoutMs * 1.5, AbortSignal.any([nap.signal, signal]))
      .then((): never => {
        throw new BridgeError('unavailable', 'Slack: no hello in time', { certain: true });
      });
    late.catch(() => undefined);
    const started = this.#receiver.start().catch((error: unknown): never => {
      throw error instanceof Error ? error : new Error('closed before hello');
    });
    try {
      await Promise.race([started, late]);
    } catch (error) {
      this.close();
      throw classify(error);
    } finally {
      nap.abort();
    }
  }

  close(): void {
    // Its promise waits for the other side, which may never answer.
    this.#receiver.client.disconnect().catch(() => undefined);
  }

  /** Reads each frame before the SDK: it must not see those that it cannot bear. */
  #guard(): void {
    const { client } = this.#receiver;
    const [inner] = client.listeners('ws_message') as readonly OnFrame[];
    client.removeAllListeners('ws_message');
    client.on('ws_message', (data: unknown, isBinary: unknown) => {
      const frame = frameSchema.safeParse(parsed(data)).data;
      if (frame?.type === 'disconnect') {
        this.#tellGone(frame.reason ?? 'disconnect');
        return;
      }
      if (frame?.type === 'events_api' && frame.payload?.event === undefined) {
        // `app_rate_limited` has no inner event; the SDK would throw where nobody catches.
        this.#deps.onEventsLost();
        return;
      }
      if (frame?.type === 'hello') this.connections = frame.num_connections ?? 1;
      Promise.resolve(inner?.(data, isBinary)).catch((error: unknown) =>
        this.#deps.log.warn({ err: error }, 'a frame of Slack could not be read'),
      );
    });
    client.on('disconnected', () => {
      this.#isGone = true;
      this.#tellGone('closed');
    });
  }
}

const parsed = (data: unknown): unknown => {
  try {
    return JSON.parse(String(data));
  } catch {
    return undefined;
  }
};
