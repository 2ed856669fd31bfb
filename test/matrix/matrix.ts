import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { findLiveProgram } from '../live/program.ts';
import { agentKeyOf, CELLS, type Cell } from './cells.ts';
import { Crew } from './crew.ts';
import { counted, emptyCount, readResults, writeResults } from './results.ts';
import { tableOf } from './table.ts';

/**
 * `npm run test:matrix -- --repeat N [--resume FILE] [--only TEXT-OR-STATE] [--minutes M] [--crews K]`:
 * every cell until it has N tries, on the real program. Counts go on from FILE and are written there
 * after each try; the table stands beside it.
 */
const { values } = parseArgs({
  options: {
    repeat: { type: 'string', default: '1' },
    resume: { type: 'string' },
    only: { type: 'string', multiple: true },
    minutes: { type: 'string' },
    crews: { type: 'string', default: '1' },
  },
});
const program = await findLiveProgram();
if (program.isMissing) throw new Error(program.title);
const tmux = execFileSync('tmux', ['-V'], { encoding: 'utf8' }).trim();
const file = values.resume ?? join('.artefacts', 'matrix', `matrix-${program.version}.json`);
mkdirSync(dirname(file), { recursive: true });
const results = await readResults(file, { version: program.version, tmux, cells: {} });
const until = Date.now() + Number(values.minutes ?? 24 * 60) * 60_000;
const cells = CELLS.filter(
  ({ name }) => values.only === undefined || values.only.some((text) => name.includes(text)),
);
if (cells.length === 0) throw new Error(`no cell has ${values.only?.join(' or ')} in its name`);

const countOf = ({ name }: Cell) => results.cells[name] ?? emptyCount();
const isOver = (): boolean => Date.now() >= until || process.exitCode !== undefined;

const save = (): void => {
  writeResults(file, results);
  writeFileSync(join(dirname(file), 'matrix.md'), tableOf(results));
};

/** Cells that still want a try, those that share an agent together. */
const roundOf = (round: number): Cell[][] => {
  const due = cells.filter((cell) => countOf(cell).n + countOf(cell).missed < round);
  return [...new Set(due.map(agentKeyOf))].flatMap((key) => {
    const group = due.filter((cell) => agentKeyOf(cell) === key);
    const batches: Cell[][] = [];
    for (let at = 0; at < group.length; at += 12) batches.push(group.slice(at, at + 12));
    return batches;
  });
};

const work = async (crew: Crew, batches: Cell[][]): Promise<void> => {
  for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
    for (const cell of batch) {
      if (isOver()) return;
      const began = Date.now();
      const tried = await crew.try(cell);
      const count = countOf(cell);
      results.cells[cell.name] =
        tried === undefined ? { ...count, missed: count.missed + 1 } : counted(count, tried);
      save();
      const faults = Object.entries(tried?.faults ?? {}).filter(
        ([, is]) => is !== false && is !== undefined,
      );
      const verdict =
        tried === undefined
          ? 'MISSED'
          : tried.isRight
            ? 'right'
            : `WRONG ${JSON.stringify(Object.fromEntries(faults))}`;
      console.log(
        `${verdict} ${cell.name}: ${tried?.outcome ?? ''} ${tried?.proofMs ?? '–'} ms (${Date.now() - began} ms)`,
      );
      if (tried?.isRight === false) console.log(JSON.stringify(tried.notes, undefined, 1));
    }
  }
};

process.once('SIGINT', () => {
  process.exitCode = 130;
});
const crews = Array.from({ length: Number(values.crews) }, () => new Crew(program));
try {
  for (let round = 1; round <= Number(values.repeat) && !isOver(); round++) {
    const batches = roundOf(round);
    await Promise.all(crews.map((crew) => work(crew, batches)));
  }
} finally {
  for (const crew of crews) await crew.close();
}
const counts = cells.map(countOf);
const right = counts.reduce((total, { right }) => total + right, 0);
const n = counts.reduce((total, count) => total + count.n, 0);
console.log(`${right}/${n} right`);
if (right < n) process.exitCode = 1;
