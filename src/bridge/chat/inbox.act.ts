import type { ChatEvent, NoticeButton } from '../model/chat.ts';
import type { RunId } from '../model/ids.ts';
import type { Audit } from '../ports/audit.ts';
import type { DeliveryRecord, DeliveryStore } from '../ports/chat-store.ts';
import type { ReceiptSink } from '../ports/receipt-sink.ts';
import type { ThreadSettings } from '../ports/thread-settings.ts';
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
  readonly settings: Pick<ThreadSettings, 'change'>;
}

/** What is to be done after the transaction: deliveries that may be sent, runs to look at. */
export interface Acted {
  readonly start: readonly DeliveryRecord[];
  readonly nudge: readonly RunId[];
}

const NOTHING: Acted = { start: [], nudge: [] };

const goesOn = (count: number): string =>
  count === 0
    ? 'Nothing was kept back.'
    : `${count === 1 ? 'The reply' : `The ${count} replies`} that waited since the interrupt ${count === 1 ? 'goes' : 'go'} on.`;

/** What the bridge says to a command, in the thread. */
const tell = (
  event: ChatEvent,
  text: string,
  buttons: readonly NoticeButton[],
  { receipts }: Pick<ActDeps, 'receipts'>,
): void =>
  receipts.show({
    key: `command:${event.key}`,
    target: event.target,
    actor: event.actor.id,
    text,
    buttons,
    isPrivate: false,
  });

/** Writes a decision. Runs inside the transaction that marks the event as handled. */
export const act = (
  event: ChatEvent,
  decision: Decision,
  { run, now }: { readonly run: RunId | undefined; readonly now: number },
  deps: ActDeps,
): Acted => {
  const { store, settle, receipts, audit } = deps;
  const said = (
    what: string,
    about: RunId | undefined,
    of: DeliveryRecord | undefined,
    outcome: string,
  ): void =>
    audit({
      who: event.actor.id,
      what,
      run: about,
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
      const { run: about } = decision.delivery;
      said(decision.wish.type, about, decision.delivery, 'asked');
      const after = store.find(decision.delivery.id);
      return {
        start: after !== undefined && after.kind !== 'reply' && !after.isSending ? [after] : [],
        nudge: [about],
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
      const { run: about } = decision;
      const pause = store.pause(about);
      store.clearPause(about);
      const kept = store
        .openOf(about)
        .filter((of) => of.kind === 'reply' && of.seq < (pause?.beforeSeq ?? 0));
      for (const of of kept) store.update(of.id, { holdUntil: now + deps.holdForMs }, now);
      said('continue', about, undefined, `${kept.length} replies go on`);
      if ('thread' in event.target) tell(event, goesOn(kept.length), [], deps);
      return { start: [], nudge: [about] };
    }
    case 'say':
      tell(event, decision.text, decision.buttons, deps);
      said(decision.what, run, undefined, 'said');
      return NOTHING;
    case 'change': {
      const { change } = decision;
      deps.settings.change(event.target, change);
      // What a person without the right any more has waiting is not typed (A1).
      const isRevoked = change.type === 'grant' && change.role === undefined;
      const open = isRevoked && run !== undefined ? store.openOf(run) : [];
      const theirs = open.filter((of) => change.type === 'grant' && of.actor === change.actor);
      for (const of of theirs) settle.wish(of.id, { type: 'discard' });
      tell(event, decision.text, [], deps);
      said(decision.what, run, undefined, 'done');
      return NOTHING;
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
        ...(decision.isSilent === true ? {} : { text: refusedWords(decision.reason, {}) }),
        buttons: [],
        isPrivate: true,
      });
      audit({
        who: event.actor.id,
        what: event.body.type,
        run,
        outcome: `refused: ${decision.reason.why}`,
      });
      return NOTHING;
    }
  }
};
