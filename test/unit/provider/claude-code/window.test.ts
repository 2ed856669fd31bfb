import { appendFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Item } from '../../../../src/bridge/model/conversation.ts';
import { Windows } from '../../../../src/provider/claude-code/window.ts';
import { tempDir } from '../../../fakes/temp-dir.ts';
import { agentRow, promptRow, turnEndRow } from './followed-run.ts';
import { fixture, fixtureNames, inOrder, readAll } from './reading.ts';

const key = (item: Item): string => `${item.id} ${item.digest}`;
const bash = (uuid: string) => ({
  type: 'tool_use',
  id: uuid,
  name: 'Bash',
  input: { command: 'ls' },
});
const result = (call: string): string =>
  `${JSON.stringify({ parentUuid: 'x', type: 'user', uuid: `r-${call}`, timestamp: '2026-01-01T00:00:00Z', message: { content: [{ type: 'tool_result', tool_use_id: call, content: 'out' }] } })}\n`;

describe('R5 a transcript is read through in windows', () => {
  const file = async (bytes: Uint8Array | string): Promise<string> => {
    const path = join(tempDir(), 's.jsonl');
    await writeFile(path, bytes);
    return path;
  };
  /** Every window from the end to the beginning, put together. */
  const wholeByWindows = async (path: string, limit: number): Promise<Item[]> => {
    const windows = new Windows();
    const items: Item[] = [];
    let before: number | undefined;
    for (let asked = 0; ; asked += 1) {
      expect(asked).toBeLessThan(500);
      const window = await windows.window(path, before, limit);
      items.unshift(...window.items);
      if (window.before === undefined) return items;
      expect(window.items.length).toBeGreaterThan(0);
      before = window.before;
    }
  };

  it.each(fixtureNames.filter((name) => !/rewind|one-row|subagent-child/.test(name)))(
    'gives the same as one reading: %s',
    async (name) => {
      const bytes = fixture(name);
      const path = await file(bytes);
      const expected = inOrder(readAll(bytes).items.values()).map(key);
      for (const limit of [1, 3, 1_000]) {
        const items = await wholeByWindows(path, limit);
        expect(items.map(key)).toEqual(expected);
      }
    },
  );

  it('shows in an older window what came of its items later', async () => {
    const path = await file(
      promptRow('go', { uuid: 'p' }) +
        agentRow(bash('call')) +
        agentRow('meanwhile') +
        result('call') +
        turnEndRow(),
    );
    const newest = await new Windows().window(path, undefined, 1);
    expect(newest.items).toMatchObject([{ text: 'meanwhile', endsTurn: true }]);
    const older = await new Windows().window(path, newest.before, 1);
    expect(older.items).toMatchObject([{ kind: 'tool', status: 'done', output: 'out' }]);
  });

  it('marks the branch that a rewind behind the window left', async () => {
    const path = await file(
      promptRow('1', { uuid: 'p1', parent: null }) +
        turnEndRow('e1') +
        promptRow('2', { uuid: 'p2', parent: 'e1' }) +
        agentRow('two', { uuid: 'a2', parent: 'p2' }) +
        turnEndRow('e2') +
        promptRow('3', { uuid: 'p3', parent: 'e1' }),
    );
    const newest = await new Windows().window(path, undefined, 1);
    const older = await new Windows().window(path, newest.before, 2);
    expect(older.items).toMatchObject([
      { text: '2', status: 'abandoned' },
      { text: 'two', status: 'abandoned' },
    ]);
  });

  it('gives new and revised items since a window', async () => {
    const path = await file(promptRow('go') + agentRow(bash('call')));
    const windows = new Windows();
    const first = await windows.window(path, undefined, 10);
    expect(first.items).toMatchObject([{ text: 'go' }, { kind: 'tool', status: 'running' }]);
    await appendFile(path, result('call') + agentRow('done') + turnEndRow());
    const second = await windows.changes(path, first.cursor);
    expect(second.items.at(-1)).toMatchObject({ text: 'done', endsTurn: true });
    expect(second.items).toContainEqual(expect.objectContaining({ kind: 'tool', status: 'done' }));
    const third = await windows.changes(path, second.cursor);
    expect(third.items).toEqual([]);
    // Another file: begin anew.
    await rm(path);
    await writeFile(path, promptRow('other'));
    const fourth = await windows.changes(path, third.cursor);
    expect(fourth.items).toMatchObject([{ text: 'other' }]);
  });

  it('P4 gives what a thread that fell behind has missed, bounded', async () => {
    const rows = Array.from({ length: 25 }, (_, i) => agentRow(`text ${i}`));
    const path = await file(promptRow('go') + rows.join(''));
    const windows = new Windows();
    const texts: string[] = [];
    let offset: number | undefined = 0;
    while (offset !== undefined) {
      const part = await windows.since(path, offset, 10);
      expect(part.items.length).toBeLessThanOrEqual(10);
      texts.push(...part.items.flatMap((i) => (i.kind === 'text' ? [i.text] : [])));
      offset = part.next;
    }
    expect(texts).toEqual(['go', ...rows.map((_, i) => `text ${i}`)]);
  });

  it('says kindly that a transcript is gone', async () => {
    const windows = new Windows();
    const path = join(tempDir(), 'none.jsonl');
    const gone = { items: [], isGone: true };
    expect(await windows.window(path, undefined, 10)).toMatchObject(gone);
    expect(await windows.changes(path, '')).toMatchObject(gone);
    expect(await windows.since(path, 0, 10)).toMatchObject(gone);
  });
});
