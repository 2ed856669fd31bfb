import type { DeliveryOutcome, HoldReason } from '../model/delivery.ts';
import { mayFollow } from '../model/delivery.ts';
import type { DeliveryId } from '../model/ids.ts';
import type { Audit } from '../ports/audit.ts';
import type { DeliveryPatch, DeliveryRecord, DeliveryStore, Wish } from '../ports/chat-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { ReceiptSink } from '../ports/receipt-sink.ts';
import type { ChangeEmitter } from './change-feed.ts';
import { CONTROL_WITHIN_MS } from './deliveries.lane.ts';
import { alreadySent, buttonsFor, explain } from './notice.ts';
import type { RefusalContext } from './notice-words.ts';

export interface SettleDeps {
  readonly store: DeliveryStore;
  readonly clock: Clock;
  readonly receipts: ReceiptSink;
  readonly audit: Audit;
  readonly changes: ChangeEmitter;
  /** What a person can type to resume or attach, for the words of a receipt. */
  readonly commands: (run: DeliveryRecord['run']) => RefusalContext;
}

export const describe = (outcome: DeliveryRecord['outcome']): string =>
  outcome.status === 'held' || outcome.status === 'refused'
    ? `${outcome.status}: ${outcome.reason.why}`
    : outcome.status;

/**
 * Writes what became of a delivery, with its receipt in the same transaction. The outcome of a
 * command and a later one from the host meet here in either order; D3 says which may follow which.
 */
export class Settle {
  readonly #deps: SettleDeps;

  constructor(deps: SettleDeps) {
    this.#deps = deps;
  }

  /** The host's answer to the command that is under way. `wasAgain`: it was a Send again. */
  answered(delivery: DeliveryId, outcome: DeliveryOutcome, wasAgain: boolean): void {
    this.#write(delivery, (before) => {
      const { status } = before.outcome;
      const isOpen = status === 'waiting' || status === 'held';
      const isNews = isOpen || mayFollow(status, outcome.status);
      return {
        isSending: false,
        isDiscarding: false,
        // Held: nothing was typed in this try, so the next one is the same Send again.
        again: wasAgain && outcome.status === 'held',
        ...(isNews ? { outcome } : {}),
      };
    });
  }

  /** A later outcome, as the host saw it in the transcript. */
  later(delivery: DeliveryId, outcome: DeliveryOutcome): void {
    this.#write(delivery, (before) =>
      before.outcome.status === 'waiting' || mayFollow(before.outcome.status, outcome.status)
        ? { outcome }
        : undefined,
    );
  }

  hold(delivery: DeliveryId, reason: HoldReason): void {
    this.#write(delivery, () => ({ outcome: { status: 'held', reason } }));
  }

  expire(delivery: DeliveryId): void {
    this.#write(delivery, () => ({
      outcome: { status: 'refused', reason: { why: 'expired', detail: '' } },
    }));
  }

  /** Shows a delivery for the first time, and what it already is (refused, held). */
  created(delivery: DeliveryRecord): void {
    this.#after(delivery, delivery.outcome.status !== 'waiting');
  }

  /** Does what a person wants of a delivery, at once or as soon as the keys under way are known. */
  wish(delivery: DeliveryId, wish: Wish): void {
    const { store, clock } = this.#deps;
    const before = store.find(delivery);
    if (before === undefined) return;
    if (before.isSending) store.update(delivery, { wish }, clock.now());
    else this.#write(delivery, () => this.#granted(before, wish));
  }

  #write(
    delivery: DeliveryId,
    patchFor: (before: DeliveryRecord) => DeliveryPatch | undefined,
  ): void {
    const { store, clock } = this.#deps;
    store.atomically(() => {
      const before = store.find(delivery);
      const patch = before === undefined ? undefined : patchFor(before);
      if (before === undefined || patch === undefined) return;
      let after = store.update(delivery, patch, clock.now());
      if (after.wish !== undefined && !after.isSending) {
        const granted = this.#granted(after, after.wish);
        after = store.update(delivery, { ...granted, wish: null }, clock.now());
      }
      this.#pauseBy(after);
      this.#after(after, after.revision !== before.revision);
    });
  }

  /** Receipt and audit of a changed delivery; told to listeners in any case. */
  #after(delivery: DeliveryRecord, isChanged: boolean): void {
    const { receipts, audit, changes, commands } = this.#deps;
    if (isChanged) {
      const notice = explain(delivery, commands(delivery.run));
      const { outcome } = delivery;
      receipts.show({
        key: `${delivery.id}:${delivery.revision}`,
        target: delivery.target,
        actor: delivery.actor,
        delivery: delivery.id,
        ...(delivery.messageRef === undefined ? {} : { messageRef: delivery.messageRef }),
        ...(notice.mark === undefined ? {} : { mark: notice.mark }),
        ...(notice.text === undefined ? {} : { text: notice.text }),
        ...(outcome.status === 'unknown' && outcome.screen !== ''
          ? { screen: outcome.screen }
          : {}),
        buttons: buttonsFor(notice.actions, delivery),
        isPrivate: outcome.status === 'refused' && outcome.reason.why === 'no-right',
      });
      audit({
        who: delivery.actor,
        what: delivery.kind,
        run: delivery.run,
        delivery: delivery.id,
        outcome: describe(outcome),
      });
    }
    changes.emit(delivery.run);
  }

  #granted(of: DeliveryRecord, wish: Wish): DeliveryPatch {
    const isOpen = of.outcome.status === 'waiting' || of.outcome.status === 'held';
    switch (wish.type) {
      case 'edit':
        if (isOpen || of.outcome.status === 'returned') return { text: wish.text };
        this.#note(of, 'edit');
        return {};
      case 'delete':
        if (isOpen) return refused('edited-away');
        this.#note(of, 'delete');
        return {};
      case 'discard':
        return isOpen ? refused('discarded') : {};
      case 'use-as-answer':
        return isOpen && of.kind === 'reply'
          ? {
              kind: 'answer',
              dialog: wish.dialog,
              answer: { type: 'own-words', text: of.text },
              outcome: { status: 'waiting' },
              holdUntil: this.#deps.clock.now() + CONTROL_WITHIN_MS,
              isRequeued: true,
            }
          : {};
    }
  }

  #note(of: DeliveryRecord, what: 'edit' | 'delete'): void {
    if (of.outcome.status === 'refused') return;
    this.#deps.receipts.show({
      key: `${of.id}:${what}:${this.#deps.clock.now()}`,
      target: of.target,
      actor: of.actor,
      ...(of.messageRef === undefined ? {} : { messageRef: of.messageRef }),
      text: alreadySent(what),
      buttons: [],
      isPrivate: false,
    });
  }

  /** Replies from before an interrupt stay back until `continue` (I3); an interrupt in doubt counts. */
  #pauseBy(delivery: DeliveryRecord): void {
    const { store, clock } = this.#deps;
    const { status } = delivery.outcome;
    if (delivery.kind !== 'interrupt' || status === 'waiting' || status === 'held') return;
    const { run, seq } = delivery;
    const hasOlder = store.openOf(run).some((other) => other.kind === 'reply' && other.seq < seq);
    if ((status === 'confirmed' || status === 'unknown') && hasOlder) {
      store.setPause({ run, beforeSeq: seq, isConfirmed: true }, clock.now());
    } else if (store.pause(run)?.isConfirmed === false) {
      store.clearPause(run);
    }
  }
}

const refused = (why: 'edited-away' | 'discarded'): DeliveryPatch => ({
  outcome: { status: 'refused', reason: { why, detail: '' } },
});
