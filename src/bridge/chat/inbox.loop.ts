import type { ChatEvent, ChatTarget } from '../model/chat.ts';
import type { Item } from '../model/conversation.ts';
import type { DeliveryId, RunId } from '../model/ids.ts';
import type { RunSummary } from '../model/run-state.ts';
import type { ChatEventSink } from '../ports/chat-adapter.ts';
import type { DeliveryRecord, InboxStore } from '../ports/chat-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { RunReader } from '../ports/run-reader.ts';
import type { ThreadSettings } from '../ports/thread-settings.ts';
import { parseCommand } from './commands-parse.ts';
import { type DecideContext, decide } from './decide.ts';
import type { Deliveries } from './deliveries.loop.ts';
import { type ActDeps, type Acted, act } from './inbox.act.ts';
import { createSink } from './inbox.ts';
import { type Access, isStopSign, roleOf, whomToAsk } from './policy.ts';
import { Rates } from './rates.ts';

export interface InboxDeps extends ActDeps {
  readonly inbox: InboxStore;
  readonly deliveries: Deliveries;
  readonly clock: Clock;
  readonly log: Log;
  readonly access: Access;
  readonly settings: ThreadSettings;
  /** Reads the run as it is now; what is said of it is masked where it is posted. */
  readonly runs: Pick<RunReader, 'run' | 'window'>;
  readonly stopSigns: readonly string[];
  readonly confirmWithinMs: number;
  /** The run that a thread shows now; of an ended conversation the last one. */
  readonly runOf: (target: ChatTarget) => RunId | undefined;
  /** The thread's run has gone on elsewhere (R2). */
  readonly isLeft: (target: ChatTarget) => boolean;
  readonly maxReplyBytes: number;
  /** How long keys of handled events and settled deliveries are kept. */
  readonly retentionMs: number;
}

interface Asked {
  readonly summary?: RunSummary;
  readonly recent?: readonly Item[];
}

/** How long a word for the bridge waits for the host, ms: nobody else's reply waits longer for it. */
const ASK_WITHIN_MS = 2_000;
/** Items that `!tail` and the interrupt's question look through. */
const RECENT = 60;

const isOfPage = ({ target }: ChatEvent): boolean => 'run' in target;

const asksOfRun = (event: ChatEvent, stopSigns: readonly string[]): boolean => {
  const { body } = event;
  if (body.type === 'reaction') return body.isAdded && isStopSign(body.emoji, stopSigns);
  if (body.type !== 'reply' || isOfPage(event)) return false;
  return body.inReplyTo !== undefined || parseCommand(body.text).type === 'command';
};

const BATCH = 20;
/** The store is looked at again after this time even if nobody called. */
const IDLE_MS = 5_000;
const SWEEP_EVERY_MS = 60_000;
/** A full disk or a locked database passes; an event that can never be handled costs this little. */
const PARKED_MS = 30_000;
/** A settled text stays this long: it may still be un-sent and sent again. */
export const KEEP_SETTLED_TEXT_MS = 10 * 60_000;

/** Takes stored chat events one by one: decides and acts in one transaction, then lets deliveries go. */
export class Inbox {
  readonly #deps: InboxDeps;
  /** Events whose handling failed, and when each is tried again, ms since the epoch. */
  readonly #parked = new Map<string, number>();
  readonly #rates = new Rates();
  #wake: () => void = () => {};
  #isWoken = false;
  #sweptAt = 0;
  readonly sink: ChatEventSink;

  constructor(deps: InboxDeps) {
    this.#deps = deps;
    this.sink = createSink({
      inbox: deps.inbox,
      clock: deps.clock,
      onStored: () => {
        this.#isWoken = true;
        this.#wake();
      },
    });
  }

