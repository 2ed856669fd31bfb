import type { Table } from 'mdast';
import { plainOf } from './encode-inline.ts';

/** Wider lines wrap on a phone and a table falls apart. */
const widest = 44;

const width = (text: string): number => [...text].length;

/**
 * A table as preformatted text: in columns where they fit a phone, else row by row as
 * `header: cell` lines.
 */
export const tableText = (table: Table): string => {
  const rows = table.children.map((row) =>
    row.children.map((cell) => plainOf(cell).replace(/\s+/g, ' ').trim()),
  );
  const [head = [], ...body] = rows;
  const widths = head.map((_, n) => Math.max(...rows.map((row) => width(row[n] ?? ''))));
  const total = widths.reduce((sum, w) => sum + w, 0) + 3 * (widths.length - 1);
  if (total <= widest || body.length === 0) {
    const line = (row: readonly string[]): string =>
      row
        .map((cell, n) => cell + ' '.repeat(Math.max(0, (widths[n] ?? 0) - width(cell))))
        .join(' | ')
        .trimEnd();
    const rule = widths.map((w) => '-'.repeat(w)).join('-|-');
    return [line(head), rule, ...body.map(line)].join('\n');
  }
  return body
    .map((row) => row.map((cell, n) => `${head[n] || `(${n + 1})`}: ${cell}`).join('\n'))
    .join('\n\n');
};
