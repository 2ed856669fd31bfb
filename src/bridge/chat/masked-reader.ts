import type { DeliveryView } from '../model/chat.ts';
import type { ItemWindow } from '../model/commands.ts';
import type { DeliveryReader, RunReader } from '../ports/run-reader.ts';
import type { Redact } from '../text/redact.ts';
import { redactItem, redactRun } from './redact-item.ts';

/**
 * The page masks like the threads do, always: a proxy or a tunnel carries it off the host, and a
 * phone that holds its token is not the host (P7). Who wants to see a secret looks at the terminal.
 */
export const maskRuns = (reader: RunReader, redact: Redact): RunReader => {
  const window = (of: ItemWindow): ItemWindow => ({
    ...of,
    items: of.items.map((item) => redactItem(item, redact, true)),
  });
  return {
    list: async () => (await reader.list()).map((run) => redactRun(run, redact)),
    run: async (id) => {
      const run = await reader.run(id);
      return run === null ? null : redactRun(run, redact);
    },
    window: async (run, before, limit) => window(await reader.window(run, before, limit)),
    changes: async (run, cursor) => window(await reader.changes(run, cursor)),
  };
};

const maskDelivery = (of: DeliveryView, redact: Redact): DeliveryView => ({
  ...of,
  by: redact(of.by),
  text: redact(of.text),
  ...(of.explanation === undefined ? {} : { explanation: redact(of.explanation) }),
  outcome:
    of.outcome.status === 'unknown'
      ? { ...of.outcome, screen: redact(of.outcome.screen) }
      : of.outcome,
});

export const maskDeliveries = (reader: DeliveryReader, redact: Redact): DeliveryReader => ({
  forRun: (run) => reader.forRun(run).map((of) => maskDelivery(of, redact)),
});
