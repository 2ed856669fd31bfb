/** Characters as bits: one for each of ASCII, and one for all others. */
export type CharSet = bigint;

const others = 1n << 128n;
export const everything: CharSet = (others << 1n) - 1n;

const bit = (code: number): CharSet => (code < 128 ? 1n << BigInt(code) : others);
const range = (from: number, to: number): CharSet => {
  let set = to > 127 ? others : 0n;
  for (let code = from; code <= Math.min(to, 127); code++) set |= bit(code);
  return set;
};
const digits = range(48, 57);
const words = digits | range(65, 90) | range(97, 122) | bit(95);
const spaces = range(9, 13) | bit(32) | others;
const not = (set: CharSet): CharSet => (everything & ~set) | others;

/** What a regular expression is made of, as far as its running time depends on it. */
export type Node =
  | { readonly type: 'set'; readonly set: CharSet }
  | { readonly type: 'empty' }
  | { readonly type: 'back-reference' }
  | { readonly type: 'look'; readonly body: Node }
  | { readonly type: 'sequence'; readonly parts: readonly Node[] }
  | { readonly type: 'choice'; readonly branches: readonly Node[] }
  | { readonly type: 'repeat'; readonly min: number; readonly max: number; readonly body: Node };

export interface Parsed {
  readonly root: Node;
  /** The same pattern with every endless repetition bounded. */
  readonly bounded: string;
}

const escapes: Readonly<Record<string, CharSet>> = {
  d: digits,
  D: not(digits),
  w: words,
  W: not(words),
  s: spaces,
  S: not(spaces) | others,
  n: bit(10),
  r: bit(13),
  t: bit(9),
  v: bit(11),
  f: bit(12),
  0: bit(0),
};

const classItem =
  /\\u\{[0-9a-fA-F]+\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\[pP]\{[^}]*\}|\\.|[^\]]/suy;
const quantifier = /(?:[*+?]|\{(\d+)(,(\d*))?\})\??/uy;
const opening = /\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?/uy;

/** Reads a pattern that `new RegExp(…, 'u')` takes; `most` is what stands for "endless". */
class Reader {
  readonly #text: string;
  readonly #most: number;
  #at = 0;
  #bounded = '';

  constructor(text: string, most: number) {
    this.#text = text;
    this.#most = most;
  }

  read(): Parsed {
    return { root: this.#choice(), bounded: this.#bounded };
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found !== null) this.#at += found[0].length;
    return found;
  }

  #keep(text: string): void {
    this.#bounded += text;
  }

  #choice(): Node {
    const branches = [this.#sequence()];
    while (this.#text[this.#at] === '|') {
      this.#at++;
      this.#keep('|');
      branches.push(this.#sequence());
    }
    const [only] = branches;
    return branches.length === 1 && only !== undefined ? only : { type: 'choice', branches };
  }

  #sequence(): Node {
    const parts: Node[] = [];
    while (this.#at < this.#text.length && !'|)'.includes(this.#text[this.#at] ?? '')) {
      parts.push(this.#quantified(this.#atom()));
    }
    return { type: 'sequence', parts };
  }

  #quantified(body: Node): Node {
    const found = this.#take(quantifier);
    if (found === null) return body;
    const [whole, low, comma, high] = found;
    const lazy = whole.length > 1 && whole.endsWith('?') ? '?' : '';
    if (whole.startsWith('?')) {
      this.#keep(whole);
      return { type: 'repeat', min: 0, max: 1, body };
    }
    const min = low === undefined ? (whole.startsWith('+') ? 1 : 0) : Number(low);
    const isEndless = low === undefined || (comma !== undefined && high === '');
    const max = isEndless ? Number.POSITIVE_INFINITY : Number(high ?? low);
    this.#keep(isEndless ? `{${min},${Math.max(min, this.#most)}}${lazy}` : whole);
    return { type: 'repeat', min, max, body };
  }

  #atom(): Node {
    const char = this.#text[this.#at] ?? '';
    if (char === '(') return this.#group();
    if (char === '[') return { type: 'set', set: this.#class() };
    if (
      char === '^' ||
      char === '$' ||
      this.#text.startsWith('\\b', this.#at) ||
      this.#text.startsWith('\\B', this.#at)
    ) {
      const anchor = char === '\\' ? this.#text.slice(this.#at, this.#at + 2) : char;
      this.#at += anchor.length;
      this.#keep(anchor);
      return { type: 'empty' };
    }
    const [item = ''] = this.#take(classItem) ?? [];
    this.#keep(item);
    if (/^\\(?:[1-9]|k)/.test(item)) return { type: 'back-reference' };
    return { type: 'set', set: item === '.' ? not(bit(10) | bit(13)) : this.#setOf(item) };
  }

  #group(): Node {
    const [open = '('] = this.#take(opening) ?? [];
    this.#keep(open);
    const body = this.#choice();
    this.#at++;
    this.#keep(')');
    return /^\(\?<?[=!]/.test(open) ? { type: 'look', body } : body;
  }

  #class(): CharSet {
    const start = this.#at;
    this.#at++;
    const isNot = this.#text[this.#at] === '^';
    if (isNot) this.#at++;
    let set = 0n;
    while (this.#text[this.#at] !== ']' && this.#at < this.#text.length) {
      const [item = ''] = this.#take(classItem) ?? [];
      const isRange = this.#text[this.#at] === '-' && this.#text[this.#at + 1] !== ']';
      if (!isRange) {
        set |= this.#setOf(item);
        continue;
      }
      this.#at++;
      const [last = ''] = this.#take(classItem) ?? [];
      set |= range(this.#codeOf(item), this.#codeOf(last));
    }
    this.#at++;
    this.#keep(this.#text.slice(start, this.#at));
    return isNot ? not(set) : set;
  }

  #codeOf(item: string): number {
    const code = /^\\[ux]\{?([0-9a-fA-F]+)/.exec(item)?.[1];
    if (code !== undefined) return Number.parseInt(code, 16);
    return item.codePointAt(item.startsWith('\\') ? 1 : 0) ?? 0;
  }

  #setOf(item: string): CharSet {
    if (/^\\[pP]\{/.test(item)) return everything;
    const known = item.startsWith('\\') ? escapes[item.slice(1)] : undefined;
    return known ?? bit(this.#codeOf(item));
  }
}

export const parsePattern = (pattern: string, most: number): Parsed =>
  new Reader(pattern, most).read();
