import { meaningOf } from './fold-user.ts';
import { parseLine } from './parse.ts';
import type { Line } from './parse-lines.ts';
import { linesBackwards } from './tail-backwards.ts';

/** How far back a run that is met late is searched for the beginning of its last turn. */
const SEARCHED_BYTES = 4 * 1024 * 1024;

const isPrompt = (line: Line): boolean => {
  const { row } = parseLine(line.bytes);
  if (row?.type !== 'user' || row.isSidechain) return false;
  const meaning = meaningOf(row);
  return meaning.kind === 'prompt' && (meaning.origin === 'person' || meaning.origin === 'queued');
};

/**
 * Where to start in a transcript that is met late (R4): at the last prompt of a person, or, where
 * the last turn is longer than what is searched, at a line boundary.
 */
export const lastTurnOffset = async (path: string, size: number): Promise<number> => {
  const floor = Math.max(0, size - SEARCHED_BYTES);
  let boundary = size;
  for await (const line of linesBackwards(path, size, floor)) {
    boundary = line.offset;
    if (isPrompt(line)) return line.offset;
  }
  return boundary;
};

/** How far back a rewind's target is searched. */
export const REWIND_SEARCHED_BYTES = 64 * 1024 * 1024;

/** Where the row behind the one with this uuid begins; `undefined` when it is not found. */
export const behindRow = async (
  path: string,
  uuid: string,
  before: number,
): Promise<number | undefined> => {
  const floor = Math.max(0, before - REWIND_SEARCHED_BYTES);
  const needle = Buffer.from(`"uuid":"${uuid}"`);
  for await (const line of linesBackwards(path, before, floor)) {
    if (Buffer.from(line.bytes.buffer, line.bytes.byteOffset, line.bytes.length).includes(needle)) {
      return line.end;
    }
  }
  return undefined;
};
