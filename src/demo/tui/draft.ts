import type { Key } from './keys.ts';
import { graphemes, type VisualLine, wrap } from './text.ts';

/** The input box. A long paste stands in the text as its placeholder; `pastes` has what it stands for. */
export interface Draft {
  readonly text: string;
  /** UTF-16 offset of the cursor. */
  readonly cursor: number;
  readonly pastes: Readonly<Record<number, string>>;
  /** What ctrl+u took away last, for ctrl+y. */
  readonly killed: string;
}

export const emptyDraft: Draft = { text: '', cursor: 0, pastes: {}, killed: '' };

export const draftOf = (text: string): Draft => ({ ...emptyDraft, text, cursor: text.length });

/** Over 800 characters, or three newlines, a paste becomes a placeholder (800 and 2 stay inline: observed). */
const isChip = (text: string): boolean => text.length > 800 || text.split('\n').length > 3;

export const insert = (draft: Draft, text: string): Draft => ({
  ...draft,
  text: draft.text.slice(0, draft.cursor) + text + draft.text.slice(draft.cursor),
  cursor: draft.cursor + text.length,
});

/** Puts a whole chunk in: a bracketed paste, or plain keys that arrived at once. `number`: of the next placeholder. */
export const insertChunk = (draft: Draft, text: string, number: number): Draft => {
  if (!isChip(text)) return insert(draft, text);
  const newlines = text.split('\n').length - 1;
  const label = newlines > 0 ? `#${number} +${newlines} lines` : `#${number}`;
  return {
    ...insert(draft, `[Pasted text ${label}]`),
    pastes: { ...draft.pastes, [number]: text },
  };
};

/**
 * The text as it is sent: each placeholder is replaced by its paste, marked as pasted content.
 * Text that follows is set off by one more newline (observed).
 */
export const expand = (draft: Draft, contentId: string): string =>
  draft.text.replace(
    /\[Pasted text #(\d+)(?: \+\d+ lines)?\]/g,
    (label, number: string, at: number) => {
      const content = draft.pastes[Number(number)];
      if (content === undefined) return label;
      const isLast = at + label.length === draft.text.length;
      return `\n\n<pasted_content id="${contentId}">\n${content}\n</pasted_content id="${contentId}">\n${isLast ? '' : '\n'}`;
    },
  );

export const visualLines = (draft: Draft, columns: number): VisualLine[] =>
  wrap(draft.text, columns - 4);

/** Index of the visual line that the cursor is in. */
export const cursorLine = (lines: readonly VisualLine[], cursor: number): number =>
  lines.findLastIndex((line) => line.start <= cursor);

const moveVertically = (draft: Draft, columns: number, by: number): Draft => {
  const lines = visualLines(draft, columns);
  const at = cursorLine(lines, draft.cursor);
  const from = lines[at];
  const to = lines[at + by];
  if (!from || !to) return draft;
  return {
    ...draft,
    cursor: Math.min(to.start + (draft.cursor - from.start), to.start + to.text.length),
  };
};

/** Deletes to the start of the visual line; at its start, what is before it (a newline). */
const killLine = (draft: Draft, columns: number): Draft => {
  const lines = visualLines(draft, columns);
  const start = lines[cursorLine(lines, draft.cursor)]?.start ?? 0;
  const from = start === draft.cursor ? Math.max(0, start - 1) : start;
  if (from === draft.cursor) return draft;
  return {
    ...draft,
    text: draft.text.slice(0, from) + draft.text.slice(draft.cursor),
    cursor: from,
    killed: draft.text.slice(from, draft.cursor),
  };
};

/** Editing keys; every other key leaves the draft as it is. */
export const edit = (draft: Draft, key: Key, columns: number): Draft => {
  const before = graphemes(draft.text.slice(0, draft.cursor)).at(-1)?.length ?? 0;
  const after = graphemes(draft.text.slice(draft.cursor))[0]?.length ?? 0;
  switch (key) {
    case 'left':
      return { ...draft, cursor: draft.cursor - before };
    case 'right':
      return { ...draft, cursor: draft.cursor + after };
    case 'up':
      return moveVertically(draft, columns, -1);
    case 'down':
      return moveVertically(draft, columns, 1);
    case 'ctrl-a': {
      const lines = visualLines(draft, columns);
      return { ...draft, cursor: lines[cursorLine(lines, draft.cursor)]?.start ?? 0 };
    }
    case 'ctrl-e':
      return { ...draft, cursor: endOfLine(draft) };
    case 'backspace':
      return {
        ...draft,
        text: draft.text.slice(0, draft.cursor - before) + draft.text.slice(draft.cursor),
        cursor: draft.cursor - before,
      };
    case 'ctrl-u':
      return killLine(draft, columns);
    case 'ctrl-y':
      return insert(draft, draft.killed);
    default:
      return draft;
  }
};

const endOfLine = (draft: Draft): number => {
  const newline = draft.text.indexOf('\n', draft.cursor);
  return newline === -1 ? draft.text.length : newline;
};
