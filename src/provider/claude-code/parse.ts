import { isAscii, isUtf8 } from 'node:buffer';
import { isMeaningless } from './parse-skip.ts';
import { type Row, rowOf } from './schema.ts';

/** Why a line gave no row; counted, never thrown. */
type NoRow =
  /** Its type is listed as meaningless; it was not parsed. */
  | 'skipped'
  | 'blank'
  /** A type or a shape that we do not know. */
  | 'unknown'
  /** Not JSON: torn by a crash, or garbage. */
  | 'torn'
  /** Longer than what is kept in memory. */
  | 'too-long';

type ParsedLine =
  | { readonly row: Row; readonly isDamaged: boolean }
  | { readonly row: undefined; readonly why: NoRow };

const no = (why: NoRow): ParsedLine => ({ row: undefined, why });

const CHAIN_ROW = Buffer.from('{"parentUuid":');

/** The beginnings that a whole row can have, to find one glued behind a torn one. */
const BEGINNINGS = ['{"parentUuid":', '{"type":"'];

const jsonOf = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};

/** A crash can leave half a row without its newline; the next process appends a whole one behind it. */
const afterTear = (line: string): unknown => {
  for (const beginning of BEGINNINGS) {
    const at = line.lastIndexOf(beginning);
    const value = at > 0 ? jsonOf(line.slice(at)) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
};

const NUL = 0;
const SPACE = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;

const isBuffer = (bytes: Uint8Array): bytes is Buffer => Buffer.isBuffer(bytes);

/** Without what editors, crashes and other systems leave at the ends: BOM, NUL bytes, CR, blanks. */
const trimmed = (line: Buffer): Buffer => {
  if (line[0] === OPENING && line[line.length - 1] === CLOSING) return line;
  let start = 0;
  let end = line.length;
  if (line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf) start = 3;
  while (start < end && (line[start] ?? NUL) <= SPACE) start += 1;
  while (end > start && (line[end - 1] ?? NUL) <= SPACE) end -= 1;
  return line.subarray(start, end);
};

/** Reads one line (without its newline). Never throws. */
export const parseLine = (line: Uint8Array): ParsedLine => {
  const whole = isBuffer(line) ? line : Buffer.from(line.buffer, line.byteOffset, line.length);
  const bytes = trimmed(whole);
  if (bytes.length === 0) return no('blank');
  // A row of the conversation glued behind a torn meaningless one must not be lost.
  if (isMeaningless(bytes) && !bytes.includes(CHAIN_ROW)) return no('skipped');
  // Most rows are ASCII, which is read several times faster as latin1.
  const isPlain = isAscii(bytes);
  const source = bytes.toString(isPlain ? 'latin1' : 'utf8');
  const json = jsonOf(source);
  const value = json === undefined ? afterTear(source) : json;
  if (value === undefined) return no('torn');
  const row = rowOf(value);
  if (row === undefined) return no('unknown');
  return { row, isDamaged: json === undefined || !(isPlain || isUtf8(bytes)) };
};
