import { CELLS } from './cells.ts';
import { expectedWords } from './expected.ts';
import { type Count, emptyCount, type Results } from './results.ts';

/** PURE. The value below which a share of the samples lies; undefined without samples. */
export const percentile = (samples: readonly number[], share: number): number | undefined => {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
};

const HEAD = `| state | text | must be | right | losses | doubles | alterations | wrong keys | stolen drafts | p50 ms | p99 ms |
|---|---|---|---|---|---|---|---|---|---|---|`;

const sum = (
  counts: readonly Count[],
  key: 'n' | 'right' | keyof Omit<Count, 'outcomes' | 'proofMs'>,
): number => counts.reduce((total, count) => total + count[key], 0);

/** PURE. The results for people, in the order of the cells. */
export const tableOf = (results: Results): string => {
  const rows = CELLS.map((cell) => ({ cell, count: results.cells[cell.name] ?? emptyCount() }));
  const counts = rows.map(({ count }) => count);
  const lines = rows.map(({ cell, count }) => {
    const { proofMs } = count;
    const cells = [
      ...[cell.state.name, cell.text.name, expectedWords(cell.expected)],
      `${count.right}/${count.n}`,
      ...[count.losses, count.doubles, count.alterations, count.wrongKeys, count.stolenDrafts],
      ...[percentile(proofMs, 0.5) ?? '–', percentile(proofMs, 0.99) ?? '–'],
    ];
    return `| ${cells.join(' | ').replaceAll('\\', '\\\\')} |`;
  });
  const wrong = rows.flatMap(({ cell, count }) =>
    count.n === count.right
      ? []
      : [
          `- ${cell.name}: ${Object.entries(count.outcomes)
            .map(([o, n]) => `${o} ${n}`)
            .join('; ')}`,
        ],
  );
  return `# Replies on the real program: the matrix

Written by \`npm run test:matrix\`; the counts are in [matrix-${results.version}.json](matrix-${results.version}.json). Claude Code ${results.version}, ${results.tmux}. Each try is one reply through the bridge's whole host side into a real agent; what the scripted API received is the truth. "Right" is the outcome that must be, the text once and exact where it was sent, and nothing typed where it was held or refused. Times: from the command to \`confirmed\` or \`queued\`.

**All together: ${sum(counts, 'right')}/${sum(counts, 'n')} right; losses ${sum(counts, 'losses')}, doubles ${sum(counts, 'doubles')}, alterations ${sum(counts, 'alterations')}, wrong keys ${sum(counts, 'wrongKeys')}, stolen drafts ${sum(counts, 'stolenDrafts')}.** Not counted: ${sum(counts, 'missed')} tries whose situation did not come about.

${HEAD}
${lines.join('\n')}
${wrong.length === 0 ? '' : `\nFirst outcomes of cells with a wrong try:\n\n${wrong.join('\n')}\n`}`;
};
