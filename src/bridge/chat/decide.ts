import { createHash } from 'node:crypto';
import type { ChatEvent, ChatEventBody } from '../model/chat.ts';
import type { RefusalReason } from '../model/delivery.ts';
import { type DeliveryId, type DialogId, id, type RunId } from '../model/ids.ts';
import type { DeliveryRecord, NewDelivery, Wish } from '../ports/chat-store.ts';
import {
  answerNow,
  askInterrupt,
  type CommandContext,
  type Commanded,
  decideCommand,
} from './commands-decide.ts';
import { parseCommand } from './commands-parse.ts';
import { CONTROL_WITHIN_MS } from './deliveries.lane.ts';
import { isStopSign, mayDrive } from './policy.ts';
import type { Pace } from './rates.ts';

/** What a decision may know. All of it is read in the transaction that acts on the decision. */
export interface DecideContext extends CommandContext {
  /** How fast this person goes (A3). */
  readonly pace: Pace;
  /** Reactions that ask for an interrupt. */
  readonly stopSigns: readonly string[];
  /** An owner said that the run is no longer shown in this thread. */
  readonly isIgnored: boolean;
  /** The dialog whose message was answered directly (D6). */
  readonly repliedDialog?: DialogId | undefined;
  /** The run has gone on with another conversation, in another thread than this one. */
  readonly isLeft: boolean;
  /** The delivery that the event names, or that its message caused. */
  readonly delivery: DeliveryRecord | undefined;
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
  | Extract<Commanded, { type: 'say' | 'change' }>
  /** For the actor's eyes; nothing else happens. Silent: the mark alone. */
  | { readonly type: 'refuse'; readonly reason: RefusalReason; readonly isSilent?: boolean }
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
  if (
    body.type === 'interrupt' &&
    body.askedAt !== undefined &&
    ctx.now - body.askedAt > ctx.confirmWithinMs
  ) {
    return refusal('expired', 'It was asked too long ago; ask anew.');
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

/** A command's own decision as one of ours; an answer becomes a delivery. */
const commanded = (event: ChatEvent, done: Commanded, ctx: DecideContext): Decision => {
  if (done.type !== 'answer') return done;
  if (ctx.run === undefined) return NO_RUN;
  if (isStale(event, ctx)) return { type: 'refuse', reason: refusal('expired', '') };
  const answer = { type: 'own-words', text: done.text } as const;
  const created = create(
    { ...event, body: { type: 'answer', dialog: done.dialog, answer } },
    ctx.run,
    ctx,
  );
  // The receipt goes on the person's own message.
  const ref = event.body.type === 'reply' ? event.body.messageRef : undefined;
  return created.type === 'create' && ref !== undefined
    ? { type: 'create', delivery: { ...created.delivery, messageRef: ref } }
    : created;
};

const NO_RUN: Decision = {
  type: 'refuse',
  reason: refusal('ended', 'No run is shown in this thread any more.'),
};

const IGNORED: RefusalReason = refusal(
  'not-sendable',
  'This run is no longer shown here. An owner brings it back with `!normal`.',
);

/** Words for the bridge, or the direct answer to a dialog's message; undefined: text for the agent. */
const forBridge = (event: ChatEvent, ctx: DecideContext): Decision | undefined => {
  const { body } = event;
  // The page has buttons for all of it: what is written there is for the agent.
  if (body.type !== 'reply' || !('thread' in event.target)) return undefined;
  const parsed = parseCommand(body.text);
  if (parsed.type === 'command') {
    const isOld = isStale(event, ctx) && parsed.name === 'continue';
    if (isOld) return { type: 'refuse', reason: refusal('expired', '') };
    return commanded(event, decideCommand(parsed.name, parsed.argument, event, ctx), ctx);
  }
  if (!mayDrive(ctx.role) || ctx.isIgnored || ctx.isLeft || ctx.run === undefined) return undefined;
  const pending = ctx.summary?.pendingDialog;
  if (ctx.repliedDialog !== undefined && pending?.id === ctx.repliedDialog) {
    return commanded(event, answerNow(body.text.trim(), pending, ctx.repliedDialog), ctx);
  }
  if (parsed.type === 'text') return undefined;
  const created = create(event, ctx.run, ctx);
  const reason = { why: 'doubt', meant: parsed.meant } as const;
  return created.type === 'create' && created.delivery.outcome.status !== 'refused'
    ? { type: 'create', delivery: { ...created.delivery, outcome: { status: 'held', reason } } }
    : created;
};

const noRight = (ctx: DecideContext): Decision => ({
  type: 'refuse',
  reason: refusal('no-right', `You can read along here, but not drive. Ask ${ctx.whomToAsk}.`),
});

const tooFast = (pace: Pace): Decision => ({
  type: 'refuse',
  reason: refusal('too-fast', 'That was very much in a minute. Wait a little, then write again.'),
  isSilent: pace === 'still-too-fast',
});

/** One chat event, one decision. Pure: the same event in the same situation decides the same. */
export const decide = (event: ChatEvent, ctx: DecideContext): Decision => {
  const { body, actor } = event;
  const isEdit = body.type === 'edit' || body.type === 'delete';
  // Editing or deleting what never became a delivery concerns nobody.
  if (isEdit && ctx.delivery === undefined) return { type: 'ignore' };
  if (body.type === 'reaction' && !(body.isAdded && isStopSign(body.emoji, ctx.stopSigns))) {
    return { type: 'ignore' };
  }
  // Two programs that answer each other would never end.
  if (ctx.role === undefined && (actor.isBot || actor.isWebhook === true)) {
    return { type: 'ignore' };
  }
  if (ctx.pace !== 'fine' && !isEdit) return tooFast(ctx.pace);
  const spoken = forBridge(event, ctx);
  if (spoken !== undefined) return spoken;
  if (!mayDrive(ctx.role)) return isEdit ? { type: 'ignore' } : noRight(ctx);
  if (isEdit) {
    // Words that somebody else put into a person's message are not that person's.
    if (body.type === 'edit' && ctx.delivery?.actor !== actor.id) {
      return {
        type: 'refuse',
        reason: refusal('not-the-author', 'Only the author of a reply can change it.'),
      };
    }
    return onMessage(body, ctx.delivery);
  }
  if (ctx.isIgnored) return { type: 'refuse', reason: IGNORED };
  if (ctx.run === undefined) return NO_RUN;
  if (body.type === 'reaction') return commanded(event, askInterrupt(ctx.now, ctx), ctx);
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
