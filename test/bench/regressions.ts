import { tail } from './tail.ts';

/**
 * Fails only where something is worse by an order of magnitude: on a shared machine even ratios
 * that were measured side by side waver by a factor of three.
 */
const MOST: Readonly<Record<string, number>> = {
  'whole ÷ bare': 8,
  'whole ÷ bare, short rows only': 10,
  'new turn, longest ÷ shortest transcript': 8,
  // The last turn is larger than what stands behind it in a short transcript.
  'met late, longest ÷ shortest transcript': 30,
};

const { ratios, rows } = await tail({ isShort: true, minutes: 0 });
console.table(rows);
for (const [what, most] of Object.entries(MOST)) {
  const ratio = ratios[what] ?? Number.NaN;
  const isGood = ratio <= most;
  console.log(`${isGood ? 'ok    ' : 'FAILED'} ${what}: ${ratio} (at most ${most})`);
  if (!isGood) process.exitCode = 1;
}
