import type { OutboundMessage } from '../model/chat.ts';
import type { PlatformId } from '../model/ids.ts';
import { outboxPriority, type Thread } from '../model/thread.ts';
import type { ChatAdapter } from '../ports/chat-adapter.ts';
import type { Clock } from '../ports/clock.ts';
import type { Receipt, ReceiptSink } from '../ports/receipt-sink.ts';
import type { ThreadStore } from '../ports/thread-store.ts';
import { cutGraphemes, fenced } from '../text/plain.ts';
import type { Redact } from '../text/redact.ts';
import type { Bell } from './bell.ts';
import { writeData } from './outbox-data.ts';
import { redactMessage } from './redact-message.ts';
import { writeMessage } from './write-message.ts';

export interface ReceiptDeps {
  readonly store: ThreadStore;
  /** Only their `encode` is used here. */
  readonly adapters: ReadonlyMap<PlatformId, Pick<ChatAdapter, 'encode'>>;
  readonly redact: Redact;
  readonly clock: Clock;
  /** Rung when rows were added to the outbox. */
  readonly bell: Bell;
}

/** More of a screen is not said in a thread, characters. */
const screenLength = 3_000;

const noticeOf = (receipt: Receipt, redact: Redact): OutboundMessage | undefined => {
  const { text, screen, mark, buttons } = receipt;
  if (text === undefined && screen === undefined) return undefined;
  const head = mark === undefined ? (text ?? '') : `${mark} ${text ?? ''}`;
  // Masked before it is cut: half a secret is a secret.
  const seen = screen === undefined ? '' : cutGraphemes(redact(screen), screenLength);
  const body = seen === '' ? '' : `\n${fenced(seen)}`;
  return { type: 'notice', markdown: head.trim() + body, buttons };
};

/** Shows what becomes of deliveries: a mark on the message, and a text where something is worth saying (D3). */
export const makeReceipts = (deps: ReceiptDeps): ReceiptSink => {
  const { store, redact, clock } = deps;

  const mark = (thread: Thread, receipt: Receipt): void => {
    if (receipt.mark === undefined || receipt.messageRef === undefined) return;
    const ref = receipt.messageRef;
    const row = {
      thread: thread.id,
      item: `receipt:${ref.message}`,
      part: 0,
      priority: outboxPriority.urgent,
      notBefore: 0,
    };
    const data = writeData('receipt', { ref, mark: receipt.mark });
    store.outbox.add({ ...row, op: 'receipt', data }, clock.now());
  };

  const say = (thread: Thread, receipt: Receipt): void => {
    const adapter = deps.adapters.get(thread.platform);
    if (adapter === undefined) return;
    const notice = noticeOf(receipt, redact);
    const item = `notice:${receipt.delivery ?? receipt.key}`;
    const isKnown = store.ledger.load(thread.id, [item]).length > 0;
    if (receipt.isPrivate) {
      const [part] = notice === undefined ? [] : adapter.encode(redactMessage(notice, redact));
      if (part === undefined) return;
      const { actor } = receipt;
      const row = { thread: thread.id, item, part: 0, notBefore: 0 } as const;
      const data = writeData('whisper', { actor, part });
      const key = `whisper:${thread.id}:${receipt.key}`;
      const priority = outboxPriority.urgent;
      store.outbox.add({ ...row, op: 'whisper', key, priority, data }, clock.now());
      return;
    }
    if (notice === undefined && !isKnown) return;
    // What was said of this delivery before no longer holds: its text and its buttons go.
    const settled: OutboundMessage = {
      type: 'notice',
      markdown: `${receipt.mark ?? '✅'} Done.`,
      buttons: [],
    };
    const writer = { store, redact, encode: (m: OutboundMessage) => adapter.encode(m) };
    const entry = { item, digest: receipt.key, state: 'shown' } as const;
    const message = notice ?? settled;
    const write = { entry, message, priority: outboxPriority.urgent };
    writeMessage(writer, thread, write, clock.now());
  };

  return {
    show(receipt) {
      // On the page a delivery shows itself: only what came from a thread is answered in one.
      if (!('thread' in receipt.target)) return;
      const thread = store.threads.byRef(receipt.target.thread);
      if (thread === undefined) return;
      store.transaction(() => {
        const said = `said:${receipt.key}`;
        if (store.ledger.load(thread.id, [said]).length > 0) return;
        store.ledger.save(thread.id, { item: said, digest: receipt.key, state: 'filed' });
        mark(thread, receipt);
        say(thread, receipt);
      });
      deps.bell.ring();
    },
  };
};
