/** A key that acts by itself; everything printable is text. */
export type Key =
  | 'enter'
  | 'escape'
  | 'tab'
  | 'shift-tab'
  | 'backspace'
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'ctrl-a'
  | 'ctrl-c'
  | 'ctrl-d'
  | 'ctrl-e'
  | 'ctrl-o'
  | 'ctrl-u'
  | 'ctrl-y';

/** What the terminal sent. One run of printable characters in one chunk is one text event, as in Claude Code. */
export type InputEvent =
  | { readonly type: 'key'; readonly key: Key }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'paste'; readonly text: string };

const pasteStart = '\x1b[200~';
const pasteEnd = '\x1b[201~';

const controls: Readonly<Record<string, Key>> = {
  '\r': 'enter',
  '\t': 'tab',
  '\x7f': 'backspace',
  '\b': 'backspace',
  '\x01': 'ctrl-a',
  '\x03': 'ctrl-c',
  '\x04': 'ctrl-d',
  '\x05': 'ctrl-e',
  '\x0f': 'ctrl-o',
  '\x15': 'ctrl-u',
  '\x19': 'ctrl-y',
};
const finals: Readonly<Record<string, Key>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  Z: 'shift-tab',
};

/** Longer chunks of plain keys with an Enter at their end take it in as a newline (observed: 300 characters 20/20). */
const swallowsEnterFrom = 129;

/**
 * Where a paste ends. A terminator inside the pasted text does not end it (observed: it vanishes,
 * and so does an Enter right after it): the last one before the next paste begins is the real one.
 */
const endOfPaste = (pending: string, from: number): number => {
  const next = pending.indexOf(pasteStart, from);
  const limit = next === -1 ? pending.length : next;
  return pending.slice(0, limit).lastIndexOf(pasteEnd);
};

const escapeSequence = (pending: string, at: number): { key?: Key; length: number } | undefined => {
  const match = /^\x1b(?:\[([0-9;<?]*)([A-Za-z~])|O([A-D]))/.exec(pending.slice(at, at + 24));
  if (match) {
    const key = finals[match[2] ?? match[3] ?? ''];
    return key ? { key, length: match[0].length } : { length: match[0].length };
  }
  return undefined;
};

export interface Decoded {
  readonly events: readonly InputEvent[];
  /** Bytes that may still become something: a lone escape, half a sequence, an open paste. */
  readonly rest: string;
}

/** Decodes what has arrived. `isFinal`: nothing followed for a while, so a lone escape is the key. */
export const decodeInput = (pending: string, isFinal: boolean): Decoded => {
  const events: InputEvent[] = [];
  let at = 0;
  while (at < pending.length) {
    if (pending.startsWith(pasteStart, at)) {
      const end = endOfPaste(pending, at + pasteStart.length);
      if (end < at + pasteStart.length) return { events, rest: pending.slice(at) };
      events.push({ type: 'paste', text: pending.slice(at + pasteStart.length, end) });
      at = end + pasteEnd.length;
      continue;
    }
    const char = pending[at] ?? '';
    if (char === '\x1b') {
      const sequence = escapeSequence(pending, at);
      if (sequence) {
        if (sequence.key) events.push({ type: 'key', key: sequence.key });
        at += sequence.length;
        continue;
      }
      const left = pending.slice(at);
      // Half a sequence stays until its rest comes: on a busy machine that takes its time.
      const isHalf = /^\x1b(?:\[[0-9;<?]*|O)$/.test(left);
      if (isHalf || (left === '\x1b' && !isFinal)) return { events, rest: left };
      const isMeta = left.length > 1 && left[1] !== '\x1b';
      if (!isMeta) events.push({ type: 'key', key: 'escape' });
      at += isMeta ? 2 : 1;
      continue;
    }
    const key = controls[char];
    if (key) {
      events.push({ type: 'key', key });
      at += 1;
      continue;
    }
    const run = /^[^\x00-\x09\x0b-\x1f\x7f]+/.exec(pending.slice(at))?.[0];
    if (run === undefined) {
      at += 1;
      continue;
    }
    const takesEnter = run.length >= swallowsEnterFrom && pending[at + run.length] === '\r';
    events.push({ type: 'text', text: takesEnter ? `${run}\n` : run });
    at += run.length + (takesEnter ? 1 : 0);
  }
  return { events, rest: '' };
};
