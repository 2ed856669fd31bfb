import { type Line, LONGEST_LINE } from './parse-lines.ts';
import { CHUNK, readAt } from './tail.ts';

const NEWLINE = 0x0a;
const NOTHING = new Uint8Array(0);

/**
 * The whole lines of a file before `end`, newest first, read in chunks. What stands behind the last
 * newline before `end` is a partial line and left out. Reads nothing before `floor`.
 */
export async function* linesBackwards(
  path: string,
  end: number,
  floor = 0,
): AsyncGenerator<Line, void, void> {
  /** Parts of the line whose beginning has not been read yet, first part first. */
  let parts: Uint8Array[] = [];
  let length = 0;
  /** End of that line behind its newline; `undefined` until a newline was met. */
  let lineEnd: number | undefined;
  const line = (offset: number, head: Uint8Array): Line | undefined => {
    if (lineEnd === undefined) return undefined;
    const isTooLong = length + head.length > LONGEST_LINE;
    const bytes = isTooLong ? NOTHING : parts.length === 0 ? head : Buffer.concat([head, ...parts]);
    return { bytes, offset, end: lineEnd, isTooLong };
  };
  for (let chunkEnd = end; chunkEnd > floor; ) {
    const start = Math.max(floor, chunkEnd - CHUNK);
    const chunk = await readAt(path, start, Buffer.allocUnsafe(chunkEnd - start));
    if (chunk === undefined || chunk.length < chunkEnd - start) return;
    let to = chunk.length;
    for (let at = chunk.lastIndexOf(NEWLINE); at >= 0; at = lastNewline(chunk, at)) {
      const found = line(start + at + 1, chunk.subarray(at + 1, to));
      if (found !== undefined) yield found;
      parts = [];
      length = 0;
      lineEnd = start + at + 1;
      to = at;
    }
    length += to;
    // Longer than what is kept: only its length matters from here on.
    parts = length > LONGEST_LINE ? [] : [chunk.subarray(0, to), ...parts];
    chunkEnd = start;
  }
  const first = floor === 0 ? line(0, NOTHING) : undefined;
  if (first !== undefined && (first.bytes.length > 0 || first.isTooLong)) yield first;
}

const lastNewline = (chunk: Buffer, before: number): number =>
  before === 0 ? -1 : chunk.lastIndexOf(NEWLINE, before - 1);
