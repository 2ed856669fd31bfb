import type { InputEvent } from './keys.ts';
import type { ApprovalText } from './script.ts';
import { normalisePaste } from './text.ts';

/** Dialogs that are a list of entries. `menu`: rewind, /status: what the registry calls "dialog open". */
export type Menu =
  | { readonly kind: 'approval'; readonly approval: ApprovalText; readonly cursor: number }
  | {
      readonly kind: 'plan';
      readonly plan: string;
      readonly file: string;
      readonly cursor: number;
      readonly isTyping: boolean;
      readonly words: string;
    }
  | { readonly kind: 'trust'; readonly cursor: number }
  | {
      readonly kind: 'menu';
      readonly title: 'Rewind' | 'Status';
      readonly entries: readonly string[];
      readonly cursor: number;
    };

export type MenuOutcome =
  | { readonly type: 'open'; readonly menu: Menu }
  /** Entry by number, from 0. */
  | { readonly type: 'chosen'; readonly entry: number }
  | { readonly type: 'feedback'; readonly words: string }
  | { readonly type: 'cancelled' };

export const planEntries: readonly string[] = [
  'Yes, and use auto mode',
  'Yes, manually approve edits',
  'Tell Claude what to change',
];

export const trustEntries: readonly string[] = ['No, exit', 'Yes, I trust this folder'];

export const entriesOf = (menu: Menu): readonly string[] => {
  switch (menu.kind) {
    case 'approval':
      return menu.approval.options;
    case 'plan':
      return planEntries;
    case 'trust':
      return trustEntries;
    case 'menu':
      return menu.entries;
  }
};

const open = (menu: Menu): MenuOutcome => ({ type: 'open', menu });
const takesWords = (menu: Menu, entry: number): boolean => menu.kind === 'plan' && entry === 2;

const pressWhileTyping = (
  menu: Menu & { kind: 'plan' },
  event: InputEvent,
): MenuOutcome | undefined => {
  if (event.type === 'text') return open({ ...menu, words: menu.words + event.text });
  if (event.type === 'paste')
    return open({ ...menu, words: menu.words + normalisePaste(event.text) });
  if (event.key === 'backspace') return open({ ...menu, words: menu.words.slice(0, -1) });
  if (event.key !== 'enter') return undefined;
  return menu.words.trim() === '' ? open(menu) : { type: 'feedback', words: menu.words.trim() };
};

/** One key on an open menu. A digit acts at once, except where the entry takes words; other text does nothing. */
export const pressMenu = (menu: Menu, event: InputEvent): MenuOutcome => {
  if (event.type === 'key' && event.key === 'escape') return { type: 'cancelled' };
  if (menu.kind === 'plan' && menu.isTyping) {
    const typed = pressWhileTyping(menu, event);
    if (typed) return typed;
  }
  const entries = entriesOf(menu);
  const choose = (entry: number): MenuOutcome =>
    menu.kind === 'plan' && takesWords(menu, entry)
      ? open({ ...menu, cursor: entry, isTyping: true })
      : { type: 'chosen', entry };
  if (event.type === 'text') {
    const entry = Number(event.text) - 1;
    const hasDigits = menu.kind === 'approval' || menu.kind === 'plan';
    return hasDigits && event.text.length === 1 && entries[entry] !== undefined
      ? choose(entry)
      : open(menu);
  }
  if (event.type === 'paste') return open(menu);
  if (event.key === 'enter') return choose(menu.cursor);
  const by = event.key === 'up' ? -1 : event.key === 'down' ? 1 : 0;
  const cursor = Math.max(0, Math.min(entries.length - 1, menu.cursor + by));
  return open(
    menu.kind === 'plan'
      ? { ...menu, cursor, isTyping: takesWords(menu, cursor) && by !== 0 }
      : { ...menu, cursor },
  );
};
