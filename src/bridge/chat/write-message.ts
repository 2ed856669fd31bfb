import type { EncodedPart, OutboundMessage } from '../model/chat.ts';
import type { LedgerEntry, OutboxPriority, Thread } from '../model/thread.ts';
import type { ThreadStore } from '../ports/thread-store.ts';
import type { Redact } from '../text/redact.ts';
import { contentOf, postKey, writeData } from './outbox-data.ts';
import { redactMessage } from './redact-message.ts';

export interface WriteDeps {
  readonly store: ThreadStore;
  readonly encode: (message: OutboundMessage) => readonly EncodedPart[];
  readonly redact: Redact;
}

export interface MessageToWrite {
  readonly entry: Omit<LedgerEntry, 'parts'>;
  readonly message: OutboundMessage;
  readonly priority: OutboxPriority;
  /** ms since the epoch: an edit goes no sooner. */
  readonly notBefore?: number;
}

export const headItem = 'head';

/**
 * Makes the item's message look like this: parts that are new are posted, parts that differ edited,
 * parts too many removed. Inside the caller's transaction; nothing is sent here.
 */
export const writeMessage = (
  deps: WriteDeps,
  thread: Thread,
  { entry, message, priority, notBefore = 0 }: MessageToWrite,
  now: number,
): void => {
  const { ledger, outbox } = deps.store;
  const known = ledger.load(thread.id, [entry.item]).find((e) => e.item === entry.item);
  ledger.save(thread.id, entry);
  const parts = deps.encode(redactMessage(message, deps.redact));
  const row = { thread: thread.id, item: entry.item, priority, notBefore };
  for (const [part, encoded] of parts.entries()) {
    const content = contentOf(encoded);
    const before = known?.parts.find((p) => p.part === part);
    if (before?.content === content) continue;
    ledger.savePart(thread.id, entry.item, { part, content });
    if (before !== undefined) {
      outbox.add({ ...row, part, op: 'edit', data: writeData('edit', encoded) }, now);
      continue;
    }
    const op = entry.item === headItem && part === 0 ? 'open' : 'post';
    const key = postKey(thread.id, entry.item, part);
    outbox.add({ ...row, part, op, key, data: writeData('post', encoded) }, now);
  }
  for (const { part, message: ref } of known?.parts.slice(parts.length) ?? []) {
    if (ref === undefined) continue;
    ledger.removePart(thread.id, entry.item, part);
    outbox.add({ ...row, part, op: 'remove', data: writeData('remove', ref) }, now);
  }
};
