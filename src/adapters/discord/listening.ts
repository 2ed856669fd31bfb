import type {
  AdapterHealth,
  ChatEventSink,
  FollowedThread,
} from '../../bridge/ports/chat-adapter.ts';
import type { Clock } from '../../bridge/ports/clock.ts';
import type { Log } from '../../bridge/ports/log.ts';
import { Clicks } from './clicks.ts';
import { DeliveryQueue } from './delivery-queue.ts';
import { Gateway } from './gateway.ts';
import type { Packet } from './gateway-endings.ts';
import { GuildWatch } from './guild-watch.ts';
import { History } from './history.ts';
import { Listener } from './listen.ts';
import { Members } from './members.ts';
import { NameBook } from './name-book.ts';
import type { Places } from './places.ts';
import type { DiscordRest } from './rest.ts';
import type { DiscordTiming } from './timing.ts';
import type { Whisperer } from './whisper.ts';

export interface ListeningDeps {
  readonly token: string;
  readonly apiUrl: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly timing: DiscordTiming;
  readonly rest: DiscordRest;
  readonly places: Places;
  readonly whisperer: Whisperer;
  readonly self: () => Promise<string>;
}

const rivalWords =
  'connected, but another process answers clicks with the same bot token: stop one of them, or give this bridge a bot of its own.';

/** The receiving half of the adapter: the connection, and everything that comes over it. */
export class Listening {
  readonly #deps: ListeningDeps;
  readonly #stop = new AbortController();
  #gateway: Gateway | undefined;
  #history: History | undefined;
  #queue: DeliveryQueue | undefined;
  #threads: () => readonly FollowedThread[] = () => [];
  #hasRival = false;
  readonly #guilds = new GuildWatch();

  constructor(deps: ListeningDeps) {
    this.#deps = deps;
  }

  follow(threads: () => readonly FollowedThread[]): void {
    this.#threads = threads;
  }

  async start(sink: ChatEventSink, signal: AbortSignal): Promise<void> {
    const { clock, log, timing, rest, places, self, whisperer } = this.#deps;
    const own = this.#stop.signal;
    signal.addEventListener('abort', () => this.#stop.abort(), { once: true });
    const queue = new DeliveryQueue({ clock, log, signal: own });
    const history: History = new History({
      rest,
      clock,
      log,
      signal: own,
      firstPause: timing.firstPause,
      longestPause: timing.longestPause,
      deliver: (message, thread) => listener.readBack(message, thread),
    });
    history.follow(this.#threads);
    const onRival = () => {
      this.#hasRival = true;
    };
    const listener = new Listener({
      places,
      queue,
      history,
      sink,
      self,
      clock,
      log,
      names: new NameBook(),
      members: new Members({ rest, clock }),
      clicks: new Clicks({ rest, places, whisperer, log, sink, onRival }),
      callTimeout: timing.callTimeout,
    });
    const guilds = this.#guilds;
    const gateway = new Gateway({
      ...this.#deps,
      onPacket: (packet: Packet) => {
        listener.hear(packet);
        if (guilds.isBack(packet)) history.missed();
      },
      onNewSession: () => {
        rest.accepted();
        history.missed();
      },
    });
    this.#queue = queue;
    this.#history = history;
    this.#gateway = gateway;
    await gateway.start(own);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#gateway?.stop();
    const { clock, timing } = this.#deps;
    const nap = new AbortController();
    const idle = Promise.all([this.#queue?.idle(), this.#history?.idle()]);
    await Promise.race([idle, clock.sleep(timing.stopWithin, nap.signal)]);
    nap.abort();
  }

  posted(): void {
    this.#gateway?.posted();
  }

  health(): AdapterHealth {
    const health = this.#gateway?.health() ?? { isConnected: false, detail: 'not started' };
    if (!health.isConnected) return health;
    const trouble = this.#guilds.trouble();
    if (trouble !== undefined) return { isConnected: false, detail: trouble };
    return this.#hasRival ? { ...health, detail: rivalWords } : health;
  }
}
