import type { ChatEventBody, DeliveryAction, NoticeButton, ReceiptMark } from '../model/chat.ts';
import type { DeliveryOutcome } from '../model/delivery.ts';
import type { DeliveryRecord } from '../ports/chat-store.ts';
import { heldWords, NOT_DONE, type RefusalContext, refusedWords } from './notice-words.ts';

/** What is said about one delivery. Pure data; the same on every surface. */
export interface Notice {
  /** Absent while nothing is known yet. */
  readonly mark?: ReceiptMark;
  /** One short sentence or two: what happened, what to do. Absent: the mark says enough. */
  readonly text?: string;
  readonly actions: readonly DeliveryAction[];
}

export const MARKS: Readonly<Record<DeliveryOutcome['status'], ReceiptMark>> = {
  confirmed: '✅',
  queued: '🕓',
  held: '⏸',
  refused: '⛔',
  returned: '↩',
  unknown: '❓',
};

type About = Pick<DeliveryRecord, 'kind' | 'outcome'>;

const stop = (text: string): string =>
  /[.!?…]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`;

const heldActions = (
  outcome: Extract<DeliveryOutcome, { status: 'held' }>,
): readonly DeliveryAction[] => {
  const { reason } = outcome;
  if (reason.why === 'stale' || reason.why === 'doubt') return ['send-again', 'discard'];
  if (reason.why === 'paused') return ['continue', 'discard'];
  if (reason.why === 'dialog' && reason.takesOwnWords && reason.dialog !== undefined) {
    return ['use-as-answer', 'discard'];
  }
  return ['discard'];
};

const returnedWords = (reason: string): string =>
  `Back in the input box, not sent: ${stop(reason)} Send again types it anew, Discard drops it.`;

const unknownWords = (kind: About['kind'], reason: string): string => {
  const done = { reply: 'Typed', answer: 'Keys were pressed', interrupt: 'Escape was pressed' }[
    kind
  ];
  const next = {
    reply: 'Look at its screen before you write it again; it is never typed twice by itself.',
    answer: 'Look at its screen before you answer again.',
    interrupt: 'It may still be running; look at it, then try again.',
  }[kind];
  return `${done}, but there is no proof that it arrived: ${stop(reason)} ${next}`;
};

/** One outcome in words, with what can be done about it (D3). */
export const explain = (about: About, ctx: RefusalContext = {}): Notice => {
  const { kind, outcome } = about;
  switch (outcome.status) {
    case 'waiting':
      return { actions: kind === 'reply' ? ['discard'] : [] };
    case 'confirmed': {
      const text = outcome.note ?? (kind === 'interrupt' ? 'Interrupted.' : undefined);
      return { mark: MARKS.confirmed, ...(text === undefined ? {} : { text }), actions: [] };
    }
    case 'queued':
      return {
        mark: MARKS.queued,
        ...(outcome.note === undefined ? {} : { text: outcome.note }),
        actions: [],
      };
    case 'held':
      return {
        mark: MARKS.held,
        text: heldWords(outcome.reason, ctx.attachCommand),
        actions: kind === 'reply' ? heldActions(outcome) : [],
      };
    case 'refused':
      return {
        mark: MARKS.refused,
        text:
          outcome.reason.why === 'discarded'
            ? 'Discarded.'
            : `${NOT_DONE[kind]}: ${refusedWords(outcome.reason, ctx)}`,
        actions: [],
      };
    case 'returned':
      return {
        mark: MARKS.returned,
        text: returnedWords(outcome.reason),
        actions: kind === 'reply' ? ['send-again', 'discard'] : [],
      };
    case 'unknown':
      return { mark: MARKS.unknown, text: unknownWords(kind, outcome.reason), actions: [] };
  }
};

const LABELS: Readonly<Record<DeliveryAction, string>> = {
  'send-again': 'Send again',
  discard: 'Discard',
  'use-as-answer': 'Use as the answer',
  continue: 'Continue',
};

const actionBody = (action: DeliveryAction, of: DeliveryRecord): ChatEventBody | undefined => {
  switch (action) {
    case 'send-again':
    case 'discard':
      return { type: action, delivery: of.id };
    case 'continue':
      return { type: 'continue' };
    case 'use-as-answer':
      return of.outcome.status === 'held' &&
        of.outcome.reason.why === 'dialog' &&
        of.outcome.reason.dialog !== undefined
        ? { type: 'use-as-answer', delivery: of.id, dialog: of.outcome.reason.dialog }
        : undefined;
  }
};

/** The actions as buttons of a chat notice. */
export const buttonsFor = (
  actions: readonly DeliveryAction[],
  of: DeliveryRecord,
): readonly NoticeButton[] =>
  actions.flatMap((name) => {
    const action = actionBody(name, of);
    const isAsked = of.outcome.status === 'held' && name === 'send-again';
    return action === undefined ? [] : [{ label: isAsked ? 'Send' : LABELS[name], action }];
  });

/** Said when a message was edited or deleted after it went (D7). */
export const alreadySent = (what: 'edit' | 'delete'): string =>
  what === 'edit'
    ? 'The earlier text was already sent to the agent; the edit stays here. Reply again to correct it.'
    : 'This was already sent to the agent; deleting it here does not take it back.';
