import type { ChatEvent } from '../model/chat.ts';
import type { RunId } from '../model/ids.ts';
import type { Audit } from '../ports/audit.ts';
import type { DeliveryRecord, DeliveryStore } from '../ports/chat-store.ts';
import type { ReceiptSink } from '../ports/receipt-sink.ts';
import type { Decision } from './decide.ts';
import type { Settle } from './deliveries.settle.ts';
import { MARKS } from './notice.ts';
import { refusedWords } from './notice-words.ts';

export interface ActDeps {
  readonly store: DeliveryStore;
  readonly settle: Settle;
  readonly receipts: ReceiptSink;
  readonly audit: Audit;
  readonly holdForMs: number;
}

/** What is to be done after the transaction: deliveries that may be sent, runs to look at. */
export interface Acted {
  readonly start: readonly DeliveryRecord[];
  readonly nudge: readonly RunId[];
}

const NOTHING: Acted = { start: [], nudge: [] };

/** Writes a decision. Runs inside the transaction that marks the event as handled. */
export const act = (event: ChatEvent, decision: Decision, now: number, deps: ActDeps): Acted => {
  const { store, settle, receipts, audit } = deps;
  const said = (what: string, run: RunId, of: DeliveryRecord | undefined, outcome: string): void =>
    audit({
      who: event.actor.id,
      what,
      run,
      ...(of === undefined ? {} : { delivery: of.id }),
      outcome,
    });
  switch (decision.type) {
    case 'ignore':
      return NOTHING;
    case 'create': {
      const created = store.create(decision.delivery);
      settle.created(created);
      if (created.outcome.status === 'refused') return NOTHING;
      if (created.kind === 'interrupt' && store.pause(created.run)?.isConfirmed !== true) {
        store.setPause({ run: created.run, beforeSeq: created.seq, isConfirmed: false }, now);
      }
      return { start: [created], nudge: created.kind === 'interrupt' ? [created.run] : [] };
    }
    case 'wish': {
      settle.wish(decision.delivery.id, decision.wish);
      const { run } = decision.delivery;
      said(decision.wish.type, run, decision.delivery, 'asked');
      const after = store.find(decision.delivery.id);
      return {
        start: after !== undefined && after.kind !== 'reply' && !after.isSending ? [after] : [],
        nudge: [run],
      };
    }
    case 'again': {
      const of = decision.delivery;
      const wasTyped = of.outcome.status === 'returned';
      const after = store.update(
        of.id,
        {
          outcome: { status: 'waiting' },
          again: wasTyped || of.again,
          holdUntil: now + deps.holdForMs,
          isRequeued: true,
        },
        now,
      );
      settle.created(after);
      said('send again', of.run, of, 'asked');
      return { start: [after], nudge: [] };
    }
    case 'discard-returned': {
      const after = store.update(
        decision.delivery.id,
        { isSending: true, isDiscarding: true },
        now,
      );
      said('discard', after.run, after, 'asked');
      return { start: [after], nudge: [] };
    }
    case 'continue': {
      const { run } = decision;
      const pause = store.pause(run);
      store.clearPause(run);
      const kept = store
        .openOf(run)
        .filter((of) => of.kind === 'reply' && of.seq < (pause?.beforeSeq ?? 0));
      for (const of of kept) store.update(of.id, { holdUntil: now + deps.holdForMs }, now);
      said('continue', run, undefined, `${kept.length} replies go on`);
      return { start: [], nudge: [run] };
    }
    case 'refuse': {
      receipts.show({
        key: `refused:${event.key}`,
        target: event.target,
        actor: event.actor.id,
        ...(event.body.type === 'reply' && event.body.messageRef !== undefined
          ? { messageRef: event.body.messageRef }
          : {}),
        mark: MARKS.refused,
        text: refusedWords(decision.reason, {}),
        buttons: [],
        isPrivate: true,
      });
      audit({
        who: event.actor.id,
        what: event.body.type,
        run: undefined,
        outcome: `refused: ${decision.reason.why}`,
      });
      return NOTHING;
    }
  }
};
