import { Routes } from 'discord.js';
import { BoundedMap } from '../../bridge/model/bounded-map.ts';
import type { ThreadRef } from '../../bridge/model/chat.ts';
import { BridgeError } from '../../bridge/model/errors.ts';
import type { FollowedThread } from '../../bridge/ports/chat-adapter.ts';
import type { Clock } from '../../bridge/ports/clock.ts';
import type { Log } from '../../bridge/ports/log.ts';
import { isLasting } from './classify.ts';
import { idAt, isAfter, limits } from './limits.ts';
import type { DiscordRest } from './rest.ts';

export interface HistoryDeps {
  readonly rest: DiscordRest;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Pause after a failure; doubles up to the longest, ms. */
  readonly firstPause: number;
  readonly longestPause: number;
  /** Handles a message as it was read; rejects when it could not be stored. */
  readonly deliver: (message: unknown, thread: ThreadRef) => Promise<void>;
}

interface Gap {
  readonly thread: ThreadRef;
  /** The newest message that was heard before. */
  readonly after: string;
}

const later = (a: string, b: string | undefined): string =>
  b === undefined || isAfter(a, b) ? a : b;

/** Reads back what was written while nobody listened, thread by thread, each gap until it is closed. */
export class History {
  readonly #deps: HistoryDeps;
  readonly #heard = new BoundedMap<string>(5_000);
  readonly #gaps = new Map<string, Gap>();
  #threads: () => readonly FollowedThread[] = () => [];
  #reading: Promise<void> | undefined;

  constructor(deps: HistoryDeps) {
    this.#deps = deps;
  }

  follow(threads: () => readonly FollowedThread[]): void {
    this.#threads = threads;
  }

  /** A message was stored: what stands before it in its thread need not be read back. */
  heard(thread: string, message: string): void {
    this.#heard.set(thread, later(message, this.#heard.get(thread)));
  }

  /** From here back to what was heard last, something may be missing in every thread. */
  missed(): void {
    for (const { thread, since } of this.#threads()) this.missedIn(thread, since);
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
  }

  /** @param since ms since the epoch. */
  missedIn(thread: ThreadRef, since: number): void {
    // A gap that is still open begins where it began.
    if (this.#gaps.has(thread.thread)) return;
    const after = later(idAt(since), this.#heard.get(thread.thread));
    this.#gaps.set(thread.thread, { thread, after });
  }

  async idle(): Promise<void> {
    await this.#reading;
  }

  async #read(): Promise<void> {
    const { clock, log, signal, firstPause, longestPause } = this.#deps;
    for (let n = 0; this.#gaps.size > 0 && !signal.aborted; n++) {
      const usual = Math.min(longestPause, firstPause * 2 ** Math.min(n, 10));
      let pause = 0;
      for (const [name, gap] of [...this.#gaps]) {
        if (signal.aborted) return;
        try {
          await this.#close(name, gap);
        } catch (error) {
          if (isLasting(error)) {
            log.debug({ err: error, thread: name }, 'a thread cannot be read back');
            this.#gaps.delete(name);
            continue;
          }
          const wait = error instanceof BridgeError ? error.retryAfterMs : undefined;
          pause = Math.max(pause, wait ?? usual);
        }
      }
      if (pause > 0) await clock.sleep(pause, signal);
    }
  }

  async #close(name: string, gap: Gap): Promise<void> {
    const { rest, deliver, signal } = this.#deps;
    let { after } = gap;
    while (!signal.aborted) {
      const page = await rest.call<{ readonly id: string }[]>('get', Routes.channelMessages(name), {
        query: { limit: String(limits.pageOfMessages), after },
      });
      const ordered = [...page].sort((a, b) => (isAfter(a.id, b.id) ? 1 : -1));
      for (const message of ordered) {
        await deliver(message, gap.thread);
        after = message.id;
        this.#gaps.set(name, { ...gap, after });
      }
      if (page.length < limits.pageOfMessages) {
        this.#gaps.delete(name);
        return;
      }
    }
  }
}
