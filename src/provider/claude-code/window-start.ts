import type { CommandMark } from './fold-markup.ts';
import { meaningOf } from './fold-user.ts';
import { parseLine } from './parse.ts';
import type { Row } from './schema.ts';
import { linesBackwards } from './tail-backwards.ts';

/** Bytes of one window, when it has any item at all. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Output and caveats belong to the command before them. */
const isBegun = (mark: CommandMark): boolean => mark.kind === 'command' || mark.kind === 'shell';

/** How many items a row begins, about. */
const itemsOf = (row: Row): number => {
  switch (row.type) {
    case 'assistant':
      return typeof row.message.content === 'string' ? 1 : row.message.content.length;
    case 'user': {
      const meaning = meaningOf(row);
      if (meaning.kind === 'mark') return isBegun(meaning.mark) ? 1 : 0;
      return meaning.kind === 'prompt' || meaning.kind === 'interrupted' ? 1 : 0;
    }
    case 'attachment':
      return row.attachment.type === 'queued_command' ? 1 : 0;
    case 'system':
      return row.subtype === 'compact_boundary' || row.subtype === 'informational' ? 1 : 0;
    default:
      return 0;
  }
};

/**
 * Where to begin so that about `limit` items stand before `end`; 0 at the beginning of the file.
 */
export const windowStart = async (path: string, end: number, limit: number): Promise<number> => {
  let items = 0;
  let start = end;
  for await (const line of linesBackwards(path, end)) {
    start = line.offset;
    const { row } = parseLine(line.bytes);
    items += row === undefined ? 0 : itemsOf(row);
    if (items >= limit || (items > 0 && end - start > MOST_BYTES)) return start;
  }
  return 0;
};
