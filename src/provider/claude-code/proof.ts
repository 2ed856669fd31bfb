import { type FileHandle, open, stat } from 'node:fs/promises';
import { isAbsent } from './is-absent.ts';
import { parseLine } from './parse.ts';
import { LineSplitter } from './parse-lines.ts';
import type { Row } from './schema.ts';

/** One row of a transcript that means something to us, and where it stands. */
export interface PlacedRow {
  readonly row: Row;
  /** Byte offset of its first byte. */
  readonly offset: number;
}

export interface RowsRead {
  readonly rows: readonly PlacedRow[];
  /** Behind the last whole line: where to read on. */
  readonly end: number;
}

const chunkBytes = 256 * 1024;

/** Size in bytes; 0 for a transcript that does not exist yet. Throws for any other trouble. */
export const sizeOf = async (file: string | undefined): Promise<number> => {
  if (file === undefined) return 0;
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (isAbsent(error)) return 0;
    throw error;
  }
};

const readFrom = async (handle: FileHandle, offset: number): Promise<RowsRead> => {
  const splitter = new LineSplitter(offset);
  const rows: PlacedRow[] = [];
  const chunk = Buffer.alloc(chunkBytes);
  for (let at = offset; ; ) {
    const { bytesRead } = await handle.read(chunk, 0, chunkBytes, at);
    if (bytesRead === 0) return { rows, end: splitter.consumed };
    at += bytesRead;
    for (const line of splitter.push(chunk.subarray(0, bytesRead))) {
      if (line.isTooLong) continue;
      const { row } = parseLine(line.bytes);
      if (row !== undefined) rows.push({ row, offset: line.offset });
    }
  }
};

/**
 * Every whole row from a byte offset on: the one source of proof for what was typed. A partial last
 * line is left for the next call (`end`). A missing file has no rows. `offset` must be the start of
 * a line or the file's size when it was taken: a file that was in the midst of a line then gives
 * that line's rest as an unreadable one.
 */
export const readRowsSince = async (
  file: string | undefined,
  offset: number,
): Promise<RowsRead> => {
  if (file === undefined) return { rows: [], end: offset };
  let handle: FileHandle;
  try {
    handle = await open(file, 'r');
  } catch (error) {
    if (isAbsent(error)) return { rows: [], end: offset };
    throw error;
  }
  try {
    return await readFrom(handle, offset);
  } finally {
    await handle.close();
  }
};

const firstTail = 256 * 1024;
const longestTail = 64 * 1024 * 1024;

/**
 * The last rows of a transcript, as many as are needed until `isEnough`, at most 64 MB: for
 * questions about the present that do not depend on how long the file is.
 */
export const readTail = async (
  file: string | undefined,
  isEnough: (rows: readonly PlacedRow[]) => boolean,
): Promise<RowsRead> => {
  const size = await sizeOf(file);
  for (let bytes = firstTail; ; bytes *= 8) {
    const from = Math.max(0, size - bytes);
    // The first line is partial unless it is the file's first: it reads as no row.
    const tail = await readRowsSince(file, from);
    if (from === 0 || bytes >= longestTail || isEnough(tail.rows)) return tail;
  }
};
