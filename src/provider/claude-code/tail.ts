import { open, stat } from 'node:fs/promises';
import { isAbsent } from './is-absent.ts';
import { type Line, LineSplitter } from './parse-lines.ts';

/** Bytes per read: what a slow consumer can leave unread in memory. */
export const CHUNK = 256 * 1024;
/** Opening the file for each chunk costs too much where there are many to read. */
const LONG_CHUNK = 1024 * 1024;
const LONG_BACKLOG = 4 * LONG_CHUNK;

type TailStep =
  /** Whole lines that came; take them all before the next step. */
  | { readonly kind: 'lines'; readonly lines: Iterable<Line> }
  /** Nothing new behind the last byte that was read. */
  | { readonly kind: 'end' }
  /** No such file now; it may come (back). */
  | { readonly kind: 'gone' }
  /** Another file, or a shorter one, stands there: start again. */
  | { readonly kind: 'replaced' };

/** A file's identity and size; `undefined` where there is none. */
export const lookAt = async (
  path: string,
): Promise<{ ino: number; size: number; bornAt: number } | undefined> => {
  try {
    const { ino, size, birthtimeMs } = await stat(path);
    return { ino, size, bornAt: birthtimeMs };
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
};

/**
 * Reads one growing file by bytes. Each step is asked for, reads one chunk and holds at most that
 * and one partial line. Offsets count what was really consumed, never what `stat` said.
 */
export class Tail {
  readonly path: string;
  readonly ino: number;
  #read: number;
  /** What the file's size was when it was looked at. */
  #size = 0;
  #buffer: Buffer | undefined;
  readonly #splitter: LineSplitter;

  /** `offset`: where a line begins. */
  constructor(path: string, ino: number, offset: number) {
    this.path = path;
    this.ino = ino;
    this.#read = offset;
    this.#splitter = new LineSplitter(offset);
  }

  /** Byte offset behind the last whole line that was taken. */
  get consumed(): number {
    return this.#splitter.consumed;
  }

  async step(): Promise<TailStep> {
    // While a backlog is read the file is looked at once, not for each chunk.
    if (this.#read >= this.#size) {
      this.#buffer = undefined;
      const seen = await lookAt(this.path);
      if (seen === undefined) return { kind: 'gone' };
      if (seen.ino !== this.ino || seen.size < this.#read) return { kind: 'replaced' };
      if (seen.size === this.#read) return { kind: 'end' };
      this.#size = seen.size;
    }
    const chunk = await this.#chunk();
    if (chunk === undefined) return { kind: 'gone' };
    if (chunk.length === 0) {
      // Shorter than it was a moment ago, or than a network file system remembers: looked at anew
      // at the next step. Asking again at once would spin for as long as the size is wrong.
      this.#size = this.#read;
      return { kind: 'end' };
    }
    this.#read += chunk.length;
    return { kind: 'lines', lines: this.#splitter.push(chunk) };
  }

  /** The same memory for all chunks of a backlog; its lines are taken before the next one is read. */
  async #chunk(): Promise<Buffer | undefined> {
    const left = this.#size - this.#read;
    if (left < CHUNK) return readAt(this.path, this.#read, Buffer.allocUnsafe(left));
    const length = left > LONG_BACKLOG ? LONG_CHUNK : CHUNK;
    if (this.#buffer?.length !== length) this.#buffer = Buffer.allocUnsafe(length);
    return readAt(this.path, this.#read, this.#buffer);
  }
}

/** Fills the buffer from `offset`; less at the end; `undefined` where there is no file. */
export const readAt = async (
  path: string,
  offset: number,
  buffer: Buffer,
): Promise<Buffer | undefined> => {
  const { length } = buffer;
  try {
    const file = await open(path, 'r');
    try {
      let filled = 0;
      while (filled < length) {
        const { bytesRead } = await file.read(buffer, filled, length - filled, offset + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return buffer.subarray(0, filled);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
};
