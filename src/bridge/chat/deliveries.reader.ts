import type { DeliveryView } from '../model/chat.ts';
import type { RunId } from '../model/ids.ts';
import type { DeliveryRecord, DeliveryStore } from '../ports/chat-store.ts';
import type { DeliveryReader } from '../ports/run-reader.ts';
import { explain } from './notice.ts';
import type { RefusalContext } from './notice-words.ts';

/** More is history; the transcript holds it. */
const SHOWN = 100;

const toView = (of: DeliveryRecord, ctx: RefusalContext): DeliveryView => {
  const notice = explain(of, ctx);
  return {
    id: of.id,
    run: of.run,
    kind: of.kind,
    by: of.by,
    text: of.text,
    outcome: of.outcome,
    ...(notice.text === undefined ? {} : { explanation: notice.text }),
    ...(notice.mark === undefined ? {} : { mark: notice.mark }),
    actions: of.isSending
      ? notice.actions.filter((action) => action !== 'send-again')
      : notice.actions,
    eventKey: of.eventKey,
    createdAt: of.createdAt,
    updatedAt: of.updatedAt,
  };
};

/** Deliveries as people see them. `commands` gives what a person can type to resume or attach. */
export const createDeliveryReader = (deps: {
  readonly store: DeliveryStore;
  readonly commands: (run: RunId) => RefusalContext;
}): DeliveryReader => ({
  forRun: (run) => {
    const ctx = deps.commands(run);
    return deps.store.forRun(run, SHOWN).map((record) => toView(record, ctx));
  },
});
