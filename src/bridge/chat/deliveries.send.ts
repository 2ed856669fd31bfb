import type { HostCommand } from '../model/commands.ts';
import type { DeliveryOutcome } from '../model/delivery.ts';
import { BridgeError } from '../model/errors.ts';
import type { DeliveryRecord, DeliveryStore } from '../ports/chat-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { ChatLink } from '../ports/link.ts';

const REPLY_MS = 20_000;
/** A long text goes as many small pastes; each kB may take this much longer. */
const REPLY_MS_PER_KB = 500;
const ANSWER_MS = 15_000;
const INTERRUPT_MS = 10_000;
const DISCARD_MS = 10_000;
/** The host answers by the deadline; this much later the link counts as lost. */
const GRACE_MS = 5_000;

/** How long the host has for a command, ms. */
export const timeFor = (of: Pick<DeliveryRecord, 'kind' | 'text' | 'isDiscarding'>): number => {
  if (of.isDiscarding) return DISCARD_MS;
  switch (of.kind) {
    case 'reply':
      return REPLY_MS + Math.ceil(Buffer.byteLength(of.text) / 1000) * REPLY_MS_PER_KB;
    case 'answer':
      return ANSWER_MS;
    case 'interrupt':
      return INTERRUPT_MS;
  }
};

/** The command that a delivery is, now. Past its hold time the deadline is over: the host only says what it knows. */
export const commandFor = (of: DeliveryRecord, now: number, isOver: boolean): HostCommand => {
  const base = {
    delivery: of.id,
    run: of.run,
    deadline: isOver ? now : now + timeFor(of),
    by: of.by,
  };
  if (of.isDiscarding) return { ...base, type: 'discard' };
  if (of.kind === 'reply') {
    return { ...base, type: 'reply', text: of.text, ...(of.again ? { again: true } : {}) };
  }
  if (of.kind === 'interrupt') return { ...base, type: 'interrupt', turn: of.turn };
  if (of.dialog === undefined || of.answer === undefined) {
    throw new BridgeError('answer-incomplete', `answer ${of.id} names no dialog`, {
      certain: true,
    });
  }
  return { ...base, type: 'answer', dialog: of.dialog, answer: of.answer };
};

export interface SendDeps {
  readonly store: DeliveryStore;
  readonly clock: Clock;
  readonly link: ChatLink;
  readonly newId: () => string;
}

export type Sent =
  | { readonly outcome: DeliveryOutcome; readonly wasAgain: boolean }
  /** The link was lost; the host may have the command. Sending it again is safe. */
  | { readonly lost: unknown };

/**
 * Sends one command and waits for its outcome, at most until shortly after its deadline. That it
 * is under way is written first; `again` is taken off in the same write, so that a crash cannot
 * have the same text typed anew twice.
 */
export const send = async (delivery: DeliveryRecord, deps: SendDeps): Promise<Sent> => {
  const { store, clock, link, newId } = deps;
  const now = clock.now();
  const isOver = delivery.isSending && !delivery.isDiscarding && delivery.holdUntil <= now;
  const command = commandFor(delivery, now, isOver);
  store.update(delivery.id, { isSending: true, again: false }, now);
  const nap = new AbortController();
  const late = clock
    .sleep(command.deadline - now + GRACE_MS, nap.signal)
    .then(
      (): Sent => ({ lost: new BridgeError('link-late', 'no outcome came', { certain: false }) }),
    );
  try {
    const answer = link.command({ v: 1, id: newId(), at: now, body: command });
    return await Promise.race([
      answer.then((outcome): Sent => ({ outcome, wasAgain: delivery.again })),
      late,
    ]);
  } catch (error) {
    if (error instanceof BridgeError && error.certain && delivery.again) {
      store.update(delivery.id, { again: true }, clock.now());
    }
    return { lost: error };
  } finally {
    nap.abort();
  }
};
