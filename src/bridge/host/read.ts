import type { ItemWindow, ReadRequest, ReadResponse } from '../model/commands.ts';
import type { RunId } from '../model/ids.ts';
import type { RunHandle, RunSummary } from '../model/run-state.ts';
import {
  type AgentProvider,
  isTranscriptReader,
  type TranscriptReader,
} from '../ports/agent-provider.ts';
import type { HostStore } from '../ports/store.ts';
import type { RunTable } from './run-table.ts';

/** At most so many items in one answer, whatever was asked. */
const MOST_ITEMS = 500;

const GONE: ItemWindow = { items: [], cursor: '', isGone: true };
const EMPTY: ItemWindow = { items: [], cursor: '' };

/** Reads runs through for the page and for threads that fell behind (R5): nothing of it is kept. */
export const answerRead = async (
  deps: {
    readonly provider: AgentProvider;
    readonly table: RunTable;
    readonly store: HostStore;
    /** Rules of the configuration: what is private is not read, an ended run neither (R1). */
    readonly isShown: (run: RunHandle) => boolean;
  },
  request: ReadRequest,
): Promise<ReadResponse> => {
  const { provider, table, store, isShown } = deps;
  const find = (run: RunId): RunSummary | undefined => {
    const found = table.find(run);
    return found !== undefined && isShown(found) ? found : undefined;
  };
  const read = async (
    run: RunId,
    path: string | undefined,
    how: (reader: TranscriptReader, path: string) => Promise<ItemWindow>,
  ): Promise<ReadResponse> => {
    if (!isTranscriptReader(provider)) return { type: 'window', window: GONE };
    // A live run without a transcript has said nothing yet.
    if (path === undefined) {
      return { type: 'window', window: table.live(run) === undefined ? GONE : EMPTY };
    }
    return { type: 'window', window: await how(provider, path) };
  };
  const pathOf = (run: RunId): string | undefined => find(run)?.transcriptPath;
  switch (request.type) {
    case 'list':
      return { type: 'list', runs: table.list().filter(isShown) };
    case 'run':
      return { type: 'run', run: find(request.run) ?? null };
    case 'window':
      return read(request.run, pathOf(request.run), (r, path) =>
        r.window(path, request.before, Math.min(request.limit, MOST_ITEMS)),
      );
    case 'changes':
      return read(request.run, pathOf(request.run), (r, path) =>
        request.cursor === ''
          ? r.window(path, undefined, MOST_ITEMS)
          : r.changes(path, request.cursor),
      );
    case 'since':
      return read(
        request.run,
        find(request.run) && (store.transcriptOf(request.session) ?? pathOf(request.run)),
        (r, path) => r.since(path, request.offset, Math.min(request.limit, MOST_ITEMS)),
      );
  }
};
