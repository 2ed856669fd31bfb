/**
 * @typedef {{ type: 'text', text: string } | { type: 'code', text: string } | { type: 'break' }
 *   | { type: 'strong' | 'em' | 'del', children: Inline[] }
 *   | { type: 'link', href: string, children: Inline[] }} Inline
 */

/**
 * The address of a link that may be followed; anything else (javascript:, data:, file:) is not one.
 * @param {string} text
 */
export const safeHref = (text) => {
  const trimmed = text.trim();
  return /^(https?:\/\/|mailto:)[^\s<>"]+$/i.test(trimmed) ? trimmed : undefined;
};

const MAX_DEPTH = 8;

/**
 * @typedef {(match: RegExpExecArray, depth: number) => Inline | undefined} Maker
 * @type {readonly { start: RegExp, make: Maker }[]}
 */
const RULES = [
  {
    start: /\\([\\`*_{}[\]()#+\-.!|~<>])/y,
    make: ([, char = '']) => ({ type: 'text', text: char }),
  },
  {
    start: /(`+)(?!`)([\s\S]{0,4000}?[^`])\1(?!`)/y,
    make: ([, , code = '']) => ({
      type: 'code',
      text: code.replace(/\n/g, ' ').replace(/^ (.*[^ ].*) $/, '$1'),
    }),
  },
  {
    start:
      /!?\[((?:[^[\]\\\n]|\\.|\[[^[\]\n]*\])*)\]\(\s*<?([^\s()<>]+(?:\([^\s()]*\)[^\s()<>]*)*)>?(?:\s+"[^"\n]*")?\s*\)/y,
    make: ([, label = '', target = ''], depth) => {
      const href = safeHref(target);
      if (href === undefined) return undefined;
      return { type: 'link', href, children: parseInline(label === '' ? href : label, depth + 1) };
    },
  },
  {
    start: /<((?:https?:\/\/|mailto:)[^\s<>]+)>/y,
    make: ([, href = '']) => ({ type: 'link', href, children: [{ type: 'text', text: href }] }),
  },
  {
    start: /https?:\/\/[^\s<>"'`]*[^\s<>"'`.,;:!?)\]}*_~]/y,
    make: ([href]) => ({ type: 'link', href, children: [{ type: 'text', text: href }] }),
  },
  {
    start: /(\*\*|__)(?=\S)([\s\S]{0,4000}?\S)\1(?!\1)/y,
    make: ([, , inner = ''], depth) => ({
      type: 'strong',
      children: parseInline(inner, depth + 1),
    }),
  },
  {
    start: /~~(?=\S)([\s\S]{0,4000}?\S)~~/y,
    make: ([, inner = ''], depth) => ({ type: 'del', children: parseInline(inner, depth + 1) }),
  },
  {
    start: /\*(?=[^\s*])((?:[^*\n]|\*\*[^*]*\*\*)*[^\s*])\*(?!\*)/y,
    make: ([, inner = ''], depth) => ({ type: 'em', children: parseInline(inner, depth + 1) }),
  },
  {
    start: /(?<![\p{L}\p{N}_])_(?=[^\s_])([^_\n]*[^\s_])_(?![\p{L}\p{N}_])/uy,
    make: ([, inner = ''], depth) => ({ type: 'em', children: parseInline(inner, depth + 1) }),
  },
  { start: /(?: {2,}|\\)?\n/y, make: () => ({ type: 'break' }) },
];

const SPECIAL = /[\\`![<*_~\n ]|https?:/g;

/**
 * Inline Markdown as a tree. HTML is text. Line breaks are kept: agents write them on purpose.
 * @param {string} source
 * @param {number} [depth]
 * @returns {Inline[]}
 */
export const parseInline = (source, depth = 0) => {
  /** @type {Inline[]} */
  const out = [];
  let plain = '';
  const flush = () => {
    if (plain !== '') out.push({ type: 'text', text: plain });
    plain = '';
  };
  let at = 0;
  while (at < source.length) {
    SPECIAL.lastIndex = at;
    const next = SPECIAL.exec(source)?.index ?? source.length;
    plain += source.slice(at, next);
    at = next;
    if (at >= source.length) break;
    const found = depth >= MAX_DEPTH ? undefined : match(source, at, depth);
    if (found === undefined) {
      plain += source.charAt(at);
      at += 1;
    } else {
      if (found.inline.type === 'text') plain += found.inline.text;
      else {
        flush();
        out.push(found.inline);
      }
      at = found.end;
    }
  }
  flush();
  return out;
};

/**
 * @param {string} source
 * @param {number} at
 * @param {number} depth
 */
const match = (source, at, depth) => {
  for (const { start, make } of RULES) {
    start.lastIndex = at;
    const found = start.exec(source);
    if (found === null) continue;
    const inline = make(found, depth);
    if (inline !== undefined) return { inline, end: at + found[0].length };
  }
  return undefined;
};
