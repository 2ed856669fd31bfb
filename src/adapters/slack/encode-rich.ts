import type { List, ListItem, Nodes, PhrasingContent, Root, RootContent } from 'mdast';
import { parseMarkdown } from '../../bridge/text/markdown-tree.ts';
import { type Leaf, leavesOf, merge, plainOf, type Targets, textLeaf } from './encode-inline.ts';
import { tableText } from './encode-table.ts';
import { LIMITS } from './limits.ts';

interface Section {
  readonly type: 'rich_text_section';
  readonly elements: readonly Leaf[];
}
export type RichElement =
  | Section
  | { readonly type: 'rich_text_quote'; readonly elements: readonly Leaf[] }
  | { readonly type: 'rich_text_preformatted'; readonly elements: readonly Leaf[] }
  | {
      readonly type: 'rich_text_list';
      readonly style: 'bullet' | 'ordered';
      readonly indent?: number;
      readonly offset?: number;
      readonly elements: readonly Section[];
    };

const section = (elements: readonly Leaf[]): Section => ({ type: 'rich_text_section', elements });
const orBlank = (leaves: readonly Leaf[]): readonly Leaf[] =>
  leaves.length === 0 ? textLeaf(' ') : leaves;

export const preformatted = (text: string): RichElement => ({
  type: 'rich_text_preformatted',
  elements: orBlank(textLeaf(text)),
});

const targetsOf = (root: Root): Targets =>
  new Map(root.children.flatMap((n) => (n.type === 'definition' ? [[n.identifier, n.url]] : [])));

/** Running text of one block, or undefined where it is not running text. */
const runningText = (node: RootContent, targets: Targets): readonly Leaf[] | undefined => {
  switch (node.type) {
    case 'paragraph':
      return leavesOf(node.children, targets);
    case 'heading':
      return leavesOf(node.children, targets, { bold: true });
    case 'html':
      return textLeaf(node.value);
    case 'thematicBreak':
      return textLeaf('⸻');
    case 'definition':
      return textLeaf(`[${node.label ?? node.identifier}]: ${node.url}`);
    default:
      return undefined;
  }
};

const isUsed = (id: string, node: Nodes): boolean =>
  ((node.type === 'linkReference' || node.type === 'imageReference') && node.identifier === id) ||
  ('children' in node && node.children.some((child: Nodes) => isUsed(id, child)));

/** Blocks in order; running text that follows running text stands in one section. */
const elementsOf = (
  nodes: readonly RootContent[],
  targets: Targets,
  asQuote = false,
): readonly RichElement[] => {
  const done: RichElement[] = [];
  let open: readonly Leaf[] = [];
  const flush = (): void => {
    const leaves = merge(open);
    if (leaves.length > 0)
      done.push(asQuote ? { type: 'rich_text_quote', elements: leaves } : section(leaves));
    open = [];
  };
  for (const node of nodes) {
    const leaves = runningText(node, targets);
    if (leaves !== undefined) {
      if (leaves.length > 0)
        open = [...open, ...(open.length > 0 ? textLeaf('\n\n') : []), ...leaves];
      continue;
    }
    flush();
    done.push(...blockOf(node, targets));
  }
  flush();
  return done;
};

const blockOf = (node: RootContent, targets: Targets): readonly RichElement[] => {
  switch (node.type) {
    case 'code':
      return [preformatted(node.value)];
    case 'table':
      return [preformatted(tableText(node))];
    case 'blockquote':
      return elementsOf(node.children, targets, true);
    case 'list':
      return listOf(node, targets, 0);
    case 'footnoteDefinition': {
      const label = textLeaf(`[^${node.label ?? node.identifier}]: `);
      return [section(label), ...elementsOf(node.children, targets)];
    }
    default:
      return [section(orBlank(textLeaf(plainOf(node))))];
  }
};

const boxes = { true: '☑ ', false: '☐ ' } as const;

const itemText = (item: ListItem, targets: Targets): readonly Leaf[] => {
  const box = typeof item.checked === 'boolean' ? textLeaf(boxes[`${item.checked}`]) : [];
  const paragraphs: PhrasingContent[][] = [];
  for (const child of item.children) {
    if (child.type !== 'paragraph') break;
    paragraphs.push(child.children);
  }
  const text = paragraphs.flatMap((p, n) => [
    ...(n > 0 ? textLeaf('\n') : []),
    ...leavesOf(p, targets),
  ]);
  return orBlank(merge([...box, ...text]));
};

/** A list and what its items hold: nested lists by indent, everything else between two pieces. */
const listOf = (list: List, targets: Targets, indent: number): readonly RichElement[] => {
  const done: RichElement[] = [];
  const style = list.ordered === true ? 'ordered' : 'bullet';
  const first = Math.max(0, (list.start ?? 1) - 1);
  let open: Section[] = [];
  let count = 0;
  const flush = (): void => {
    if (open.length === 0) return;
    const offset = first + count - open.length;
    done.push({
      type: 'rich_text_list',
      style,
      ...(indent > 0 && { indent }),
      ...(style === 'ordered' && offset > 0 && { offset }),
      elements: open,
    });
    open = [];
  };
  for (const item of list.children) {
    open.push(section(itemText(item, targets)));
    count++;
    const rest = item.children.slice(item.children.findIndex((c) => c.type !== 'paragraph'));
    if (item.children.every((c) => c.type === 'paragraph')) continue;
    flush();
    for (const child of rest)
      done.push(
        ...(child.type === 'list'
          ? listOf(child, targets, Math.min(indent + 1, LIMITS.listIndent))
          : elementsOf([child], targets)),
      );
  }
  flush();
  return done;
};

const sizeOfLeaf = (leaf: Leaf): number =>
  leaf.type === 'text'
    ? leaf.text.length
    : leaf.type === 'link'
      ? leaf.url.length + (leaf.text?.length ?? 0)
      : 20;

export const leavesIn = (elements: readonly RichElement[]): readonly Leaf[] =>
  elements.flatMap((e) =>
    e.type === 'rich_text_list' ? e.elements.flatMap((s) => s.elements) : e.elements,
  );

export const sizeOf = (elements: readonly RichElement[]): number =>
  leavesIn(elements).reduce((sum, leaf) => sum + sizeOfLeaf(leaf), 0);

/** Deeper quotes and lists than this are an attack on whoever walks the tree. */
const tooDeep = /^(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])[ \t]*){30}/m;

/**
 * Markdown as the elements of a `rich_text` block, which has its own element for a mention: text
 * can never ping. What would become too large for Slack is shown as it was written.
 */
export const richText = (markdown: string): readonly RichElement[] => {
  if (tooDeep.test(markdown)) return [preformatted(markdown)];
  const root = parseMarkdown(markdown);
  const shown = root.children.filter(
    (node) => node.type !== 'definition' || !isUsed(node.identifier, root),
  );
  const elements = elementsOf(shown, targetsOf(root));
  const isTooMuch =
    sizeOf(elements) > LIMITS.blockText || leavesIn(elements).length > LIMITS.leaves;
  return isTooMuch ? [preformatted(markdown)] : elements;
};
