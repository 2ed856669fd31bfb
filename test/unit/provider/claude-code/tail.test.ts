import { appendFile, mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Locator } from '../../../../src/provider/claude-code/locate.ts';
import { lookAt, Tail } from '../../../../src/provider/claude-code/tail.ts';
import { linesBackwards } from '../../../../src/provider/claude-code/tail-backwards.ts';
import { FileWatcher } from '../../../../src/provider/claude-code/watch.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { tempDir } from '../../../fakes/temp-dir.ts';
import { until } from './reading.ts';

const openTail = async (path: string, offset = 0): Promise<Tail> => {
  const seen = await lookAt(path);
  return new Tail(path, seen?.ino ?? -1, offset);
};
const linesOf = async (tail: Tail): Promise<string[] | string> => {
  const step = await tail.step();
  return step.kind === 'lines'
    ? [...step.lines].map((line) => Buffer.from(line.bytes).toString())
    : step.kind;
};

describe('the tail of one file', () => {
  it('T16 counts what was read, whatever the file grew meanwhile', async () => {
    const path = join(tempDir(), 'f');
    await writeFile(path, 'a\nb');
    const tail = await openTail(path);
    const step = await tail.step();
    await appendFile(path, 'c\nd\n');
    expect(step.kind === 'lines' ? [...step.lines].length : 0).toBe(1);
    expect(tail.consumed).toBe(2);
    expect(await linesOf(tail)).toEqual(['bc', 'd']);
    expect(await linesOf(tail)).toBe('end');
    expect(tail.consumed).toBe(7);
  });

  it('L4 notices a file that vanished, was cut or was replaced', async () => {
    const path = join(tempDir(), 'f');
    await writeFile(path, 'a\nb\n');
    const tail = await openTail(path);
    await linesOf(tail);
    await rename(path, `${path}.old`);
    expect(await linesOf(tail)).toBe('gone');
    await writeFile(path, 'a\nb\nc\n');
    expect(await linesOf(tail)).toBe('replaced');
    await rm(path);
    await rename(`${path}.old`, path);
    expect(await linesOf(tail)).toBe('end');
    await writeFile(path, 'a\n');
    expect(await linesOf(tail)).toBe('replaced');
  });

  it('reads backwards the same lines as forwards, whatever their lengths', async () => {
    const path = join(tempDir(), 'f');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 300_000 }), { maxLength: 6 }),
        fc.boolean(),
        async (lengths, isPartial) => {
          const lines = lengths.map((n, i) => String(i % 10).repeat(n % 7 === 0 ? n : n % 50));
          await writeFile(path, lines.map((l) => `${l}\n`).join('') + (isPartial ? 'part' : ''));
          const back: string[] = [];
          const size = (await lookAt(path))?.size ?? 0;
          for await (const line of linesBackwards(path, size)) {
            back.unshift(Buffer.from(line.bytes).toString());
          }
          // An empty first line is no row: it may be left out.
          expect(back.filter(Boolean)).toEqual(lines.filter(Boolean));
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('R15 R1 a transcript is found by its session id alone', () => {
  it('in any directory, also one that comes later, and the newest of two', async () => {
    const root = tempDir();
    const clock = new FakeClock(Date.now());
    const locator = new Locator({ clock });
    const find = async (): Promise<string | undefined> => {
      await clock.advance(1_000);
      return locator.find(root, 'id');
    };
    expect(await find()).toBeUndefined();
    await mkdir(join(root, '-a-b'));
    expect(await find()).toBeUndefined();
    await writeFile(join(root, '-a-b', 'id.jsonl'), '');
    expect(await find()).toBe(join(root, '-a-b', 'id.jsonl'));
    await mkdir(join(root, 'n----whocut'));
    await writeFile(join(root, 'n----whocut', 'id.jsonl'), '');
    await utimes(join(root, '-a-b', 'id.jsonl'), 1, 1);
    expect(await find()).toBe(join(root, 'n----whocut', 'id.jsonl'));
    await rm(join(root, 'n----whocut'), { recursive: true });
    expect(await find()).toBe(join(root, '-a-b', 'id.jsonl'));
  });

  it('is not confused by a directory whose name begins alike', async () => {
    const root = tempDir();
    await mkdir(join(root, 'projects', 'x'), { recursive: true });
    await mkdir(join(root, 'projects-old', 'x'), { recursive: true });
    await writeFile(join(root, 'projects-old', 'x', 'id.jsonl'), '');
    const clock = new FakeClock(Date.now());
    const locator = new Locator({ clock });
    await locator.find(join(root, 'projects-old'), 'id');
    expect(await locator.find(join(root, 'projects'), 'id')).toBeUndefined();
  });
});

describe('T03 file system events are a hint', () => {
  it('tells of a change, once for each listener, until it stops listening', async () => {
    const path = join(tempDir(), 'f');
    await writeFile(path, 'a');
    const watcher = new FileWatcher({ onError: (error) => expect.fail(String(error)) });
    onTestFinished(() => watcher.close());
    let first = 0;
    let second = 0;
    const stopFirst = watcher.listen(path, () => {
      first += 1;
    });
    watcher.listen(path, () => {
      second += 1;
    });
    await until(async () => {
      await appendFile(path, 'b');
      return first > 0 && second > 0;
    }).toBe(true);
    stopFirst();
    const after = first;
    const other = second;
    await until(async () => {
      await appendFile(path, 'c');
      return second > other;
    }).toBe(true);
    expect(first).toBe(after);
  });
});
