import { isTableRow, isTableRule } from '../../bridge/text/markdown-lines.ts';
import { tableLines } from './encode-table.ts';

/** Discord ends a block at any three backticks, wherever they stand: inside they are kept apart. */
export const breakFences = (line: string): string => line.replace(/`(?=``)/g, '`\u200b');

const opener = /^((?:[ \t]|>|[-*+][ \t]|\d{1,9}[.)][ \t]){0,12})(`{3,}|~{3,})([^\n]*)$/;

interface OpenFence {
  readonly marker: string;
}

const closes = (line: string, fence: OpenFence): boolean => {
  const rest = line.replace(/^[\s>]*/, '').trimEnd();
  return (
    rest.length >= fence.marker.length &&
    [...rest].every((character) => character === fence.marker.charAt(0))
  );
};

/** A language that Discord understands, or none. */
const languageOf = (info: string): string => /^[\w+\-.#]{1,30}/.exec(info.trim())?.[0] ?? '';

const link =
  /(!?)\[((?:[^[\]\n]|\[[^[\]\n]*\])*)\]\(\s*<?((?:https?|discord):\/\/[^\s()<>]+(?:\([^\s()]*\)[^\s()<>]*)*)>?(?:\s+(?:"[^"\n]*"|'[^'\n]*'))?\s*\)/gi;
const code = /(?<!`)(`{1,9})(?!`)[^\n]+?(?<!`)\1(?!`)/g;

const withoutMarks = (text: string): string => text.replace(/[*_`~]/g, '').trim();

/** Where a link leads is always to be read: a text in front of another address is no link's name. */
const honestLink = (_: string, _image: string, text: string, url: string): string => {
  const name = text.trim();
  const shown = withoutMarks(name);
  const isSame = shown === '' || shown === url || `${shown}/` === url;
  return isSame ? `<${url}>` : `${name} (<${url}>)`;
};

const plainLine = (text: string): string =>
  breakFences(text)
    .replace(link, honestLink)
    // Two bars would hide what stands between them.
    .replace(/\|\|/g, '\\|\\|');

/** One line of text: code in it stays as it is. */
const textLine = (line: string): string => {
  let done = '';
  let from = 0;
  for (const match of line.matchAll(code)) {
    done += plainLine(line.slice(from, match.index)) + breakFences(match[0]);
    from = match.index + match[0].length;
  }
  done += plainLine(line.slice(from));
  return (
    done
      // Discord knows three sizes of headings.
      .replace(/^(\s{0,3})#{4,6}\s+(.+?)\s*#*$/, '$1**$2**')
      // Would quote all the rest.
      .replace(/^(\s*)>>>/, '$1\\>>>')
  );
};

/**
 * Markdown as agents write it, in the dialect that Discord shows: every fence has three backticks
 * and ends, tables stand in one, links say where they lead. Nothing is left out.
 */
export const discordMarkdown = (markdown: string): string => {
  const lines = markdown.split('\n');
  const out: string[] = [];
  let fence: OpenFence | undefined;
  let prefix = '';
  for (let n = 0; n < lines.length; n++) {
    const line = lines[n] ?? '';
    if (fence !== undefined) {
      const isEnd = closes(line, fence);
      out.push(isEnd ? `${prefix}\`\`\`` : breakFences(line));
      if (isEnd) fence = undefined;
      continue;
    }
    const [, before = '', marker, info = ''] = opener.exec(line) ?? [];
    if (marker !== undefined && !(marker.startsWith('`') && info.includes('`'))) {
      fence = { marker };
      prefix = before.replace(/[-*+\d.)]/g, ' ');
      out.push(`${before}\`\`\`${languageOf(info)}`);
      continue;
    }
    if (isTableRow(line) && isTableRule(lines[n + 1] ?? '')) {
      const end = lines.findIndex((row, at) => at > n + 1 && !isTableRow(row));
      const rows = lines.slice(n, end === -1 ? undefined : end);
      out.push(...tableLines(rows).map((row) => (row.startsWith('```') ? row : breakFences(row))));
      n += rows.length - 1;
      continue;
    }
    out.push(textLine(line));
  }
  if (fence !== undefined) out.push(`${prefix}\`\`\``);
  return out.join('\n');
};

/** Text of people and of the bridge that is to be read as it is. */
export const escapeMarkdown = (text: string): string => text.replace(/[\\*_~|`>#[\]-]/g, '\\$&');
