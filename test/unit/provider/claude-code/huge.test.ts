import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { unbornPosition, writeCursor } from '../../../../src/provider/claude-code/cursor.ts';
import { observe } from '../../../../src/provider/claude-code/observe.ts';
import { lastTurnOffset } from '../../../../src/provider/claude-code/tail-seek.ts';
import { Windows } from '../../../../src/provider/claude-code/window.ts';
import { agentRow, FollowedRun, promptRow, turnEndRow } from './followed-run.ts';
import { fixture, until } from './reading.ts';

/** Bytes that this process has read from files so far. */
const bytesRead = (): number =>
  Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1] ?? Number.NaN);

const MB = 1024 * 1024;
const SIZE = 300 * MB;
/** Texts of the recorded transcript that is repeated. */
const TEXTS = 13;

describe('T13 V1 a transcript of 300 MB', () => {
  let root: string;
  let run: FollowedRun;
  let made = 0;

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'afk-huge-'));
    run = new FollowedRun(root);
    mkdirSync(dirname(run.path()), { recursive: true });
    const file = openSync(run.path(), 'w');
    const rows = fixture('plain-turns-2.1.332.jsonl').toString();
    const noise = `{"type":"api-request-blob","body":"${'x'.repeat(60_000)}"}\n`.repeat(40);
    const [, lastUuid = ''] = /"uuid":"([^"]+)"(?![\s\S]*"uuid")/.exec(rows) ?? [];
    for (let size = 0; size < SIZE; made += 1) {
      // Recorded turns with ids of their own, each hanging on the one before, between rows without meaning.
      const turn = rows
        .replace(/"(uuid|parentUuid)":"/g, `"$1":"${made}-`)
        .replace('"parentUuid":null', `"parentUuid":"${made - 1}-${lastUuid}"`);
      size += writeSync(file, turn + noise);
    }
    writeSync(
      file,
      promptRow('the last prompt', { parent: `${made - 1}-${lastUuid}` }) +
        agentRow('the last word') +
        turnEndRow('the-end'),
    );
    closeSync(file);
  });
  afterEach(() => run.stop());
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it('is met at once: its end is read, in flat memory', async () => {
    const heap = getHeapStatistics().used_heap_size;
    const read = bytesRead();
    run.start();
    await until(() => run.texts).toEqual(['the last prompt', 'the last word']);
    expect(run.last).toMatchObject({ origin: 'met-late', state: { name: 'needs-input' } });
    expect(getHeapStatistics().used_heap_size - heap).toBeLessThan(40 * MB);
    const { cursor } = run.last ?? { cursor: '{}' };
    expect((JSON.parse(cursor) as { offset: number }).offset).toBe(statSync(run.path()).size);
    // The head that says what the file is, the last turn, and the registry: no more.
    expect(bytesRead() - read).toBeLessThan(4 * MB);
  });

  it('costs a new turn what the turn costs', async () => {
    run = new FollowedRun(root);
    run.start();
    await until(() => run.texts).toContain('the last word');
    const turn = promptRow('new', { parent: 'the-end' }) + agentRow('answer') + turnEndRow();
    const read = bytesRead();
    await appendFile(run.path(), turn);
    await until(() => run.texts).toContain('answer');
    expect(bytesRead() - read).toBeLessThan(MB);
  });

  it('is searched backwards no further than 4 MB', async () => {
    const { size } = statSync(run.path());
    expect(size - (await lastTurnOffset(run.path(), size))).toBeLessThan(4 * MB + 1);
    expect(made).toBeGreaterThan(50);
  });

  it('shows any window of it in flat memory', async () => {
    const windows = new Windows();
    const heap = getHeapStatistics().used_heap_size;
    let before: number | undefined;
    const read = bytesRead();
    for (let i = 0; i < 5; i += 1) {
      const window = await windows.window(run.path(), before, 50);
      expect(window.items.length).toBeGreaterThan(20);
      before = window.before;
    }
    const middle = await windows.window(run.path(), SIZE / 2, 50);
    expect(middle.items.length).toBeGreaterThan(20);
    expect(getHeapStatistics().used_heap_size - heap).toBeLessThan(40 * MB);
    expect(bytesRead() - read).toBeLessThan(100 * MB);
  });

  it('is read whole from a cursor at its beginning, each item once, in flat memory', async () => {
    const whole = new FollowedRun(root);
    const seen = statSync(whole.path());
    const cursor = writeCursor({ ...unbornPosition('aaaa', whole.run.id), ino: seen.ino });
    const ids = new Set<string>();
    let most = 0;
    const stop = new AbortController();
    for await (const part of observe(whole.deps, whole.run, cursor, stop.signal)) {
      for (const item of part.items) ids.add(item.id);
      most = Math.max(most, getHeapStatistics().used_heap_size);
      if (part.items.some((i) => i.kind === 'text' && i.endsTurn === true && i.text === 'answer'))
        break;
    }
    // The tool calls have the same ids every time.
    const texts = [...ids].filter((id) => !id.startsWith('toolu_'));
    expect(texts).toHaveLength(made * TEXTS + 4);
    expect(most).toBeLessThan(200 * MB);
  });
});
