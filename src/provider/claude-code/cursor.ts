import { z } from 'zod';
import type { Cursor } from '../../bridge/model/events.ts';
import { emptyContext, foldContext } from './fold-context.ts';

const child = z.object({
  /** The call under which it folds, and that call's order. */
  call: z.string(),
  order: z.number(),
  offset: z.number(),
});

/** What a cursor holds; JSON text to everybody else. */
const position = z.object({
  v: z.literal(1),
  session: z.string(),
  /** The run that read so far: another one on the same session resumed it. */
  run: z.string(),
  ino: z.number(),
  /** Low-water mark: where the oldest item that can still change begins. */
  offset: z.number(),
  context: foldContext,
  /** Rows before this time are copied history (a fork). */
  notBefore: z.number().optional(),
  /** Subagents' files by name. */
  children: z.record(z.string(), child).optional(),
});
/** No file has this inode. */
export const UNBORN = 0;
export type Position = z.infer<typeof position>;

export const writeCursor = (value: Position): Cursor => JSON.stringify(value);

/** `undefined`: none, or one that this program cannot read; then the run counts as met late. */
export const readCursor = (cursor: Cursor | undefined): Position | undefined => {
  if (cursor === undefined || cursor === '') return undefined;
  try {
    return position.parse(JSON.parse(cursor));
  } catch {
    return undefined;
  }
};

/** A session whose transcript is not born yet: it will be read from its first byte (R4). */
export const unbornPosition = (session: string, run: string): Position => ({
  v: 1,
  session,
  run,
  ino: UNBORN,
  offset: 0,
  context: emptyContext,
});
