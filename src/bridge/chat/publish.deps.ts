import type { HostEvent } from '../model/events.ts';
import type { PlatformId, ThreadId } from '../model/ids.ts';
import type { RunSummary } from '../model/run-state.ts';
import type { Channel } from '../model/thread.ts';
import type { ChatAdapter } from '../ports/chat-adapter.ts';
import type { Clock } from '../ports/clock.ts';
import type { DeliveryNames } from '../ports/delivery-names.ts';
import type { FailPoint } from '../ports/fail-point.ts';
import type { ChatLink } from '../ports/link.ts';
import type { Log } from '../ports/log.ts';
import type { ThreadStore } from '../ports/thread-store.ts';
import type { Redact } from '../text/redact.ts';
import type { Bell } from './bell.ts';

export interface PublishDeps {
  readonly store: ThreadStore;
  readonly channels: readonly Channel[];
  /** Only their `encode` is used here. */
  readonly adapters: ReadonlyMap<PlatformId, Pick<ChatAdapter, 'encode'>>;
  readonly redact: Redact;
  readonly names: DeliveryNames;
  /** Where a person answers or looks at a run: its own link, the page, else a command for the host. */
  readonly linkOf: (run: RunSummary) => string | undefined;
  readonly read: ChatLink['read'];
  readonly clock: Clock;
  readonly newThreadId: () => ThreadId;
  /** Rung when rows were added to the outbox. */
  readonly bell: Bell;
  /** Inside the transaction of the event: whoever keeps deliveries notes a later outcome. */
  readonly onOutcome: (event: Extract<HostEvent, { type: 'outcome' }>, at: number) => void;
  readonly log: Log;
  readonly failPoint?: FailPoint;
}

/** Most messages of a thread that wait to be posted; beyond, it falls behind (P4). */
export const mostWaiting = 30;

/** More items than this that piled up go up as one file (P4). */
export const mostSingly = 30;
