import { createHash } from 'node:crypto';
import type { ChatEvent, ChatEventBody, Role } from '../model/chat.ts';
import type { RefusalReason } from '../model/delivery.ts';
import { type DeliveryId, id, type RunId } from '../model/ids.ts';
import type { DeliveryRecord, NewDelivery, Wish } from '../ports/chat-store.ts';
import { CONTROL_WITHIN_MS } from './deliveries.lane.ts';
import { mayDrive } from './policy.ts';

/** What a decision may know. All of it is read in the transaction that acts on the decision. */
export interface DecideContext {
  readonly role: Role | undefined;
  readonly whomToAsk: string;
  /** The run that the event is about; absent: its thread shows none. */
  readonly run: RunId | undefined;
  /** The run has gone on with another conversation, in another thread than this one. */
  readonly isLeft: boolean;
  /** The delivery that the event names, or that its message caused. */
  readonly delivery: DeliveryRecord | undefined;
  /** Replies of that run that wait or are held. */
  readonly waiting: number;
  readonly now: number;
  readonly holdForMs: number;
  readonly maxReplyBytes: number;
}

export type Decision =
  | { readonly type: 'create'; readonly delivery: NewDelivery }
  | { readonly type: 'wish'; readonly delivery: DeliveryRecord; readonly wish: Wish }
  /** Type it anew (returned), or now after all (held because it is old). */
  | { readonly type: 'again'; readonly delivery: DeliveryRecord }
  /** Give up a text that stands in the input box. */
  | { readonly type: 'discard-returned'; readonly delivery: DeliveryRecord }
  | { readonly type: 'continue'; readonly run: RunId }
  /** For the actor's eyes; nothing else happens. */
  | { readonly type: 'refuse'; readonly reason: RefusalReason }
  | { readonly type: 'ignore' };

/** More would be a flood, not a conversation (no queue without a bound). */
export const MAX_WAITING_REPLIES = 50;

const LEFT =
  'The process has gone on with another conversation, in the thread of that one. Resume this one to go on here.';

/** The same event gives the same delivery: a crash between the two cannot make a second one. */
export const deliveryIdOf = (eventKey: string): DeliveryId =>
  id<DeliveryId>(`d${createHash('sha256').update(eventKey).digest('hex').slice(0, 24)}`);

const refusal = (why: RefusalReason['why'], detail: string): RefusalReason => ({ why, detail });

const kindOf = (body: ChatEventBody): NewDelivery['kind'] | undefined =>
  body.type === 'reply' || body.type === 'answer' || body.type === 'interrupt'
    ? body.type
    : undefined;

/** Why a new delivery cannot even be tried; the host decides everything that concerns the run. */
const objection = (event: ChatEvent, ctx: DecideContext): RefusalReason | undefined => {
  const { body } = event;
  if (body.type === 'interrupt' && ctx.now - event.at > CONTROL_WITHIN_MS) {
    return refusal('expired', 'The confirmation came more than a minute ago.');
  }
  if (body.type !== 'reply') return undefined;
  if (body.text.trim() === '') return refusal('not-sendable', 'The message has no text.');
  const bytes = Buffer.byteLength(body.text);
  if (bytes > ctx.maxReplyBytes) {
    const kB = (n: number): string => `${Math.ceil(n / 1000)} kB`;
    return refusal(
      'too-large',
      `It has ${kB(bytes)}; at most ${kB(ctx.maxReplyBytes)} go in one message.`,
    );
  }
  if (ctx.waiting >= MAX_WAITING_REPLIES) {
    return refusal('too-many-waiting', `${ctx.waiting} replies already wait for this run.`);
  }
  return undefined;
};

const isStale = (event: ChatEvent, ctx: DecideContext): boolean =>
  event.body.type === 'reply' &&
  event.body.isFromHistory === true &&
  ctx.now - event.at > ctx.holdForMs;

