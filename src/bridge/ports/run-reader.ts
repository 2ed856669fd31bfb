import type { DeliveryView } from '../model/chat.ts';
import type { ItemWindow } from '../model/commands.ts';
import type { Cursor } from '../model/events.ts';
import type { RunId } from '../model/ids.ts';
import type { RunSummary } from '../model/run-state.ts';

/** Reads runs through from their transcripts; nothing is copied (R5). */
export interface RunReader {
  list(): Promise<readonly RunSummary[]>;
  run(run: RunId): Promise<RunSummary | null>;
  window(run: RunId, before: number | undefined, limit: number): Promise<ItemWindow>;
  changes(run: RunId, cursor: Cursor): Promise<ItemWindow>;
}

/** Deliveries, outcomes and notices of a run. */
export interface DeliveryReader {
  forRun(run: RunId): readonly DeliveryView[];
}

/** Tells listeners that something of a run changed; carries no content. `undefined`: the list of runs. */
export interface ChangeFeed {
  subscribe(listener: (run: RunId | undefined) => void): () => void;
}
