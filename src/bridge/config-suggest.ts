/** Optimal string alignment distance: letters added, dropped, changed, or two neighbours swapped. */
const distance = (a: string, b: string): number => {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j += 1) {
      const swap =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
          ? at(i - 2, j - 2) + 1
          : Number.POSITIVE_INFINITY;
      row.push(
        Math.min(
          at(i - 1, j) + 1,
          at(i, j - 1) + 1,
          at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
          swap,
        ),
      );
    }
  }
  return at(a.length, b.length);
};

const plain = (word: string): string => word.toLowerCase().replaceAll(/[-_]/g, '');

/** The known word that was probably meant; undefined where none is near. */
export const nearest = (word: string, known: readonly string[]): string | undefined => {
  const scored = known
    .map((candidate) => ({ candidate, d: distance(plain(word), plain(candidate)) }))
    .sort((x, y) => x.d - y.d)
    .at(0);
  return scored !== undefined && scored.d <= Math.max(1, Math.floor(word.length / 3))
    ? scored.candidate
    : undefined;
};