const create = (event: ChatEvent, run: RunId, ctx: DecideContext): Decision => {
  const { body } = event;
  const kind = kindOf(body);
  if (kind === undefined) return { type: 'ignore' };
  const reason = objection(event, ctx);
  return {
    type: 'create',
    delivery: {
      id: deliveryIdOf(event.key),
      eventKey: event.key,
      run,
      kind,
      actor: event.actor.id,
      by: event.actor.displayName,
      target: event.target,
      text: body.type === 'reply' ? body.text : '',
      ...(body.type === 'reply' && body.messageRef !== undefined
        ? { messageRef: body.messageRef }
        : {}),
      ...(body.type === 'answer' ? { dialog: body.dialog, answer: body.answer } : {}),
      ...(body.type === 'interrupt' && body.turn !== undefined ? { turn: body.turn } : {}),
      outcome:
        reason !== undefined
          ? { status: 'refused', reason }
          : isStale(event, ctx)
            ? { status: 'held', reason: { why: 'stale' } }
            : { status: 'waiting' },
      holdUntil: ctx.now + (kind === 'reply' ? ctx.holdForMs : CONTROL_WITHIN_MS),
      createdAt: ctx.now,
    },
  };
};

/** Buttons on a delivery: only what its outcome allows, said kindly where it came too late. */
const onDelivery = (body: ChatEventBody, of: DeliveryRecord): Decision => {
  const { outcome } = of;
  const isOpen = outcome.status === 'waiting' || outcome.status === 'held';
  switch (body.type) {
    case 'send-again':
      if (of.text === '' && outcome.status === 'returned') {
        return {
          type: 'refuse',
          reason: refusal('not-sendable', 'Its text is no longer kept here; please write it anew.'),
        };
      }
      if (outcome.status === 'returned' && !of.isSending) return { type: 'again', delivery: of };
      if (outcome.status === 'held') return { type: 'again', delivery: of };
      break;
    case 'discard':
      if (isOpen) return { type: 'wish', delivery: of, wish: { type: 'discard' } };
      if (outcome.status === 'returned') return { type: 'discard-returned', delivery: of };
      break;
    case 'use-as-answer':
      if (isOpen && of.kind === 'reply') {
        return { type: 'wish', delivery: of, wish: { type: 'use-as-answer', dialog: body.dialog } };
      }
      break;
    default:
      break;
  }
  return {
    type: 'refuse',
    reason: refusal('not-sendable', 'This was decided in the meantime; nothing more to do here.'),
  };
};

const onMessage = (
  body: Extract<ChatEventBody, { type: 'edit' | 'delete' }>,
  of: DeliveryRecord | undefined,
): Decision => {
  if (of === undefined || of.kind !== 'reply') return { type: 'ignore' };
  if (of.outcome.status === 'refused') return { type: 'ignore' };
  if (body.type === 'delete' || body.text.trim() === '') {
    return { type: 'wish', delivery: of, wish: { type: 'delete' } };
  }
  if (body.text === of.text) return { type: 'ignore' };
  return { type: 'wish', delivery: of, wish: { type: 'edit', text: body.text } };
};

/** One chat event, one decision. Pure: the same event in the same situation decides the same. */
export const decide = (event: ChatEvent, ctx: DecideContext): Decision => {
  const { body } = event;
  const isEdit = body.type === 'edit' || body.type === 'delete';
  // Editing or deleting what never became a delivery concerns nobody.
  if (isEdit && ctx.delivery === undefined) return { type: 'ignore' };
  if (!mayDrive(ctx.role)) {
    return isEdit
      ? { type: 'ignore' }
      : {
          type: 'refuse',
          reason: refusal(
            'no-right',
            `You can read along here, but not drive. Ask ${ctx.whomToAsk}.`,
          ),
        };
  }
  if (isEdit) return onMessage(body, ctx.delivery);
  if (ctx.run === undefined) {
    return {
      type: 'refuse',
      reason: refusal('ended', 'No run is shown in this thread any more.'),
    };
  }
  if (body.type === 'continue') return { type: 'continue', run: ctx.run };
  if (kindOf(body) !== undefined) {
    return ctx.isLeft
      ? { type: 'refuse', reason: refusal('not-sendable', LEFT) }
      : create(event, ctx.run, ctx);
  }
  if (ctx.delivery === undefined || ctx.delivery.run !== ctx.run) {
    return {
      type: 'refuse',
      reason: refusal('not-sendable', 'That message is no longer known here.'),
    };
  }
  return onDelivery(body, ctx.delivery);
};
