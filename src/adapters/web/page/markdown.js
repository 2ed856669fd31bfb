import { parseInline } from './markdown-inline.js';

/**
 * @typedef {import('./markdown-inline.js').Inline} Inline
 * @typedef {{ type: 'paragraph', children: Inline[] }
 *   | { type: 'heading', level: number, children: Inline[] }
 *   | { type: 'code', language: string, text: string }
 *   | { type: 'quote', children: Block[] }
 *   | { type: 'list', start: number | undefined, items: { checked: boolean | undefined, children: Block[] }[] }
 *   | { type: 'table', align: ('start' | 'center' | 'end')[], head: Inline[][], rows: Inline[][][] }
 *   | { type: 'rule' }} Block
 */

const FENCE = /^( {0,3})(`{3,}|~{3,})\s*([^\s`]*)[^`]*$/;
const HEADING = /^ {0,3}(#{1,6})(?:\s+(.*?))?(?:\s+#+)?\s*$/;
const RULE = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])( +|$)(.*)$/;
const TABLE_RULE = /^ {0,3}\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;
const MAX_DEPTH = 10;

/**
 * Markdown as a tree of blocks; what is not understood stays text.
 * @param {string} source
 * @returns {Block[]}
 */
export const parseMarkdown = (source) => parseBlocks(source.replace(/\r\n?/g, '\n').split('\n'), 0);

/**
 * @param {readonly string[]} lines
 * @param {number} depth
 * @returns {Block[]}
 */
const parseBlocks = (lines, depth) => {
  /** @type {Block[]} */
  const blocks = [];
  let at = 0;
  const line = (/** @type {number} */ index) => lines[index] ?? '';
  while (at < lines.length) {
    const text = line(at);
    if (text.trim() === '') {
      at += 1;
      continue;
    }
    const read =
      readFence(lines, at) ??
      readHeading(text, at) ??
      (RULE.test(text)
        ? { block: /** @type {Block} */ ({ type: 'rule' }), end: at + 1 }
        : undefined) ??
      (depth < MAX_DEPTH
        ? (readQuote(lines, at, depth) ?? readList(lines, at, depth))
        : undefined) ??
      readTable(lines, at);
    if (read !== undefined) {
      blocks.push(read.block);
      at = read.end;
      continue;
    }
    let end = at + 1;
    while (end < lines.length && !startsBlock(lines, end)) end += 1;
    const paragraph = lines.slice(at, end).map((row) => row.replace(/^ {1,3}/, ''));
    blocks.push({ type: 'paragraph', children: parseInline(paragraph.join('\n').trimEnd()) });
    at = end;
  }
  return blocks;
};

/**
 * @param {readonly string[]} lines
 * @param {number} at
 */
const startsBlock = (lines, at) => {
  const text = lines[at] ?? '';
  return (
    text.trim() === '' ||
    FENCE.test(text) ||
    HEADING.test(text) ||
    RULE.test(text) ||
    QUOTE.test(text) ||
    ITEM.test(text) ||
    isTable(lines, at)
  );
};

/**
 * @param {readonly string[]} lines
 * @param {number} at
 * @returns {{ block: Block, end: number } | undefined}
 */
const readFence = (lines, at) => {
  const [, indent = '', fence, language = ''] = FENCE.exec(lines[at] ?? '') ?? [];
  if (fence === undefined) return undefined;
  const close = new RegExp(`^ {0,3}${fence.charAt(0)}{${fence.length},}\\s*$`);
  let end = at + 1;
  while (end < lines.length && !close.test(lines[end] ?? '')) end += 1;
  const strip = new RegExp(`^ {0,${indent.length}}`);
  const body = lines.slice(at + 1, end).map((row) => row.replace(strip, ''));
  return { block: { type: 'code', language, text: body.join('\n') }, end: end + 1 };
};

/**
 * @param {string} text
 * @param {number} at
 * @returns {{ block: Block, end: number } | undefined}
 */
const readHeading = (text, at) => {
  const found = HEADING.exec(text);
  if (found === null) return undefined;
  const [, marks = '#', title = ''] = found;
  return {
    block: { type: 'heading', level: marks.length, children: parseInline(title) },
    end: at + 1,
  };
};

/**
 * @param {readonly string[]} lines
 * @param {number} at
 * @param {number} depth
 * @returns {{ block: Block, end: number } | undefined}
 */
const readQuote = (lines, at, depth) => {
  let end = at;
  while (end < lines.length && QUOTE.test(lines[end] ?? '')) end += 1;
  if (end === at) return undefined;
  const inner = lines.slice(at, end).map((row) => row.replace(QUOTE, ''));
  return { block: { type: 'quote', children: parseBlocks(inner, depth + 1) }, end };
};

/**
 * @param {readonly string[]} lines
 * @param {number} at
 * @param {number} depth
 * @returns {{ block: Block, end: number } | undefined}
 */
const readList = (lines, at, depth) => {
  const first = ITEM.exec(lines[at] ?? '');
  if (first === null) return undefined;
  const isOrdered = /\d/.test(first[2] ?? '');
  /** @type {{ checked: boolean | undefined, children: Block[] }[]} */
  const items = [];
  let end = at;
  for (;;) {
    const found = ITEM.exec(lines[end] ?? '');
    if (found === null || /\d/.test(found[2] ?? '') !== isOrdered) break;
    const [, indent = '', marker = '', gap = ' ', rest = ''] = found;
    const width = indent.length + marker.length + Math.max(1, Math.min(gap.length, 4));
    /** @type {string[]} */
    const body = [rest];
    end += 1;
    for (; end < lines.length; end += 1) {
      const row = lines[end] ?? '';
      const lead = row.length - row.trimStart().length;
      if (row.trim() === '') {
        const next = lines[end + 1] ?? '';
        if (next.length - next.trimStart().length < Math.min(width, 2) || next.trim() === '') break;
        body.push('');
      } else if (lead >= Math.min(width, 2)) body.push(row.slice(Math.min(lead, width)));
      else if (startsBlock(lines, end)) break;
      else body.push(row);
    }
    const [, box, text] = /^\[([ xX])\]\s+([\s\S]*)$/.exec(body[0] ?? '') ?? [];
    if (text !== undefined) body[0] = text;
    const checked = box === undefined ? undefined : box !== ' ';
    items.push({ checked, children: parseBlocks(body, depth + 1) });
    while ((lines[end] ?? 'x').trim() === '' && ITEM.test(lines[end + 1] ?? '')) end += 1;
  }
  const start = isOrdered ? Number.parseInt(first[2] ?? '1', 10) : undefined;
  return { block: { type: 'list', start, items }, end };
};

/** @param {string} row */
const cells = (row) => {
  const inner = row
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replace(/\\\|/g, '|'));
};

/**
 * @param {readonly string[]} lines
 * @param {number} at
 */
const isTable = (lines, at) => {
  const rule = lines[at + 1] ?? '';
  return (
    (lines[at] ?? '').includes('|') &&
    rule.includes('-') &&
    TABLE_RULE.test(rule) &&
    cells(rule).length === cells(lines[at] ?? '').length
  );
};

/**
 * @param {readonly string[]} lines
 * @param {number} at
 * @returns {{ block: Block, end: number } | undefined}
 */
const readTable = (lines, at) => {
  if (!isTable(lines, at)) return undefined;
  const head = cells(lines[at] ?? '');
  const align = cells(lines[at + 1] ?? '').map((cell) => {
    if (!cell.endsWith(':')) return /** @type {const} */ ('start');
    return cell.startsWith(':') ? /** @type {const} */ ('center') : /** @type {const} */ ('end');
  });
  let end = at + 2;
  /** @type {Inline[][][]} */
  const rows = [];
  for (; end < lines.length && (lines[end] ?? '').includes('|'); end += 1) {
    const row = cells(lines[end] ?? '');
    rows.push(head.map((_, column) => parseInline(row[column] ?? '')));
  }
  return {
    block: { type: 'table', align, head: head.map((cell) => parseInline(cell)), rows },
    end,
  };
};
