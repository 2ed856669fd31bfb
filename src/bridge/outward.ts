import { Bell } from './chat/bell.ts';
import { catchUpLoop } from './chat/catch-up.loop.ts';
import { makeDeliveryNames } from './chat/delivery-names.ts';
import { dispatchLoop } from './chat/dispatch.loop.ts';
import { heardLoop } from './chat/heard.loop.ts';
import type { PublishDeps } from './chat/publish.deps.ts';
import { makePublish } from './chat/publish.loop.ts';
import { makeReceipts } from './chat/receipts.ts';
import { type Trouble, Troubles } from './chat/troubles.ts';
import type { HostEvent } from './model/events.ts';
import { id, type PlatformId, type ThreadId } from './model/ids.ts';
import type { RunSummary } from './model/run-state.ts';
import type { Channel } from './model/thread.ts';
import type { ChatAdapter } from './ports/chat-adapter.ts';
import type { DeliveryStore } from './ports/chat-store.ts';
import type { Clock } from './ports/clock.ts';
import type { FailPoint } from './ports/fail-point.ts';
import type { ChatLink, PublishSink } from './ports/link.ts';
import type { Log } from './ports/log.ts';
import type { ReceiptSink } from './ports/receipt-sink.ts';
import type { ThreadStore } from './ports/thread-store.ts';
import type { Redact } from './text/redact.ts';

export interface OutwardDeps {
  readonly store: ThreadStore;
  readonly deliveries: DeliveryStore;
  readonly channels: readonly Channel[];
  readonly adapters: ReadonlyMap<PlatformId, ChatAdapter>;
  readonly redact: Redact;
  readonly linkOf: (run: RunSummary) => string | undefined;
  readonly read: ChatLink['read'];
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: () => string;
  readonly onOutcome: (event: Extract<HostEvent, { type: 'outcome' }>) => void;
  /** A message was posted: ms since it was planned. */
  readonly onPosted: (platform: PlatformId, waitedMs: number) => void;
  readonly onTrouble: (platform: PlatformId, error: unknown) => void;
  readonly failPoint?: FailPoint;
}

/** The chat side's way out: events → plan → outbox → platforms. */
export interface Outward {
  readonly publish: PublishSink;
  readonly receipts: ReceiptSink;
  /** What keeps threads from being shown now. */
  troubles(): readonly Trouble[];
  dispatch(signal: AbortSignal, beat: () => void): Promise<void>;
  catchUp(signal: AbortSignal, beat: () => void): Promise<void>;
  heard(signal: AbortSignal): Promise<void>;
}

export const createOutward = (deps: OutwardDeps): Outward => {
  const { store, adapters, redact, clock, log } = deps;
  const failPoint = deps.failPoint === undefined ? {} : { failPoint: deps.failPoint };
  const bell = new Bell();
  const drained = new Bell();
  const troubles = new Troubles();
  const publishDeps: PublishDeps = {
    store,
    adapters,
    redact,
    clock,
    log,
    bell,
    channels: deps.channels,
    names: makeDeliveryNames(deps.deliveries),
    linkOf: deps.linkOf,
    read: deps.read,
    newThreadId: () => id<ThreadId>(deps.newId()),
    onOutcome: (event) => deps.onOutcome(event),
    ...failPoint,
  };
  return {
    troubles: () => troubles.all(),
    publish: makePublish(publishDeps),
    receipts: makeReceipts({ store, adapters, redact, clock, bell }),
    dispatch: (signal, beat) =>
      dispatchLoop(
        {
          store,
          adapters,
          clock,
          log,
          bell,
          beat,
          troubles,
          onSettled: (row, outcome, platform) => {
            drained.ring();
            if (outcome === 'sent') deps.onPosted(platform, clock.now() - row.createdAt);
          },
          onTrouble: deps.onTrouble,
          ...failPoint,
        },
        signal,
      ),
    heard: (signal) => heardLoop({ store, adapters, clock }, signal),
    catchUp: (signal, beat) => catchUpLoop(publishDeps, drained, beat, signal),
  };
};
