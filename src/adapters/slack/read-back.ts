import { BoundedMap } from '../../bridge/model/bounded-map.ts';
import type { ThreadRef } from '../../bridge/model/chat.ts';
import { BridgeError } from '../../bridge/model/errors.ts';
import type { FollowedThread } from '../../bridge/ports/chat-adapter.ts';
import type { Clock } from '../../bridge/ports/clock.ts';
import type { Log } from '../../bridge/ports/log.ts';
import { pagesOf } from './find-sent.ts';
import { channelOf, msOf } from './ids.ts';
import { type Identity, readEdit, readMessage, readStored } from './inbound.ts';
import type { Listener } from './listen.ts';
import type { SlackWeb } from './web.ts';

export interface ReadBackDeps {
  readonly web: SlackWeb;
  readonly clock: Clock;
  readonly log: Log;
  readonly listener: Listener;
  readonly identity: () => Identity;
}

/** Events come out of order and late: so much before what was heard last is read again, ms. */
const overlap = 5 * 60_000;
const mostPages = 20;
const firstPause = 1_000;
const longestPause = 60_000;

/** Reads back what was said in followed threads while nobody listened; reactions never. */
export class ReadBack {
  readonly #deps: ReadBackDeps;
  /** Newest ts heard in this process, per thread. */
  readonly #heard = new BoundedMap<string>(5_000);
  #running: Promise<void> = Promise.resolve();
  #isOwed = false;

  constructor(deps: ReadBackDeps) {
    this.#deps = deps;
  }

  heard(thread: ThreadRef, ts: string): void {
    const before = this.#heard.get(keyOf(thread));
    if (before === undefined || before < ts) this.#heard.set(keyOf(thread), ts);
  }

  /** Asks for one more round; rounds follow each other. */
  request(threads: () => readonly FollowedThread[], signal: AbortSignal): void {
    if (this.#isOwed) return;
    this.#isOwed = true;
    this.#running = this.#running.then(async () => {
      this.#isOwed = false;
      for (const followed of threads()) {
        if (signal.aborted) return;
        await this.#thread(followed, signal);
      }
    });
    this.#running.catch((error: unknown) =>
      this.#deps.log.error({ err: error }, 'threads could not be read back'),
    );
  }

  async finished(): Promise<void> {
    await this.#running.catch(() => undefined);
  }

  /** Until it is read: nothing that a person said may be lost to a bad minute of Slack's. */
  async #thread(followed: FollowedThread, signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#deps;
    for (let pause = firstPause; !signal.aborted; pause = Math.min(longestPause, pause * 2)) {
      try {
        await this.#read(followed);
        return;
      } catch (error) {
        const known = error instanceof BridgeError ? error : undefined;
        const mayPass = known === undefined || ['unavailable', 'rate-limited'].includes(known.code);
        log.debug({ err: error, thread: followed.thread }, 'a thread could not be read back');
        if (!mayPass) return;
        await clock.sleep(known?.retryAfterMs ?? pause, signal);
      }
    }
  }

  async #read({ thread, since }: FollowedThread): Promise<void> {
    const { web, listener, identity } = this.#deps;
    const channel = channelOf(thread.channel);
    const heard = this.#heard.get(keyOf(thread));
    const from = Math.max(since, heard === undefined ? 0 : msOf(heard)) - overlap;
    const oldest = (Math.max(from, since) / 1_000).toFixed(6);
    const args = { channel, ts: thread.thread, oldest };
    for await (const page of pagesOf(web, 'conversations.replies', args, mostPages))
      for (const raw of page) {
        const message = readStored(raw);
        if (message === undefined) continue;
        await listener.take(readMessage(message, channel, identity()), true);
        await listener.take(readEdit(message, channel, identity()), true);
      }
  }
}

const keyOf = (thread: ThreadRef): string => `${thread.channel} ${thread.thread}`;
