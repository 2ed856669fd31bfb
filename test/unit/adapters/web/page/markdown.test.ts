import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseMarkdown } from '../../../../../src/adapters/web/page/markdown.js';
import {
  type Inline,
  parseInline,
  safeHref,
} from '../../../../../src/adapters/web/page/markdown-inline.js';

const text = (value: string) => ({ type: 'text', text: value });

const plain = (inlines: readonly Inline[]): string =>
  inlines
    .map((part) => {
      if ('text' in part) return part.text;
      return 'children' in part ? plain(part.children) : '';
    })
    .join('');

test('P3 inline: code, strong, emphasis, strike, links, breaks', () => {
  expect(parseInline('a `b*c` **d** *e* _f_ ~~g~~\nh')).toEqual([
    text('a '),
    { type: 'code', text: 'b*c' },
    text(' '),
    { type: 'strong', children: [text('d')] },
    text(' '),
    { type: 'em', children: [text('e')] },
    text(' '),
    { type: 'em', children: [text('f')] },
    text(' '),
    { type: 'del', children: [text('g')] },
    { type: 'break' },
    text('h'),
  ]);
});

test.each([
  ['snake_case_name', 'snake_case_name'],
  ['2 * 3 * 4', '2 * 3 * 4'],
  ['a ** b', 'a ** b'],
  ['\\*no\\*', '*no*'],
  ['unclosed `code', 'unclosed `code'],
  ['<b>bold</b>', '<b>bold</b>'],
])('P3 what is no markup stays text: %s', (source, plain) => {
  expect(parseInline(source)).toEqual([text(plain)]);
});

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  '//evil.example',
  'https://ok.example/"onmouseover="x',
])('A3 an address that may do something is no link: %s', (href) => {
  expect(safeHref(href)).toBeUndefined();
  const links = parseInline(`[x](${href})`).filter((part) => part.type === 'link');
  // What is left of it may be a bare address, up to the first character that does not belong.
  for (const link of links) expect(link.type === 'link' && link.href).toBe('https://ok.example/');
});

test('P3 links: written, bare, in angle brackets; a full stop is not part of one', () => {
  const links = parseInline(
    '[a](https://a.example/x_(1)) https://b.example/c. <https://d.example>',
  ).filter((part) => part.type === 'link');
  expect(links.map((link) => link.type === 'link' && link.href)).toEqual([
    'https://a.example/x_(1)',
    'https://b.example/c',
    'https://d.example',
  ]);
});

test('P3 blocks: headings, fences with Markdown inside, quotes, rules, lists in lists', () => {
  const blocks = parseMarkdown(
    '# Title\nText\nmore\n\n````md\n```js\nx\n```\n````\n> quoted\n\n---\n1. one\n   - deep\n2. two\n\n- [x] done\n- [ ] open',
  );
  expect(blocks.map((block) => block.type)).toEqual([
    'heading',
    'paragraph',
    'code',
    'quote',
    'rule',
    'list',
    'list',
  ]);
  expect(blocks[2]).toEqual({ type: 'code', language: 'md', text: '```js\nx\n```' });
  expect(blocks[5]).toMatchObject({
    start: 1,
    items: [{ children: [{ type: 'paragraph' }, { type: 'list' }] }, {}],
  });
  expect(blocks[6]).toMatchObject({ items: [{ checked: true }, { checked: false }] });
});

test('P3 a fence that never closes holds the rest; code keeps its spaces', () => {
  expect(parseMarkdown('```\n  a\n\tb\n\n# c')).toEqual([
    { type: 'code', language: '', text: '  a\n\tb\n\n# c' },
  ]);
});

test('P3 tables with alignment, escaped bars and missing cells', () => {
  const [table] = parseMarkdown('| a | b |\n|:-:|--:|\n| x \\| y | 1 |\n| z |');
  expect(table).toMatchObject({ type: 'table', align: ['center', 'end'] });
  expect(table?.type === 'table' && table.rows).toEqual([
    [[text('x | y')], [text('1')]],
    [[text('z')], []],
  ]);
});

test('L4 any text is read, quickly, and loses no letter', () => {
  const letters = (value: string): string => value.replace(/[^xyz]/g, '');
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom(
          'x',
          'y',
          'z',
          '*',
          '_',
          '`',
          '~',
          '[',
          '](',
          ')',
          '|',
          '\n',
          '- ',
          '> ',
          '#',
          '1. ',
          '\\',
          '<',
          ' ',
          '---',
          '```\n',
        ),
        { maxLength: 60 },
      ),
      (parts) => {
        parseMarkdown(parts.join(''));
        const source = parts.join('');
        expect(letters(plain(parseInline(source)))).toBe(letters(source));
      },
    ),
  );
  for (const part of ['**a ', '*a ', '[a](', '`', '`` a ', '_a ', '~~a ', '> ', '- ', '|a', '[[']) {
    const begun = performance.now();
    parseMarkdown(part.repeat(4_000));
    expect(performance.now() - begun).toBeLessThan(5_000);
  }
});
