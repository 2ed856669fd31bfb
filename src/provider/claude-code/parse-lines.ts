import { isMeaningless } from './parse-skip.ts';

/** One whole line of a transcript. */
export interface Line {
  /** Without the newline; valid until the next chunk is pushed. Empty when `isTooLong`. */
  readonly bytes: Uint8Array;
  /** Byte offset of its first byte. */
  readonly offset: number;
  /** Byte offset behind its newline. */
  readonly end: number;
  /** It was longer than what is kept in memory, and dropped. */
  readonly isTooLong: boolean;
}

/** Bytes of one line that are kept; the API's own limits keep real rows far below. */
export const LONGEST_LINE = 16 * 1024 * 1024;
/** From here on a line without meaning is not kept while its end is awaited. */
const LONG_NOISE = 1024 * 1024;
const NEWLINE = 0x0a;
const NOTHING = new Uint8Array(0);

/** Cuts chunks into lines and keeps the partial last one. Memory: at most one line. */
export class LineSplitter {
  #kept: Uint8Array[] = [];
  #length = 0;
  #isDropping = false;
  #start: number;

  /** `offset`: of the first byte that will be pushed. */
  constructor(offset: number) {
    this.#start = offset;
  }

  /** Byte offset behind the last whole line that was taken: from here a reader starts again. */
  get consumed(): number {
    return this.#start;
  }

  /** The whole lines that this chunk ends or holds. The chunk may be used again afterwards. */
  *push(chunk: Uint8Array): Iterable<Line> {
    let from = 0;
    while (from < chunk.length) {
      const newline = chunk.indexOf(NEWLINE, from);
      if (newline < 0) {
        this.#keep(chunk.subarray(from));
        return;
      }
      const line = this.#line(chunk.subarray(from, newline));
      from = newline + 1;
      this.#start = line.end;
      yield line;
    }
  }

  #keep(part: Uint8Array): void {
    this.#length += part.length;
    if (this.#isDropping) return;
    // Copied: the reader fills its buffer anew.
    this.#kept.push(Uint8Array.from(part));
    const first = this.#kept[0] ?? NOTHING;
    if (this.#length > LONGEST_LINE || (this.#length > LONG_NOISE && isMeaningless(first))) {
      this.#isDropping = true;
      this.#kept = [];
    }
  }

  #line(tail: Uint8Array): Line {
    const end = this.#start + this.#length + tail.length + 1;
    const isTooLong = this.#isDropping || this.#length + tail.length > LONGEST_LINE;
    const bytes = isTooLong
      ? NOTHING
      : this.#kept.length === 0
        ? tail
        : Buffer.concat([...this.#kept, tail]);
    const line = { bytes, offset: this.#start, end, isTooLong };
    this.#kept = [];
    this.#length = 0;
    this.#isDropping = false;
    return line;
  }
}
