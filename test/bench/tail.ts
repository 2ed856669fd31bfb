import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { id, type SessionId } from '../../src/bridge/model/ids.ts';
import { Children } from '../../src/provider/claude-code/observe-children.ts';
import { SessionReader } from '../../src/provider/claude-code/session-reader.ts';
import { lastTurnOffset } from '../../src/provider/claude-code/tail-seek.ts';
import { writeLongTranscript } from '../fakes/long-transcript.ts';
import { bareLoop } from './bare-loop.ts';
import { type Bench, median, rounded, sideBySide, timed } from './figures.ts';

const MB = 2 ** 20;
const SESSION = '00000000-0000-4000-8000-000000000001';
const RECORDED = new URL(
  '../../compat/claude-code/fixtures/transcripts/plain-turns-2.1.332.jsonl',
  import.meta.url,
);
/** The first turn of the recording. */
const ROWS_OF_A_TURN = 12;

const readerAt = (path: string, offset: number): SessionReader =>
  new SessionReader({ path, ino: statSync(path).ino, offset }, { session: id<SessionId>(SESSION) });

/** As the bridge reads: rows to items with their digests, about 200 at a time. */
const readAll = async (reader: SessionReader): Promise<void> => {
  while (!(await reader.read(200)).isAtEnd);
};

const meet = async (path: string): Promise<SessionReader> => {
  const reader = readerAt(path, await lastTurnOffset(path, statSync(path).size));
  await readAll(reader);
  return reader;
};

/** A recorded turn with ids of its own, behind the row with the id `leaf`. */
const turnAfter = (leaf: string, n: number): { text: string; leaf: string } => {
  const lines = readFileSync(RECORDED, 'utf8').split('\n').slice(0, ROWS_OF_A_TURN);
  const own = `${lines.join('\n')}\n`.replaceAll(
    /"(uuid|parentUuid)":"([0-9a-f-]{26})[0-9a-f]{10}"/g,
    (_all, key: string, start: string) => `"${key}":"${start}${String(n).padStart(10, '0')}"`,
  );
  const text = own.replace('"parentUuid":null', `"parentUuid":"${leaf}"`);
  return { text, leaf: [...text.matchAll(/"uuid":"([^"]+)"/g)].at(-1)?.[1] ?? leaf };
};

/** ms from a turn on the disk to its items, in a run that is followed. */
const newTurn = async (path: string, leaf: string, turns: number): Promise<number> => {
  const reader = await meet(path);
  const children = new Children(id<SessionId>(SESSION), path);
  const took: number[] = [];
  let last = leaf;
  for (let n = 0; n < turns; n += 1) {
    const turn = turnAfter(last, n);
    last = turn.leaf;
    appendFileSync(path, turn.text);
    const ms = await timed(async () => {
      await readAll(reader);
      await children.refresh(reader);
      reader.position();
    });
    took.push(ms);
  }
  return median(took);
};

interface Measured {
  readonly row: Readonly<Record<string, string | number>>;
  readonly turnMs: number;
  readonly meetMs: number;
  readonly wholeToBare: number;
}

const measure = async (
  dir: string,
  bytes: number,
  noiseBytes: number,
  rounds: number,
): Promise<Measured> => {
  const path = join(dir, `${bytes}-${noiseBytes}.jsonl`);
  const end = Date.now() - 60_000;
  const { leaf } = writeLongTranscript(path, { session: SESSION, bytes, end, noiseBytes });
  const took = await sideBySide(rounds, {
    whole: () => readAll(readerAt(path, 0)),
    bare: () => bareLoop(path),
    meet: () => meet(path),
  });
  const turnMs = await newTurn(path, leaf, rounds * 10);
  const wholeToBare = rounded(took.whole / took.bare);
  const row = {
    'transcript MB': rounded(statSync(path).size / MB),
    'longest rows': noiseBytes === 0 ? 'all short' : `${noiseBytes / 1_000} kB, no meaning`,
    'new turn ms': rounded(turnMs),
    'met late ms': rounded(took.meet),
    'whole file ms': rounded(took.whole),
    'bare loop ms': rounded(took.bare),
    'whole ÷ bare': wholeToBare,
    'bare loop per turn ÷ new turn': rounded(took.bare / turnMs),
  };
  rmSync(path);
  return { row, turnMs, meetMs: took.meet, wholeToBare };
};

/** V1: what reading costs, by the length of the transcript. */
export const tail: Bench = async ({ isShort }) => {
  const sizes = isShort ? [MB, 16 * MB] : [MB, 100 * MB, 1024 * MB];
  const rounds = isShort ? 3 : 5;
  const dir = mkdtempSync(join(tmpdir(), 'afk-bench-'));
  try {
    const bySize: Measured[] = [];
    for (const size of sizes) bySize.push(await measure(dir, size, 100_000, rounds));
    const plain = await measure(dir, isShort ? 4 * MB : 32 * MB, 0, rounds);
    const shortest = bySize[0] ?? plain;
    const longest = bySize.at(-1) ?? plain;
    return {
      name: 'tail',
      what: 'V1: reading a transcript; the rival reads the whole file and parses every line',
      rows: [...bySize, plain].map(({ row }) => row),
      ratios: {
        'whole ÷ bare': longest.wholeToBare,
        'whole ÷ bare, short rows only': plain.wholeToBare,
        'new turn, longest ÷ shortest transcript': rounded(longest.turnMs / shortest.turnMs),
        'met late, longest ÷ shortest transcript': rounded(longest.meetMs / shortest.meetMs),
      },
    };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
};
