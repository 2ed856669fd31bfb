import type { DialogItem } from '../../bridge/model/conversation.ts';
import type { DeliveryOutcome } from '../../bridge/model/delivery.ts';
import type { DialogId, SessionId } from '../../bridge/model/ids.ts';
import { sameText } from './evidence.ts';
import { Fold } from './fold.ts';
import type { PlacedRow } from './proof.ts';

/** What the transcript says of one dialog; undefined where its call is not among the rows. PURE. */
export const dialogIn = (
  rows: readonly PlacedRow[],
  session: SessionId,
  dialog: DialogId,
): DialogItem | undefined => {
  const fold = new Fold({ session });
  for (const { row, offset } of rows) fold.push(row, offset);
  return fold
    .take()
    .items.find((item): item is DialogItem => item.kind === 'dialog' && item.dialog === dialog);
};

const closedText = (item: DialogItem): string => {
  const answers = Object.values(item.answers ?? {});
  switch (item.status) {
    case 'answered':
      return answers.length > 0
        ? `It was answered already: ${answers.join('; ')}.`
        : 'It was answered already.';
    case 'declined':
      return 'It was declined already.';
    case 'timed-out':
      return 'It has timed out: the agent went on without an answer.';
    default:
      return 'It is closed: the agent no longer waits for it.';
  }
};

/** For a dialog that is no longer open before any key of ours; undefined while it is open. PURE. */
export const refusalOfClosed = (item: DialogItem): DeliveryOutcome | undefined =>
  item.status === 'open'
    ? undefined
    : { status: 'refused', reason: { why: 'already-answered', detail: closedText(item) } };

/**
 * After our keys: what the transcript's own result makes of the answer (Q6). PURE. Undefined while
 * the dialog is open.
 */
export const outcomeOf = (item: DialogItem, expected: string): DeliveryOutcome | undefined => {
  if (item.status !== 'answered') return refusalOfClosed(item);
  const recorded = Object.values(item.answers ?? {}).join('; ');
  return sameText(expected, recorded)
    ? { status: 'confirmed' }
    : {
        status: 'confirmed',
        note: `The record holds another answer than the one that was chosen: “${recorded}” instead of “${expected}”.`,
      };
};
