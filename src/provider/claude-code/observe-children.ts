import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Item } from '../../bridge/model/conversation.ts';
import { type ItemId, id, type SessionId } from '../../bridge/model/ids.ts';
import type { Position } from './cursor.ts';
import type { TranscriptFacts } from './fold.ts';
import { SessionReader } from './session-reader.ts';
import { lookAt } from './tail.ts';

const FILE = /^agent-(.+)\.jsonl$/;
/** Subagents of one run that are followed at a time. */
const FOLLOWED = 64;

const meta = z.object({ toolUseId: z.string().optional().catch(undefined) });

interface Child {
  readonly reader: SessionReader;
  readonly call: string;
  readonly order: number;
}

type Saved = NonNullable<Position['children']>;

/** Follows `<session>/subagents/agent-*.jsonl`: what subagents do folds under the call that started them (P1). */
export class Children {
  readonly #session: SessionId;
  readonly #directory: string;
  readonly #saved: Saved;
  readonly #children = new Map<string, Child>();

  constructor(session: SessionId, transcript: string, saved: Saved = {}) {
    this.#session = session;
    this.#directory = join(transcript.replace(/\.jsonl$/, ''), 'subagents');
    this.#saved = saved;
  }

  get openCalls(): TranscriptFacts['openCalls'] {
    return [...this.#children.values()].flatMap(({ reader }) => reader.facts.openCalls);
  }

  /** For the cursor. */
  positions(): Saved {
    const positions: Saved = {};
    for (const [name, { reader, call, order }] of this.#children) {
      positions[name] = { call, order, offset: reader.position().offset };
    }
    return positions;
  }

  /** Looks for new files; `parent` knows the calls. */
  async refresh(parent: SessionReader): Promise<void> {
    for (const name of await filesIn(this.#directory)) {
      if (this.#children.has(name) || this.#children.size >= FOLLOWED) continue;
      const place = this.#saved[name] ?? (await this.#placeOf(name, parent));
      if (place !== undefined) await this.#follow(name, place);
    }
  }

  /** About `limit` items of all subagents together. */
  async read(limit: number): Promise<{ items: readonly Item[]; isAtEnd: boolean }> {
    const items: Item[] = [];
    let isAtEnd = true;
    for (const { reader } of this.#children.values()) {
      if (items.length >= limit) return { items, isAtEnd: false };
      const step = await reader.read(limit - items.length);
      items.push(...step.items);
      isAtEnd &&= step.isAtEnd;
    }
    return { items, isAtEnd };
  }

  async #placeOf(name: string, parent: SessionReader): Promise<Saved[string] | undefined> {
    const agent = FILE.exec(name)?.[1];
    if (agent === undefined) return undefined;
    const call = await toolUseOf(join(this.#directory, name.replace(/\.jsonl$/, '.meta.json')));
    const found = parent.agentCall({ agent, ...(call === undefined ? {} : { call }) });
    return found === undefined ? undefined : { ...found, offset: 0 };
  }

  async #follow(name: string, place: Saved[string]): Promise<void> {
    const path = join(this.#directory, name);
    const seen = await lookAt(path);
    if (seen === undefined) return;
    const { call, order } = place;
    const offset = place.offset <= seen.size ? place.offset : 0;
    const under = { item: id<ItemId>(call), order };
    const reader = new SessionReader(
      { path, ino: seen.ino, offset },
      { session: this.#session, under },
    );
    this.#children.set(name, { reader, call, order });
  }
}

/** None where there is no such directory (yet), or it may not be read. */
const filesIn = async (directory: string): Promise<readonly string[]> => {
  try {
    return (await readdir(directory)).filter((name) => FILE.test(name));
  } catch {
    return [];
  }
};

/** `undefined` while the file is not there or not whole: the agent's id is the second way. */
const toolUseOf = async (path: string): Promise<string | undefined> => {
  try {
    return meta.parse(JSON.parse(await readFile(path, 'utf8'))).toolUseId;
  } catch {
    return undefined;
  }
};
