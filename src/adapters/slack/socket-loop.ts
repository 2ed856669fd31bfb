import type { BridgeError } from '../../bridge/model/errors.ts';
import { classify } from './classify.ts';
import { Socket, type SocketDeps } from './socket.ts';

export interface SocketLoopDeps extends SocketDeps {
  /** Before the first socket and after a refusal: who we are. Rejects with a BridgeError. */
  readonly beforeOpen: () => Promise<void>;
  /** `hadGap`: nobody listened for a while. `others`: sockets that are not ours. */
  readonly onOpen: (state: { readonly hadGap: boolean; readonly others: number }) => void;
  readonly onDown: (error: BridgeError) => void;
  /**
   * A socket is followed by a fresh one after so long, ms: only a hello tells of other programs
   * that take part of the events, and Slack's own refresh takes hours.
   */
  readonly renewAfterMs: number;
}

const first = 500;
const longest = 30_000;
/** A socket that went sooner counts as a failure, ms: a server that drops each one is not hammered. */
const shortLife = 10_000;
/** An old socket goes on so long at most beside its successor, ms. */
const farewell = 10_000;
/** So long Slack may still count a socket of ours that was lost, ms. */
const ghostLife = 120_000;

/** The first try after a loss goes at once: a socket that Slack refreshes has a second or less. */
const delayAfter = (failures: number): number =>
  failures <= 1 ? 0 : Math.min(longest, first * 2 ** Math.min(failures - 2, 10));

/** Keeps one socket open until the signal aborts; a successor comes before the old one goes. */
export class SocketLoop {
  readonly #deps: SocketLoopDeps;
  readonly #open = new Set<Socket>();
  /** Slack said how long to wait, ms. */
  #pause = 0;
  #lostAt = 0;
  #hasLost = false;

  constructor(deps: SocketLoopDeps) {
    this.#deps = deps;
  }

  get isOpen(): boolean {
    return [...this.#open].some((socket) => !socket.isClosed);
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#deps;
    let failures = 0;
    while (!signal.aborted) {
      await clock.sleep(Math.max(delayAfter(failures), this.#pause), signal);
      this.#pause = 0;
      if (signal.aborted) break;
      const socket = await this.#next(signal);
      if (socket === undefined) {
        failures++;
        continue;
      }
      const openedAt = clock.now();
      // An old socket that still listens has heard what came meanwhile.
      const hadGap = !this.isOpen;
      this.#open.add(socket);
      this.#retireOthers(socket, signal);
      this.#deps.onOpen({ hadGap, others: this.#others(socket) });
      const why = await this.#untilItEnds(socket, signal);
      this.#deps.log.debug({ why }, 'a socket to Slack ends');
      if (socket.isClosed) this.#lost(socket);
      failures = clock.now() - openedAt < shortLife ? failures + 1 : 0;
    }
    for (const socket of this.#open) socket.close();
  }

  async #untilItEnds(socket: Socket, signal: AbortSignal): Promise<string> {
    const nap = new AbortController();
    const napping = AbortSignal.any([nap.signal, signal]);
    const renewal = this.#deps.clock.sleep(this.#deps.renewAfterMs, napping);
    const why = await Promise.race([socket.gone, renewal.then(() => 'renewed')]);
    nap.abort();
    return why;
  }

  async #next(signal: AbortSignal): Promise<Socket | undefined> {
    const { beforeOpen, onDown } = this.#deps;
    try {
      await beforeOpen();
      const socket = new Socket(this.#deps);
      await socket.open(signal);
      return socket;
    } catch (error) {
      const known = classify(error);
      this.#pause = known.retryAfterMs ?? 0;
      if (!signal.aborted) onDown(known);
      return undefined;
    }
  }

  #lost(socket: Socket): void {
    this.#open.delete(socket);
    this.#hasLost = true;
    this.#lostAt = this.#deps.clock.now();
  }

  /** A loss of our own may be counted for a while; then only another process explains it. */
  #others(socket: Socket): number {
    const own = [...this.#open].filter((one) => !one.isClosed).length;
    const mayHaunt = this.#hasLost && this.#deps.clock.now() - this.#lostAt < ghostLife;
    return Math.max(0, socket.connections - own - (mayHaunt ? 1 : 0));
  }

  #retireOthers(newest: Socket, signal: AbortSignal): void {
    for (const socket of this.#open) {
      if (socket === newest) continue;
      this.#deps.clock
        .sleep(farewell, signal)
        .then(() => {
          socket.close();
          this.#open.delete(socket);
        })
        // A clock's sleep never rejects.
        .catch(() => undefined);
    }
  }
}
