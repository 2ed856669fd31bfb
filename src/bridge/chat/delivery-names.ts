import type { TextItem } from '../model/conversation.ts';
import type { RunId } from '../model/ids.ts';
import type { DeliveryRecord, DeliveryStore } from '../ports/chat-store.ts';
import type { DeliveryNames } from '../ports/delivery-names.ts';

/** Older deliveries are not looked through: the echo of one comes within its deadline. */
const lookedThrough = 50;

const isTyped = ({ outcome }: DeliveryRecord): boolean =>
  outcome.status !== 'held' && outcome.status !== 'refused';

/** The same but for white space at the ends: what the bridge adds there is not the person's (D1). */
const isSame = (a: string, b: string): boolean => a.trim() === b.trim();

/** Who is behind a text or an answer, from the deliveries of chat. */
export const makeDeliveryNames = (store: DeliveryStore): DeliveryNames => {
  const find = (run: RunId, test: (record: DeliveryRecord) => boolean) =>
    store.forRun(run, lookedThrough).findLast((record) => isTyped(record) && test(record));
  return {
    ofText(run: RunId, item: TextItem) {
      if (item.origin !== 'person' && item.origin !== 'queued') return undefined;
      const record = find(run, (r) => r.kind === 'reply' && isSame(r.text, item.text));
      return (
        record && {
          by: record.by,
          ...(record.messageRef !== undefined && { message: record.messageRef }),
        }
      );
    },
    ofDialog: (run, dialog) => find(run, (r) => r.kind === 'answer' && r.dialog === dialog)?.by,
  };
};
