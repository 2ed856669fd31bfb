import { type Chain, link, newId } from './rows.ts';
import type { JsonObject } from './script.ts';

const iso = (at: number): string => new Date(at).toISOString();

export const enqueueRow = (chain: Chain, at: number, text: string): JsonObject => ({
  type: 'queue-operation',
  operation: 'enqueue',
  timestamp: iso(at),
  sessionId: chain.session,
  content: text,
});

export const dequeueRow = (chain: Chain, at: number): JsonObject => ({
  type: 'queue-operation',
  operation: 'dequeue',
  timestamp: iso(at),
  sessionId: chain.session,
});

/** Up takes the waiting messages back into the box. */
export const popAllRow = (chain: Chain, at: number, text: string): JsonObject => ({
  type: 'queue-operation',
  operation: 'popAll',
  timestamp: iso(at),
  sessionId: chain.session,
  content: text,
});

/** A waiting message goes in with a tool result: no user row, an attachment. */
export const absorbedRows = (
  chain: Chain,
  at: number,
  text: string,
  sentAt: number,
): { removed: JsonObject; attached: () => JsonObject } => {
  const commandUuid = newId(chain);
  const deliveryId = newId(chain);
  return {
    removed: {
      type: 'queue-operation',
      operation: 'remove',
      timestamp: iso(at),
      sessionId: chain.session,
      content: text,
      reason: 'absorbed_mid_turn',
      commandUuid,
      deliveryId,
    },
    attached: () =>
      link(chain, sentAt, {
        attachment: {
          type: 'queued_command',
          prompt: text,
          source_uuid: commandUuid,
          delivery_id: deliveryId,
          commandMode: 'prompt',
          origin: { kind: 'human' },
          timestamp: iso(sentAt),
          humanTurn: true,
        },
        type: 'attachment',
      }),
  };
};
