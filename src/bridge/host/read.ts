import type { ItemWindow, ReadRequest, ReadResponse } from '../model/commands.ts';
import type { RunId } from '../model/ids.ts';
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
  deps: { provider: AgentProvider; table: RunTable; store: HostStore },
  request: ReadRequest,
): Promise<ReadResponse> => {
  const { provider, table, store } = deps;
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
  const pathOf = (run: RunId): string | undefined => table.find(run)?.transcriptPath;
  switch (request.type) {
    case 'list':
      return { type: 'list', runs: table.list() };
    case 'run':
      return { type: 'run', run: table.find(request.run) ?? null };
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
        store.transcriptOf(request.session) ?? pathOf(request.run),
        (r, path) => r.since(path, request.offset, Math.min(request.limit, MOST_ITEMS)),
      );
  }
};
