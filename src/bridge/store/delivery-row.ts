import type { ChatTarget, DeliveryView, MessageRef } from '../model/chat.ts';
import type { DialogAnswer } from '../model/delivery.ts';
import {
  type ActorId,
  type ChannelId,
  type DeliveryId,
  type DialogId,
  id,
  type PlatformId,
  type RunId,
  type TurnId,
} from '../model/ids.ts';
import type { DeliveryRecord, DeliveryStatus, Wish } from '../ports/chat-store.ts';

/** A row of table `delivery` as SQLite gives it. */
export interface DeliveryRow {
  readonly seq: number;
  readonly id: string;
  readonly event_key: string;
  readonly run: string;
  readonly kind: string;
  readonly actor: string;
  readonly by_name: string;
  readonly target: string;
  readonly message_ref: string | null;
  readonly text: string;
  readonly payload: string;
  readonly status: string;
  readonly outcome: string;
  readonly hold_until: number;
  readonly again: number;
  readonly is_sending: number;
  readonly is_discarding: number;
  readonly wish: string | null;
  readonly revision: number;
  readonly created_at: number;
  readonly updated_at: number;
}

interface Payload {
  readonly dialog?: DialogId;
  readonly answer?: DialogAnswer;
  readonly turn?: TurnId;
}

/** Always in this order of parts, so that equal references are equal texts. */
export const messageKey = (ref: MessageRef): string =>
  JSON.stringify([ref.thread.platform, ref.thread.channel, ref.thread.thread, ref.message]);

const messageRef = (key: string): MessageRef => {
  const [platform = '', channel = '', thread = '', message = ''] = JSON.parse(key) as string[];
  return {
    thread: { platform: id<PlatformId>(platform), channel: id<ChannelId>(channel), thread },
    message,
  };
};

export const payloadText = (of: Payload): string =>
  JSON.stringify({ dialog: of.dialog, answer: of.answer, turn: of.turn });

/** Reads a row back; its texts are our own, written by this store. */
export const toRecord = (row: DeliveryRow): DeliveryRecord => ({
  seq: row.seq,
  id: id<DeliveryId>(row.id),
  eventKey: row.event_key,
  run: id<RunId>(row.run),
  kind: row.kind as DeliveryView['kind'],
  actor: id<ActorId>(row.actor),
  by: row.by_name,
  target: JSON.parse(row.target) as ChatTarget,
  ...(row.message_ref === null ? {} : { messageRef: messageRef(row.message_ref) }),
  text: row.text,
  ...(JSON.parse(row.payload) as Payload),
  outcome: JSON.parse(row.outcome) as DeliveryStatus,
  holdUntil: row.hold_until,
  again: row.again === 1,
  isSending: row.is_sending === 1,
  isDiscarding: row.is_discarding === 1,
  ...(row.wish === null ? {} : { wish: JSON.parse(row.wish) as Wish }),
  revision: row.revision,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});
