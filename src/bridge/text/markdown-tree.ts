import type { Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

const grammar = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] };

/** GitHub-flavoured Markdown as a tree, for platforms that do not read Markdown themselves. */
export const parseMarkdown = (markdown: string): Root => fromMarkdown(markdown, grammar);
