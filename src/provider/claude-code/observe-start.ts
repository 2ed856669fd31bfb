import type { SessionOrigin } from '../../bridge/model/events.ts';
import type { SessionId } from '../../bridge/model/ids.ts';
import type { RunHandle } from '../../bridge/model/run-state.ts';
import type { Position } from './cursor.ts';
import { meaningOf } from './fold-user.ts';
import { parseLine } from './parse.ts';
import { LineSplitter } from './parse-lines.ts';
import type { Row } from './schema.ts';
import { SessionReader } from './session-reader.ts';
import { lookAt, readAt } from './tail.ts';
import { lastTurnOffset } from './tail-seek.ts';

/** What is known when a transcript is opened. */
export interface Opening {
  readonly run: RunHandle;
  readonly session: SessionId;
  readonly path: string;
  /** From a cursor of this session. */
  readonly position?: Position | undefined;
  /** The run has followed another session before this one. */
  readonly isSwitch: boolean;
  /** The bridge looked for the file before it was there. */
  readonly sawUnborn: boolean;
}

interface Opened {
  readonly reader: SessionReader;
  readonly origin: SessionOrigin;
}

/** The beginning of a file that decides what it is; bookkeeping before it was seen to be short. */
const HEAD_BYTES = 1024 * 1024;
/** Clocks of the file system and of the process differ a little. */
const BIRTH_SLACK_MS = 2_000;

const headRows = async (path: string, size: number): Promise<Row[]> => {
  const head = await readAt(path, 0, Buffer.allocUnsafe(Math.min(size, HEAD_BYTES)));
  if (head === undefined) return [];
  const lines = new LineSplitter(0).push(head);
  return [...lines].flatMap(({ bytes }) => parseLine(bytes).row ?? []);
};

const firstTime = (rows: readonly Row[]): number | undefined => {
  for (const row of rows) {
    if (row.type === 'title' || row.type === 'queue-operation' || row.timestamp === undefined)
      continue;
    const at = Date.parse(row.timestamp);
    if (!Number.isNaN(at)) return at;
  }
  return undefined;
};

/** The file begins with what /branch copied from the session that the process was in. */
const beginsCopied = (rows: readonly Row[]): boolean =>
  rows.find((row) => row.type === 'user' || row.type === 'assistant')?.isCopied === true;

/** The file begins with the command that cleared the conversation before it. */
const beginsCleared = (rows: readonly Row[]): boolean => {
  for (const row of rows) {
    if (row.type !== 'user') continue;
    const meaning = meaningOf(row);
    if (meaning.kind === 'prompt') return false;
    if (meaning.kind === 'mark' && meaning.mark.kind === 'command') {
      return meaning.mark.name === '/clear';
    }
  }
  return false;
};

/**
 * Opens a session's transcript where this run must be read from, and says how the session came to
 * the run (R2, R4). `undefined` when the file went away meanwhile; `unborn` while it holds nothing
 * that tells what it is: a fork's file begins with rows without a time, its copies come after.
 */
export const openSession = async (opening: Opening): Promise<Opened | 'unborn' | undefined> => {
  const { run, session, path, position } = opening;
  const seen = await lookAt(path);
  if (seen === undefined) return undefined;
  const { ino, size } = seen;
  const at = {
    path,
    ino,
    ...(run.endedBefore === undefined ? {} : { before: run.endedBefore }),
  };
  if (position !== undefined) {
    const isSameRun = position.run === run.id;
    const { context, notBefore } = position;
    const isSameFile = position.ino === ino && position.offset <= size;
    const oldest = isSameFile ? notBefore : Math.max(context.lastAt, notBefore ?? 0);
    const reader = new SessionReader(
      { ...at, offset: isSameFile ? position.offset : 0 },
      {
        ...optionsOf(session, oldest),
        ...(isSameFile ? { context } : {}),
        ...(isSameRun ? {} : { resumedAt: run.startedAt }),
      },
    );
    return { reader, origin: isSameRun ? 'same' : 'resumed' };
  }
  const whole = (origin: SessionOrigin, notBefore?: number): Opened => ({
    reader: new SessionReader({ ...at, offset: 0 }, optionsOf(session, notBefore)),
    origin,
  });
  const rows = await headRows(path, size);
  const first = firstTime(rows);
  if (first === undefined && size <= HEAD_BYTES) return 'unborn';
  if (first === undefined) return whole(opening.isSwitch ? 'cleared' : 'new');
  const isOwn = seen.bornAt >= run.startedAt - BIRTH_SLACK_MS;
  const forkedBefore = isOwn && first < run.startedAt ? run.startedAt : undefined;
  const isFork = forkedBefore !== undefined || (isOwn && beginsCopied(rows));
  const sawBirth = isOwn && (opening.isSwitch || opening.sawUnborn);
  if (sawBirth && isFork) return whole('forked', forkedBefore);
  if (sawBirth) return whole(opening.isSwitch ? 'cleared' : 'new');
  const offset = await lastTurnOffset(path, size);
  if (isFork) {
    const reader = new SessionReader({ ...at, offset }, optionsOf(session, forkedBefore));
    return { reader, origin: 'forked' };
  }
  const reader = new SessionReader({ ...at, offset }, { session });
  if (opening.isSwitch) return { reader, origin: 'resumed' };
  return { reader, origin: isOwn && beginsCleared(rows) ? 'cleared' : 'met-late' };
};

/** Copied history is not shown, whichever way it is known. */
const optionsOf = (session: SessionId, notBefore: number | undefined) => ({
  session,
  hidesCopies: true,
  ...(notBefore === undefined ? {} : { notBefore }),
});
