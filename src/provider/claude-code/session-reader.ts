import type { SessionId } from '../../bridge/model/ids.ts';
import { Fold, type Folded, type LowWater, type TranscriptFacts } from './fold.ts';
import type { FoldOptions } from './fold-state.ts';
import { parseLine } from './parse.ts';
import type { Line } from './parse-lines.ts';
import type { Row } from './schema.ts';
import { lookAt, Tail } from './tail.ts';

export interface Step extends Folded {
  /** Everything that was in the file has been folded. */
  readonly isAtEnd: boolean;
}

const NOTHING: Step = { items: [], evidence: [], lookBacks: [], isAtEnd: true };

/** Where a reader begins. */
export interface Start {
  readonly path: string;
  readonly ino: number;
  readonly offset: number;
  /** Reads no line that begins here or later. */
  readonly until?: number;
  /** Reads nothing from the first row of this time on, ms since the epoch: another process wrote it. */
  readonly before?: number;
}

const isFrom = (row: Row, time: number): boolean =>
  'timestamp' in row && row.timestamp !== undefined && Date.parse(row.timestamp) >= time;

/** Lines that gave no row, and rows that were damaged, by reason: for the log and the metrics. */
type LineCounts = Record<string, number>;

/** Follows one transcript file and folds it, step by step, each one asked for. */
export class SessionReader {
  #options: FoldOptions;
  #fold: Fold;
  #tail: Tail | undefined;
  #at: Start;
  /** Behind the last line that was folded. */
  #offset: number;
  #lines: Iterator<Line> | undefined;
  /** A row of another process was met. */
  #isOver = false;
  readonly counts: LineCounts = {};

  constructor(start: Start, options: FoldOptions) {
    this.#options = options;
    this.#fold = new Fold(options);
    this.#at = start;
    this.#offset = start.offset;
    this.#tail = new Tail(start.path, start.ino, start.offset);
  }

  get session(): SessionId {
    return this.#options.session;
  }

  get path(): string {
    return this.#at.path;
  }

  /** Byte offset behind the last line that was folded. */
  get offset(): number {
    return this.#offset;
  }

  /** Goes on behind `until`. */
  readOn(): void {
    const { path, ino } = this.#at;
    this.#at = { path, ino, offset: this.#offset };
    this.#tail = new Tail(path, ino, this.#offset);
    this.#lines = undefined;
  }

  /** The file is away; `attach` when one stands there again. */
  get isGone(): boolean {
    return this.#tail === undefined;
  }

  get facts(): TranscriptFacts {
    return this.#fold.facts();
  }

  /** See `Fold.agentCall`. */
  agentCall(key: { call?: string; agent: string }): { call: string; order: number } | undefined {
    return this.#fold.agentCall(key);
  }

  /** Goes on in a file that came back, or, when it is another one, behind what was shown already. */
  async attach(path: string): Promise<void> {
    const seen = await lookAt(path);
    if (seen === undefined) return;
    const { ino } = this.#at;
    const offset = this.#offset;
    if (ino === seen.ino && seen.size >= offset) {
      this.#at = { path, ino, offset };
      this.#tail = new Tail(path, ino, offset);
    } else this.#restart(path, seen.ino);
  }

  /** At most about `limit` items; reads one chunk only when the last one is used up. */
  async read(limit: number): Promise<Step> {
    if (this.#isOver) return { ...this.#fold.take(), isAtEnd: true };
    if (this.#lines === undefined) {
      const came = await this.#nextChunk();
      if (came === 'gone') return NOTHING;
      if (came !== 'lines') return { ...this.#fold.take(), isAtEnd: came === 'end' };
    }
    while (this.#fold.pending < limit) {
      const next = this.#lines?.next();
      if (next === undefined || next.done === true) {
        this.#lines = undefined;
        break;
      }
      if (this.#isBehind(next.value)) return { ...this.#fold.take(), isAtEnd: true };
      this.#line(next.value);
      if (this.#isOver) return { ...this.#fold.take(), isAtEnd: true };
    }
    return { ...this.#fold.take(), isAtEnd: false };
  }

  /** What is folded is closed: see `Fold.endRun`. */
  endRun(before: number): Folded {
    this.#fold.endRun(before);
    return this.#fold.take();
  }

  /** From here everything that can still change is read again. */
  position(): LowWater & { readonly ino: number; readonly notBefore?: number } {
    const { notBefore } = this.#options;
    return {
      ...this.#fold.lowWater(this.#offset),
      ino: this.#at.ino,
      ...(notBefore === undefined ? {} : { notBefore }),
    };
  }

  #isBehind(line: Line): boolean {
    return this.#at.until !== undefined && line.offset >= this.#at.until;
  }

  #line(line: Line): void {
    const parsed = line.isTooLong
      ? ({ row: undefined, why: 'too-long' } as const)
      : parseLine(line.bytes);
    const { before } = this.#at;
    if (before !== undefined && parsed.row !== undefined && isFrom(parsed.row, before)) {
      this.#isOver = true;
      return;
    }
    if (parsed.row === undefined) this.#count(parsed.why);
    else {
      if (parsed.isDamaged) this.#count('damaged');
      this.#fold.push(parsed.row, line.offset);
    }
    this.#offset = line.end;
  }

  #count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  async #nextChunk(): Promise<'lines' | 'end' | 'gone' | 'again'> {
    if (this.#tail === undefined) return 'gone';
    const step = await this.#tail.step();
    if (step.kind === 'lines') this.#lines = step.lines[Symbol.iterator]();
    if (step.kind === 'lines' || step.kind === 'end') return step.kind;
    this.#tail = undefined;
    if (step.kind === 'gone') return 'gone';
    await this.attach(this.#at.path);
    return 'again';
  }

  /**
   * Another file stands there (rotated, restored, cut): read from its first byte, but what is older
   * than the oldest thing that could still change was shown already.
   */
  #restart(path: string, ino: number): void {
    this.#count('replaced');
    const { context } = this.position();
    const notBefore = Math.max(context.lastAt, this.#options.notBefore ?? 0);
    const { context: _old, ...options } = this.#options;
    this.#options = { ...options, notBefore };
    this.#fold = new Fold(this.#options);
    this.#at = { path, ino, offset: 0 };
    this.#offset = 0;
    this.#lines = undefined;
    this.#tail = new Tail(path, ino, 0);
  }
}
