import type {
  DialogItem,
  LifecycleItem,
  TextItem,
  ToolItem,
} from '../../bridge/model/conversation.ts';

/** Items before their digest is known. */
export type TextDraft = Omit<TextItem, 'digest'>;
export type ToolDraft = Omit<ToolItem, 'digest'>;
export type DialogDraft = Omit<DialogItem, 'digest'>;
export type LifecycleDraft = Omit<LifecycleItem, 'digest'>;
export type ItemDraft = TextDraft | ToolDraft | DialogDraft | LifecycleDraft;

const KEPT_INPUT = 64 * 1024;
const KEPT_OUTPUT = 256 * 1024;

/** Cuts at most one UTF-16 unit early, so that no pair is torn. */
const cut = (text: string, units: number): string => {
  if (text.length <= units) return text;
  const last = text.charCodeAt(units - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? units - 1 : units;
  return `${text.slice(0, end)}\n… (${text.length - end} more characters)`;
};

export const boundedInput = (text: string): string => cut(text, KEPT_INPUT);
export const boundedOutput = (text: string): string => cut(text, KEPT_OUTPUT);

/*
 * Objects are joined by `Object.assign` here: a spread with properties behind it took 2 to 7 µs in
 * V8 11 (Node 20.20), and every row of every transcript passes.
 */

/** Adds fields to a base that nobody else holds. */
export const joined = <Base extends object, Rest extends object>(
  base: Base,
  rest: Rest,
): Base & Rest => Object.assign(base, rest);

/** A copy with other values. */
export const changed = <Draft extends ItemDraft>(draft: Draft, part: Partial<Draft>): Draft =>
  Object.assign({}, draft, part);

/** Everything that is shown; identity, place and time are not content. */
const shown = (draft: ItemDraft): readonly (string | undefined)[] => {
  switch (draft.kind) {
    case 'text': {
      const { kind, parent, role, origin, status, text } = draft;
      return [kind, parent, role, origin, status, draft.endsTurn ? 'ends' : undefined, text];
    }
    case 'tool': {
      const { kind, parent, name, summary, status, input, output, diff } = draft;
      const started = draft.isBackground ? 'background' : undefined;
      return [kind, parent, name, summary, status, input, output, diff, started];
    }
    case 'dialog': {
      const { kind, parent, dialog, content, status, answers, note } = draft;
      return [kind, parent, dialog, JSON.stringify([content, answers]), status, note];
    }
    case 'lifecycle': {
      const { kind, parent, event, text, detail } = draft;
      return [kind, parent, event, text, detail];
    }
  }
};

/**
 * Adds the digest: the same content gives the same digest whatever file or place it was read from.
 * It tells revisions of one item apart and need not withstand an enemy.
 */
export const seal = <Draft extends ItemDraft>(
  draft: Draft,
): Draft & { readonly digest: string } => ({ digest: hashOf(shown(draft)), ...draft });

/**
 * Two 32-bit hashes side by side (cyrb53, public domain); absent and empty parts differ. A call of
 * `createHash` per item was a tenth of the whole reading time.
 */
const hashOf = (parts: readonly (string | undefined)[]): string => {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (const part of parts) {
    const length = part === undefined ? -1 : part.length;
    a = Math.imul(a ^ length, 2654435761);
    b = Math.imul(b ^ length, 1597334677);
    if (part === undefined) continue;
    for (let i = 0; i < length; i += 1) {
      const unit = part.charCodeAt(i);
      a = Math.imul(a ^ unit, 2654435761);
      b = Math.imul(b ^ unit, 1597334677);
    }
  }
  return hex(mix(a, b)) + hex(mix(b, a));
};

const mix = (x: number, y: number): number =>
  (Math.imul(x ^ (x >>> 16), 2246822507) ^ Math.imul(y ^ (y >>> 13), 3266489909)) >>> 0;
const hex = (n: number): string => n.toString(16).padStart(8, '0');
