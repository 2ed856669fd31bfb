import type { EncodedPart, MessageRef, ThreadRef } from '../model/chat.ts';
import { BridgeError } from '../model/errors.ts';
import type { OutboxRow, Thread } from '../model/thread.ts';
import {
  type ChatAdapter,
  isAttachments,
  isReceipts,
  isSentMessageFinder,
  isThreadOpener,
  isWhispers,
} from '../ports/chat-adapter.ts';
import { readData } from './outbox-data.ts';

/** What came of one try. `message`: the post; `thread`: the thread that was opened with it. */
export interface Sent {
  readonly message?: MessageRef;
  readonly thread?: ThreadRef;
}

export interface SendRequest {
  readonly row: OutboxRow;
  readonly thread: Thread;
  /** The row's data, JSON. */
  readonly data: string;
  /** The message that an edit is of. */
  readonly target: MessageRef | undefined;
}

const keyOf = (row: OutboxRow): string => row.key ?? `row-${row.id}`;

const refOf = (thread: Thread): ThreadRef => {
  if (thread.ref !== undefined) return thread.ref;
  throw new BridgeError('rejected', `thread ${thread.id} was never opened`, { certain: true });
};

const open = async (adapter: ChatAdapter, { row, thread, data }: SendRequest): Promise<Sent> => {
  const head = readData('open', data);
  const key = keyOf(row);
  if (!isThreadOpener(adapter)) {
    // A platform without threads: the channel itself is the thread.
    const { platform, channel } = thread;
    const ref: ThreadRef = { platform, channel, thread: channel };
    return { thread: ref, message: await post(adapter, ref, head, { row, thread }) };
  }
  const found =
    row.isUncertain && isSentMessageFinder(adapter)
      ? await adapter.findThread(thread.channel, head, key)
      : undefined;
  const opened = found ?? (await adapter.open(thread.channel, head, key));
  return { thread: opened.thread, message: opened.head };
};

const post = async (
  adapter: ChatAdapter,
  ref: ThreadRef,
  part: EncodedPart,
  { row, thread }: Pick<SendRequest, 'row' | 'thread'>,
): Promise<MessageRef> => {
  const key = keyOf(row);
  const found =
    row.isUncertain && isSentMessageFinder(adapter)
      ? await adapter.findSent(ref, part, key, thread.lastMessage)
      : undefined;
  if (found !== undefined) return found;
  return part.file !== undefined && isAttachments(adapter)
    ? adapter.upload(ref, part, key)
    : adapter.post(ref, part, key);
};

/**
 * One try of one row. `row.isUncertain` is what was known before this try: then the platform is
 * looked through first. Rejects as the adapter does.
 */
export const send = async (adapter: ChatAdapter, request: SendRequest): Promise<Sent> => {
  const { row, thread, data, target } = request;
  switch (row.op) {
    case 'open':
      return open(adapter, request);
    case 'post': {
      const part = readData('post', data);
      return { message: await post(adapter, refOf(thread), part, request) };
    }
    case 'edit':
      // Without a target its post failed for good: nothing to edit.
      if (target !== undefined) await adapter.edit(target, readData('edit', data));
      return {};
    case 'remove':
      await adapter.remove(readData('remove', data));
      return {};
    case 'receipt': {
      const { ref, mark } = readData('receipt', data);
      if (isReceipts(adapter)) await adapter.receipt(ref, mark);
      return {};
    }
    case 'whisper': {
      const { actor, part } = readData('whisper', data);
      if (isWhispers(adapter)) await adapter.whisper(refOf(thread), actor, part);
      return {};
    }
  }
};
