import type { ChatEventSink } from '../ports/chat-adapter.ts';
import type { InboxStore } from '../ports/chat-store.ts';
import type { Clock } from '../ports/clock.ts';

/**
 * What adapters call: durable, then acknowledged. The same key again is no news and is
 * acknowledged as well. Rejects when it could not be stored: then it must not be acknowledged.
 */
export const createSink =
  (deps: {
    readonly inbox: InboxStore;
    readonly clock: Clock;
    /** Something is there to be decided. */
    readonly onStored: () => void;
  }): ChatEventSink =>
  async (event) => {
    if (deps.inbox.put(event, deps.clock.now())) deps.onStored();
  };
