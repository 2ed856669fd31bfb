import { h } from './dom.js';
import { parseMarkdown } from './markdown.js';
import { parseInline } from './markdown-inline.js';

/**
 * @typedef {import('./markdown.js').Block} Block
 * @typedef {import('./markdown-inline.js').Inline} Inline
 */

/**
 * @param {readonly Inline[]} inlines
 * @returns {(Node | string)[]}
 */
const inlineNodes = (inlines) =>
  inlines.map((inline) => {
    switch (inline.type) {
      case 'text':
        return inline.text;
      case 'code':
        return h('code', {}, inline.text);
      case 'break':
        return h('br');
      case 'link':
        return h(
          'a',
          { href: inline.href, target: '_blank', rel: 'noopener noreferrer nofollow' },
          inlineNodes(inline.children),
        );
      default:
        return h(inline.type, {}, inlineNodes(inline.children));
    }
  });

/**
 * @param {Block} block
 * @returns {HTMLElement}
 */
const blockNode = (block) => {
  switch (block.type) {
    case 'paragraph':
      return h('p', { dir: 'auto' }, inlineNodes(block.children));
    case 'heading':
      // The thread's own headings end at h2: what the agent writes goes below them.
      return h(
        /** @type {'h3' | 'h4' | 'h5' | 'h6'} */ (`h${Math.min(block.level + 2, 6)}`),
        { dir: 'auto' },
        inlineNodes(block.children),
      );
    case 'code':
      return codeNode(block.text, block.language);
    case 'quote':
      return h('blockquote', { dir: 'auto' }, block.children.map(blockNode));
    case 'list': {
      const items = block.items.map(({ checked, children }) => {
        const only = children[0];
        const inner =
          children.length === 1 && only?.type === 'paragraph'
            ? inlineNodes(only.children)
            : children.map(blockNode);
        const box =
          checked !== undefined &&
          h(
            'span',
            { class: 'check', role: 'img', 'aria-label': checked ? 'done' : 'open' },
            checked ? '☑ ' : '☐ ',
          );
        return h(
          'li',
          { dir: 'auto', class: checked === undefined ? undefined : 'task' },
          box,
          inner,
        );
      });
      return block.start === undefined
        ? h('ul', {}, items)
        : h('ol', { start: block.start === 1 ? undefined : block.start }, items);
    }
    case 'table':
      return h(
        'div',
        { class: 'wide', tabindex: 0, role: 'region', 'aria-label': 'Table' },
        h(
          'table',
          {},
          h(
            'thead',
            {},
            h(
              'tr',
              {},
              block.head.map((cell, column) =>
                h('th', { class: block.align[column], dir: 'auto' }, inlineNodes(cell)),
              ),
            ),
          ),
          h(
            'tbody',
            {},
            block.rows.map((row) =>
              h(
                'tr',
                {},
                row.map((cell, column) =>
                  h('td', { class: block.align[column], dir: 'auto' }, inlineNodes(cell)),
                ),
              ),
            ),
          ),
        ),
      );
    case 'rule':
      return h('hr');
  }
};

/**
 * Code, scrolled sideways, read out by keyboard.
 * @param {string} text
 * @param {string} [language]
 */
export const codeNode = (text, language = '') =>
  h(
    'pre',
    { class: 'code', tabindex: 0, dir: 'ltr', 'data-language': language || undefined },
    h('code', {}, text),
  );

/**
 * Markdown as nodes. Nothing that the agent writes becomes markup.
 * @param {string} source
 */
export const markdown = (source) =>
  h('div', { class: 'markdown' }, parseMarkdown(source).map(blockNode));

/**
 * One line of Markdown.
 * @param {string} source
 */
export const inlineMarkdown = (source) =>
  h('span', { dir: 'auto' }, inlineNodes(parseInline(source)));
