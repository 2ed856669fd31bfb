import type { Nodes, PhrasingContent } from 'mdast';
import { LIMITS } from './limits.ts';

export interface Style {
  readonly bold?: true;
  readonly italic?: true;
  readonly strike?: true;
  readonly code?: true;
}

/** The smallest pieces of a `rich_text` block; `user` comes from the bridge alone, never from text. */
export type Leaf =
  | { readonly type: 'text'; readonly text: string; readonly style?: Style }
  | { readonly type: 'link'; readonly url: string; readonly text?: string; readonly style?: Style }
  | { readonly type: 'user'; readonly user_id: string };

/** Addresses of `[label][id]`, by identifier. */
export type Targets = ReadonlyMap<string, string>;

const styled = (style: Style): { readonly style?: Style } =>
  Object.keys(style).length === 0 ? {} : { style };

export const textLeaf = (text: string, style: Style = {}): readonly Leaf[] =>
  text === '' ? [] : [{ type: 'text', text, ...styled(style) }];

/** What a node says without any form. */
export const plainOf = (node: Nodes): string => {
  if ('value' in node) return node.value;
  if (node.type === 'break') return '\n';
  if ('alt' in node) return node.alt ?? '';
  return 'children' in node ? node.children.map((child) => plainOf(child)).join('') : '';
};

const SAFE = /^(?:https?:\/\/|mailto:)/i;
const looksLikeAddress = /(?:https?:\/\/|www\.)\S+|\b[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\b/i;

const bare = (url: string): string =>
  url.replace(/^(?:https?:\/\/|mailto:)/i, '').replace(/\/$/, '');

/** A link whose label cannot pretend to lead elsewhere; what no browser should open stays text. */
const linkLeaves = (url: string, label: string, style: Style): readonly Leaf[] => {
  const isSame = label === '' || label === url || bare(label) === bare(url);
  if (!SAFE.test(url) || url.length > LIMITS.linkUrl)
    return textLeaf(isSame || url === '' ? label || url : `${label} (${url})`, style);
  const text = isSame ? {} : { text: looksLikeAddress.test(label) ? `${label} (${url})` : label };
  return [{ type: 'link', url, ...text, ...styled(style) }];
};

const nodeLeaves = (node: PhrasingContent, targets: Targets, style: Style): readonly Leaf[] => {
  switch (node.type) {
    case 'text':
    case 'html':
      return textLeaf(node.value, style);
    case 'inlineCode':
      return textLeaf(node.value, { ...style, code: true });
    case 'break':
      return textLeaf('\n', style);
    case 'strong':
      return leavesOf(node.children, targets, { ...style, bold: true });
    case 'emphasis':
      return leavesOf(node.children, targets, { ...style, italic: true });
    case 'delete':
      return leavesOf(node.children, targets, { ...style, strike: true });
    case 'link':
      return linkLeaves(node.url, plainOf(node), style);
    case 'image':
      return linkLeaves(node.url, `🖼 ${node.alt || 'image'}`, style);
    case 'linkReference':
    case 'imageReference': {
      const url = targets.get(node.identifier);
      const label = plainOf(node);
      return url === undefined ? textLeaf(`[${label}]`, style) : linkLeaves(url, label, style);
    }
    case 'footnoteReference':
      return textLeaf(`[^${node.label ?? node.identifier}]`, style);
  }
};

/** Turns running text into leaves. Nothing in it can become a mention: there is no leaf for one. */
export const leavesOf = (
  nodes: readonly PhrasingContent[],
  targets: Targets,
  style: Style = {},
): readonly Leaf[] => merge(nodes.flatMap((node) => nodeLeaves(node, targets, style)));

/** Neighbours of one style become one. */
export const merge = (leaves: readonly Leaf[]): readonly Leaf[] => {
  const merged: Leaf[] = [];
  for (const leaf of leaves) {
    const last = merged.at(-1);
    const isSame =
      last?.type === 'text' &&
      leaf.type === 'text' &&
      JSON.stringify(last.style) === JSON.stringify(leaf.style);
    if (isSame) merged[merged.length - 1] = { ...last, text: last.text + leaf.text };
    else merged.push(leaf);
  }
  return merged;
};
