/** Wider tables do not fit a screen beside each other: each row becomes a list of its own. */
const widest = 90;

const cellsOf = (row: string): readonly string[] =>
  row
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replace(/\\\|/g, '|'));

/** Columns that a text takes in a font of one width: wide scripts and emoji take two. */
const widthOf = (text: string): number => {
  let width = 0;
  for (const character of text) {
    if (/\p{Mark}|\u200d|\ufe0f/u.test(character)) continue;
    const isWide =
      /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]|\p{Extended_Pictographic}/u.test(
        character,
      );
    width += isWide ? 2 : 1;
  }
  return width;
};

const pad = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - widthOf(text)));

/** A Markdown table (its rule included) as lines that Discord shows in columns. */
export const tableLines = (rows: readonly string[]): readonly string[] => {
  const [head = '', , ...rest] = rows;
  const header = cellsOf(head);
  const body = rest.map(cellsOf);
  const columns = Math.max(header.length, ...body.map((cells) => cells.length));
  const widths = Array.from({ length: columns }, (_, n) =>
    Math.max(1, ...[header, ...body].map((cells) => widthOf(cells[n] ?? ''))),
  );
  const total = widths.reduce((sum, width) => sum + width + 3, -3);
  if (total > widest) return recordLines(header, body);
  const line = (cells: readonly string[]): string =>
    widths
      .map((width, n) => pad(cells[n] ?? '', width))
      .join(' │ ')
      .trimEnd();
  const rule = widths.map((width) => '─'.repeat(width)).join('─┼─');
  return ['```', line(header), rule, ...body.map(line), '```'];
};

const recordLines = (
  header: readonly string[],
  body: readonly (readonly string[])[],
): readonly string[] => [
  '```',
  ...body.flatMap((cells, row) => [
    ...(row === 0 ? [] : ['']),
    ...cells.map((cell, n) => `${header[n] ?? ''}: ${cell}`.replace(/^: /, '')),
  ]),
  ...(body.length === 0 ? [header.join(', ')] : []),
  '```',
];
