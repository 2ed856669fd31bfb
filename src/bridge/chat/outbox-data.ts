import { createHash } from 'node:crypto';
import type { EncodedPart, MessageRef, ReceiptMark } from '../model/chat.ts';
import type { ActorId, ThreadId } from '../model/ids.ts';

/** What each op of the outbox carries, as JSON. */
export interface OutboxData {
  readonly open: EncodedPart;
  readonly post: EncodedPart;
  readonly edit: EncodedPart;
  readonly remove: MessageRef;
  readonly receipt: { readonly ref: MessageRef; readonly mark: ReceiptMark };
  readonly whisper: { readonly actor: ActorId; readonly part: EncodedPart };
}

export const writeData = <Op extends keyof OutboxData>(_: Op, data: OutboxData[Op]): string =>
  JSON.stringify(data);

// Only writeData makes these texts, each for the op of its row.
export const readData = <Op extends keyof OutboxData>(_: Op, text: string): OutboxData[Op] =>
  JSON.parse(text) as OutboxData[Op];

/** The hash by which a part is known to be the same as planned last. */
export const contentOf = (part: EncodedPart): string =>
  createHash('sha256').update(JSON.stringify(part)).digest('hex').slice(0, 16);

/** The same at every try; 24 characters, so that it fits where a platform has little room for it. */
export const postKey = (thread: ThreadId, item: string, part: number): string =>
  createHash('sha256')
    .update(JSON.stringify([thread, item, part]))
    .digest('base64url')
    .slice(0, 24);
