import type { Item } from '../../bridge/model/conversation.ts';
import type { SessionId } from '../../bridge/model/ids.ts';
import { type LookBack, rewoundItem } from './fold-branch.ts';
import { meaningOf } from './fold-user.ts';
import { parseLine } from './parse.ts';
import { LineSplitter } from './parse-lines.ts';
import { SessionReader } from './session-reader.ts';
import { readAt } from './tail.ts';
import { behindRow, REWIND_SEARCHED_BYTES } from './tail-seek.ts';

const HEAD_BYTES = 1024 * 1024;
const BATCH = 200;

/** Where the first prompt begins, when it hangs on nothing: a rewind can go back before it. */
const firstPrompt = async (path: string): Promise<number | undefined> => {
  const head = await readAt(path, 0, Buffer.allocUnsafe(HEAD_BYTES));
  if (head === undefined) return undefined;
  for (const { bytes, offset } of new LineSplitter(0).push(head)) {
    const { row } = parseLine(bytes);
    if (row?.type !== 'user' || meaningOf(row).kind !== 'prompt') continue;
    return row.parentUuid === null ? offset : undefined;
  }
  return undefined;
};

const deadFrom = async (path: string, back: LookBack): Promise<number | undefined> => {
  if (back.from !== undefined) return back.from;
  const from =
    back.parent === null
      ? await firstPrompt(path)
      : await behindRow(path, back.parent, back.offset);
  if (from === undefined || back.offset - from > REWIND_SEARCHED_BYTES) return undefined;
  // The parent stands within the last turn: nothing was left behind.
  return from > back.turnOffset ? undefined : from;
};

/**
 * What a rewind left behind, read again from the file and marked, in batches; nothing when the
 * prompt hangs on the living end after all, or its parent cannot be found.
 */
export async function* abandonedItems(
  session: SessionId,
  path: string,
  ino: number,
  back: LookBack,
): AsyncGenerator<readonly Item[], void, void> {
  const from = await deadFrom(path, back);
  if (from === undefined) return;
  const reader = new SessionReader(
    { path, ino, offset: from, until: back.offset },
    { session, isAbandoned: true },
  );
  for (;;) {
    const step = await reader.read(BATCH);
    const texts = step.items.filter((item) => item.kind === 'text');
    if (texts.length > 0) yield texts;
    if (step.isAtEnd) break;
  }
  yield [rewoundItem(session, back)];
}
