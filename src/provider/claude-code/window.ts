import { basename } from 'node:path';
import type { ItemWindow } from '../../bridge/model/commands.ts';
import type { Item } from '../../bridge/model/conversation.ts';
import type { Cursor } from '../../bridge/model/events.ts';
import { id, type SessionId } from '../../bridge/model/ids.ts';
import type { TranscriptReader } from '../../bridge/ports/agent-provider.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { Children } from './observe-children.ts';
import { abandonedItems } from './observe-rewind.ts';
import { SessionReader } from './session-reader.ts';
import { lookAt } from './tail.ts';
import { windowStart } from './window-start.ts';

const GONE: ItemWindow = { items: [], cursor: '', isGone: true };
/** Behind a window, results and the next prompt are looked for in at most so many bytes. */
const AHEAD_BYTES = 512 * 1024;
const STEP = 100;
/** Items of subagents in one window. */
const MOST_INSIDE = 200;

const sessionOf = (path: string): SessionId => id<SessionId>(basename(path, '.jsonl'));

const cursorOf = (reader: SessionReader): Cursor =>
  writeCursor({ v: 1, session: reader.session, run: '', ...reader.position() });

const inOrder = (items: Iterable<Item>): readonly Item[] =>
  [...items].sort((a, b) => a.order - b.order);

/** Keeps of every item its newest form. */
class Shown {
  readonly items = new Map<string, Item>();

  add(items: Iterable<Item>): void {
    for (const item of items) this.items.set(item.id, item);
  }

  /** Only revisions of what is shown already. */
  revise(items: Iterable<Item>): void {
    for (const item of items) if (this.items.has(item.id)) this.items.set(item.id, item);
  }
}

/** Reads behind the end of a window what still changes its items: results, an un-send, a rewind. */
const readAhead = async (reader: SessionReader, shown: Shown): Promise<void> => {
  const end = reader.offset + AHEAD_BYTES;
  while (reader.offset < end) {
    const step = await reader.read(STEP);
    shown.revise(step.items);
    for (const back of step.lookBacks) {
      const batches = abandonedItems(reader.session, reader.path, reader.position().ino, back);
      for await (const items of batches) shown.revise(items);
    }
    if (step.isAtEnd || step.lookBacks.length > 0) return;
  }
};

/** What subagents did, under the calls that stand in the window. */
const insideOf = async (reader: SessionReader): Promise<readonly Item[]> => {
  const children = new Children(reader.session, reader.path);
  await children.refresh(reader);
  const items: Item[] = [];
  for (let isAtEnd = false; !isAtEnd && items.length < MOST_INSIDE; ) {
    const step = await children.read(MOST_INSIDE - items.length);
    items.push(...step.items);
    isAtEnd = step.isAtEnd;
  }
  return items;
};

/**
 * Reads transcripts for people who look at them (R5, O5): any part of a file of any size, in
 * bounded memory. Items come in the transcript's order.
 */
export class Windows implements TranscriptReader {
  async window(path: string, before: number | undefined, limit: number): Promise<ItemWindow> {
    const seen = await lookAt(path);
    if (seen === undefined) return GONE;
    const end = Math.min(before ?? seen.size, seen.size);
    const start = await windowStart(path, end, limit);
    const session = sessionOf(path);
    const reader = new SessionReader(
      { path, ino: seen.ino, offset: start, until: end },
      { session },
    );
    const shown = new Shown();
    for (let isAtEnd = false; !isAtEnd; ) {
      const step = await reader.read(STEP);
      shown.add(step.items);
      isAtEnd = step.isAtEnd;
    }
    const cursor = cursorOf(reader);
    if (shown.items.size === 0 && start > 0) {
      // Nothing of what is there is shown: the next older window instead, never an empty one.
      return { ...(await this.window(path, start, limit)), cursor };
    }
    if (before !== undefined) {
      reader.readOn();
      await readAhead(reader, shown);
    }
    shown.add(await insideOf(reader));
    return {
      items: inOrder(shown.items.values()),
      cursor,
      ...(start > 0 ? { before: start } : {}),
    };
  }

  async changes(path: string, cursor: Cursor): Promise<ItemWindow> {
    const seen = await lookAt(path);
    if (seen === undefined) return GONE;
    const position = readCursor(cursor);
    // Another file stands there now, or the cursor is another program's: begin anew.
    if (position === undefined || position.ino !== seen.ino || position.offset > seen.size) {
      return this.window(path, undefined, MOST_INSIDE);
    }
    const { ino, offset, context } = position;
    const session = sessionOf(path);
    const reader = new SessionReader({ path, ino, offset }, { session, context });
    const shown = new Shown();
    let isAtEnd = false;
    while (!isAtEnd && shown.items.size < MOST_INSIDE) {
      const step = await reader.read(STEP);
      for (const back of step.lookBacks) {
        for await (const items of abandonedItems(session, path, ino, back)) shown.add(items);
      }
      shown.add(step.items);
      isAtEnd = step.isAtEnd;
    }
    return {
      items: inOrder(shown.items.values()),
      cursor: cursorOf(reader),
      ...(isAtEnd ? {} : { next: reader.offset }),
    };
  }

  async since(path: string, offset: number, limit: number): Promise<ItemWindow> {
    const seen = await lookAt(path);
    if (seen === undefined) return GONE;
    const session = sessionOf(path);
    const reader = new SessionReader({ path, ino: seen.ino, offset }, { session });
    const shown = new Shown();
    let isAtEnd = false;
    while (!isAtEnd && shown.items.size < limit) {
      const step = await reader.read(limit - shown.items.size);
      shown.add(step.items);
      isAtEnd = step.isAtEnd;
    }
    const next = reader.offset;
    const cursor = cursorOf(reader);
    if (!isAtEnd) await readAhead(reader, shown);
    return {
      items: inOrder(shown.items.values()),
      cursor,
      ...(isAtEnd ? {} : { next }),
    };
  }
}
