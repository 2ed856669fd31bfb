/** Rows as aligned columns; the last column is not padded. */
export const columns = (rows: readonly (readonly string[])[]): readonly string[] => {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
};

/** A span as people say it: 40 s, 12 min, 3 h, 2 d. */
export const span = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} d`;
};

/** A path with the home directory as ~. */
export const shortPath = (path: string, home: string): string =>
  path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;

/** One line of text as long as `max`, without control characters: what an agent wrote must not move the cursor. */
export const oneLine = (text: string, max: number): string => {
  const flat = text
    .replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim();
  const graphemes = Array.from(new Intl.Segmenter().segment(flat), (s) => s.segment);
  return graphemes.length <= max ? flat : `${graphemes.slice(0, max - 1).join('')}…`;
};
