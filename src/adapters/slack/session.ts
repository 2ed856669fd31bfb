import { BridgeError } from '../../bridge/model/errors.ts';
import type {
  AdapterHealth,
  ChatEventSink,
  FollowedThread,
} from '../../bridge/ports/chat-adapter.ts';
import type { Clock } from '../../bridge/ports/clock.ts';
import type { Log } from '../../bridge/ports/log.ts';
import { Actors } from './actors.ts';
import type { SlackAdapterConfig } from './adapter.ts';
import { tokenTroubles } from './checks.ts';
import { Condition } from './condition.ts';
import type { Identity, Inbound } from './inbound.ts';
import { Listener } from './listen.ts';
import type { Poster } from './post.ts';
import { ReadBack } from './read-back.ts';
import { SocketLoop } from './socket-loop.ts';
import type { SlackWeb } from './web.ts';
import { identify } from './who-am-i.ts';

export interface SessionDeps {
  readonly web: SlackWeb;
  readonly poster: Poster;
  readonly clock: Clock;
  readonly log: Log;
  readonly timeoutMs: number;
  readonly pongWithinMs: number;
  readonly renewAfterMs: number;
  readonly threads: () => readonly FollowedThread[];
}

/** So long `start` waits for the first connection; then it goes on behind, ms. */
const startGrace = 15_000;
const stopGrace = 4_000;

/** What is under way between us and Slack from `start` to `stop`. */
export class Session {
  readonly #config: SlackAdapterConfig;
  readonly #deps: SessionDeps;
  readonly #condition: Condition;
  #identity: Identity | undefined;
  /** The token may be none any more: Slack is asked before the next socket. */
  #isDoubtful = false;
  #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #readBack: ReadBack | undefined;
  /** Events whose sink has not resolved yet. */
  readonly #taking = new Set<Promise<void>>();

  constructor(config: SlackAdapterConfig, deps: SessionDeps) {
    this.#config = config;
    this.#deps = deps;
    this.#condition = new Condition(deps.log);
  }

  get identity(): Identity | undefined {
    return this.#identity;
  }

  health(): AdapterHealth {
    return this.#condition.health(this.#deps.web.authTrouble);
  }

  /** Resolves when Slack has said hello, or when the first try has failed; never rejects for Slack's sake. */
  async start(sink: ChatEventSink, outer: AbortSignal): Promise<void> {
    const { clock, log } = this.#deps;
    this.#stop = new AbortController();
    const signal = AbortSignal.any([outer, this.#stop.signal]);
    const [trouble] = tokenTroubles(this.#config);
    if (trouble !== undefined) {
      this.#condition.down(
        new BridgeError('auth', trouble, { certain: true, userMessage: trouble }),
      );
      return;
    }
    const nap = new AbortController();
    const listener = this.#listener(sink);
    const readBack = new ReadBack({ ...this.#deps, listener, identity: () => this.#who });
    this.#readBack = readBack;
    const loop = new SocketLoop({
      ...this.#deps,
      appToken: this.#config.appToken,
      apiUrl: this.#config.apiUrl,
      onEvent: (event) => this.#taken(listener.onEvent(event)),
      onEventsLost: () => {
        log.warn({}, 'Slack sent too many events and threw some away; threads are read back');
        readBack.request(this.#deps.threads, signal);
      },
      beforeOpen: async () => {
        if (this.#identity !== undefined && !this.#isDoubtful) return;
        this.#identity = await identify(this.#deps.web, this.#condition);
        this.#isDoubtful = false;
      },
      onOpen: ({ hadGap, others }) => {
        this.#condition.up(others);
        if (hadGap) readBack.request(this.#deps.threads, signal);
        nap.abort();
      },
      onDown: (error) => {
        if (!loop.isOpen) this.#condition.down(error);
        if (error.code === 'auth') this.#isDoubtful = true;
        nap.abort();
      },
    });
    this.#running = loop.run(signal);
    await clock.sleep(startGrace, AbortSignal.any([signal, nap.signal]));
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    const { clock } = this.#deps;
    const nap = new AbortController();
    const done = Promise.all([this.#running, this.#readBack?.finished(), ...this.#taking]);
    await Promise.race([done, clock.sleep(stopGrace, nap.signal)]);
    nap.abort();
    this.#condition.stopped();
  }

  get #who(): Identity {
    if (this.#identity !== undefined) return this.#identity;
    throw new BridgeError('unavailable', 'Slack has not said who we are yet', { certain: true });
  }

  #listener(sink: ChatEventSink): Listener {
    const { web, clock, log, poster } = this.#deps;
    const { usergroups = [], reactions = [] } = this.#config;
    const actors = new Actors({ web, clock, log, usergroups, team: () => this.#who.team });
    return new Listener({
      web,
      clock,
      log,
      actors,
      sink,
      identity: () => this.#who,
      reactions,
      rootOf: (ts) => poster.rootOf(ts),
      onFact: (fact) => this.#fact(fact),
      onHeard: (thread, ts) => this.#readBack?.heard(thread, ts),
    });
  }

  async #taken(taking: Promise<void>): Promise<void> {
    const settled = taking.then(
      () => undefined,
      () => undefined,
    );
    this.#taking.add(settled);
    try {
      await taking;
    } finally {
      this.#taking.delete(settled);
    }
  }

  #fact(fact: Inbound): void {
    if (fact.type === 'root-deleted') this.#deps.poster.rootIsGone(fact.channel, fact.ts);
    if (fact.type === 'revoked') {
      this.#isDoubtful = true;
      this.#condition.revoked();
    }
    if (fact.type === 'channel') this.#condition.channel(fact.channel, fact.state);
  }
}