  /** Goes on until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { inbox, clock } = this.#deps;
    while (!signal.aborted) {
      this.#isWoken = false;
      this.#sweep();
      const events = inbox
        .unhandled(BATCH + this.#parked.size)
        .filter((event) => clock.now() >= (this.#parked.get(event.key) ?? 0));
      for (const event of events) {
        if (signal.aborted) return;
        await this.#handle(event, signal);
      }
      if (events.length > 0 || this.#isWoken) continue;
      const nap = new AbortController();
      this.#wake = () => nap.abort();
      await clock.sleep(IDLE_MS, AbortSignal.any([signal, nap.signal]));
    }
  }

  async #handle(event: ChatEvent, signal: AbortSignal): Promise<void> {
    const { store, inbox, clock, deliveries, log } = this.#deps;
    let acted: Acted;
    const asked = await this.#ask(event);
    if (signal.aborted) return;
    try {
      acted = store.atomically(() => {
        const now = clock.now();
        const ctx = { ...this.#context(event, now), ...asked };
        const done = act(event, decide(event, ctx), ctx, this.#deps);
        inbox.handled(event.key, now);
        return done;
      });
    } catch (error) {
      this.#parked.set(event.key, clock.now() + PARKED_MS);
      log.error({ err: error, key: event.key }, 'a chat event could not be handled; tried again');
      return;
    }
    this.#parked.delete(event.key);
    for (const delivery of acted.start) deliveries.start(delivery);
    for (const run of acted.nudge) deliveries.nudge(run);
  }

  #context(event: ChatEvent, now: number): DecideContext {
    const { store, access, settings, isLeft, holdForMs, maxReplyBytes } = this.#deps;
    const { target, actor, body } = event;
    const run = this.#runOf(event);
    const repliedTo = body.type === 'reply' ? body.inReplyTo : undefined;
    return {
      role: roleOf(actor, target, access, settings.granted),
      pace: isOfPage(event) ? 'fine' : this.#rates.note(actor.id, event.at),
      stopSigns: this.#deps.stopSigns,
      confirmWithinMs: this.#deps.confirmWithinMs,
      isIgnored: settings.isIgnored(target),
      repliedDialog: repliedTo === undefined ? undefined : settings.dialogIn(repliedTo),
      whomToAsk: whomToAsk(access, event.platform),
      run,
      isLeft: isLeft(event.target),
      delivery: this.#deliveryOf(event),
      waiting: run === undefined ? 0 : store.openOf(run).filter((of) => of.kind === 'reply').length,
      now,
      holdForMs,
      maxReplyBytes,
    };
  }

  #runOf({ target }: ChatEvent): RunId | undefined {
    return 'run' in target ? target.run : this.#deps.runOf(target);
  }

  /** What a word for the bridge needs to know of the run; asked before anything is decided (S3). */
  async #ask(event: ChatEvent): Promise<Asked> {
    const run = this.#runOf(event);
    if (run === undefined || !asksOfRun(event, this.#deps.stopSigns)) return {};
    const { runs, clock, log } = this.#deps;
    const enough = new AbortController();
    const look = async (): Promise<Asked> => {
      const summary = await runs.run(run);
      const { items } = await runs.window(run, undefined, RECENT);
      return summary === null ? {} : { summary, recent: items };
    };
    try {
      return await Promise.race([
        look(),
        clock.sleep(ASK_WITHIN_MS, enough.signal).then((): Asked => ({})),
      ]);
    } catch (err) {
      log.warn({ err, run }, 'the run could not be asked');
      return {};
    } finally {
      enough.abort();
    }
  }

  #deliveryOf({ body }: ChatEvent): DeliveryRecord | undefined {
    const { store } = this.#deps;
    const named = (delivery: DeliveryId) => store.find(delivery);
    switch (body.type) {
      case 'edit':
      case 'delete':
        return store.findByMessage(body.messageRef);
      case 'send-again':
      case 'discard':
      case 'use-as-answer':
        return named(body.delivery);
      default:
        return undefined;
    }
  }

  #sweep(): void {
    const { store, clock, retentionMs } = this.#deps;
    const now = clock.now();
    if (now - this.#sweptAt < SWEEP_EVERY_MS) return;
    this.#sweptAt = now;
    store.sweep(now - KEEP_SETTLED_TEXT_MS, now - retentionMs);
  }
}
