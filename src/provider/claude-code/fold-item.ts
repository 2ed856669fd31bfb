import { createHash } from 'node:crypto';
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

/** Everything that is shown; identity, place and time are not content. */
const shown = ({
  id: _id,
  session: _session,
  order: _order,
  at: _at,
  ...content
}: ItemDraft): unknown => content;

/** Adds the digest: the same content gives the same digest whatever file or place it was read from. */
export const seal = <Draft extends ItemDraft>(
  draft: Draft,
): Draft & { readonly digest: string } => ({
  ...draft,
  digest: createHash('sha256')
    .update(JSON.stringify(shown(draft)))
    .digest('hex')
    .slice(0, 16),
});
