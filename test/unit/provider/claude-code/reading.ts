import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Item } from '../../../../src/bridge/model/conversation.ts';
import type { Evidence } from '../../../../src/bridge/model/delivery.ts';
import { id, type SessionId } from '../../../../src/bridge/model/ids.ts';
import { Fold } from '../../../../src/provider/claude-code/fold.ts';
import type { LookBack } from '../../../../src/provider/claude-code/fold-branch.ts';
import type { FoldOptions } from '../../../../src/provider/claude-code/fold-state.ts';
import { parseLine } from '../../../../src/provider/claude-code/parse.ts';
import { LineSplitter } from '../../../../src/provider/claude-code/parse-lines.ts';

export const FIXTURES = new URL(
  '../../../../compat/claude-code/fixtures/transcripts/',
  import.meta.url,
);
export const fixtureNames = readdirSync(FIXTURES).filter((name) => name.endsWith('.jsonl'));
export const fixture = (name: string): Buffer => readFileSync(new URL(name, FIXTURES));

export interface Reading {
  readonly fold: Fold;
  readonly items: Map<string, Item>;
  readonly evidence: Evidence[];
  readonly lookBacks: LookBack[];
  readonly counts: Map<string, number>;
  /** Every item that was given, revisions too. */
  readonly given: Item[];
  end: number;
}

export const SESSION = id<SessionId>('s');

/** Reads a whole transcript in chunks of `step` bytes, taking after each chunk. */
export const readAll = (
  bytes: Uint8Array,
  options: Partial<FoldOptions> & { from?: number; step?: number } = {},
): Reading => {
  const { from = 0, step = 65_536, ...rest } = options;
  const fold = new Fold({ session: SESSION, ...rest });
  const splitter = new LineSplitter(from);
  const reading: Reading = {
    fold,
    items: new Map(),
    evidence: [],
    lookBacks: [],
    counts: new Map(),
    given: [],
    end: from,
  };
  for (let at = from; at < bytes.length; at += step) {
    for (const line of splitter.push(bytes.subarray(at, at + step))) {
      const parsed = parseLine(line.bytes);
      const what = parsed.row === undefined ? parsed.why : parsed.row.type;
      reading.counts.set(what, (reading.counts.get(what) ?? 0) + 1);
      if (parsed.row !== undefined) fold.push(parsed.row, line.offset);
    }
    const taken = fold.take();
    for (const item of taken.items) reading.items.set(item.id, item);
    reading.given.push(...taken.items);
    reading.evidence.push(...taken.evidence);
    reading.lookBacks.push(...taken.lookBacks);
    reading.end = splitter.consumed;
  }
  return reading;
};

const short = (text: string): string => {
  const line = text.replaceAll('\n', '⏎');
  return line.length <= 90 ? line : `${line.slice(0, 90)}…(${text.length})`;
};

/** One line per item, for snapshots. */
export const shortForm = (item: Item): string => {
  const under = item.parent === undefined ? '' : `  ↳ ${item.parent.slice(0, 12)} `;
  switch (item.kind) {
    case 'text':
      return `${under}${item.role}/${item.origin} ${item.status}${item.endsTurn ? ' ends-turn' : ''}: ${short(item.text)}`;
    case 'tool':
      return `${under}tool ${item.name} ${item.status}: ${short(item.summary)} → ${short(item.output ?? '')}${item.diff === undefined ? '' : ` diff ${short(item.diff)}`}`;
    case 'dialog': {
      const what =
        item.content.type === 'question'
          ? item.content.questions.map((q) => `${q.question}[${q.options.map((o) => o.label)}]`)
          : item.content.type;
      const end = `${item.answers === undefined ? '' : ` ${JSON.stringify(item.answers)}`}${item.note === undefined ? '' : ` note ${short(item.note)}`}`;
      return `${under}dialog ${item.status} ${what}${end}`;
    }
    case 'lifecycle':
      return `${under}lifecycle ${item.event}: ${short(item.text)}${item.detail === undefined ? '' : ` | ${short(item.detail)}`}`;
  }
};

export const inOrder = (items: Iterable<Item>): Item[] =>
  [...items].sort((a, b) => a.order - b.order);

/** Waits for a condition; the machine may be busy with other things. */
export const until = <T>(of: () => T) => expect.poll(of, { timeout: 15_000, interval: 5 });
