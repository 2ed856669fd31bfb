import { existsSync } from 'node:fs';
import { appendFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Line } from '../../../../src/provider/claude-code/parse-lines.ts';
import { CHUNK, lookAt, Tail } from '../../../../src/provider/claude-code/tail.ts';
import { linesBackwards } from '../../../../src/provider/claude-code/tail-backwards.ts';
import { tempDir } from '../../../fakes/temp-dir.ts';
import { fixture } from './reading.ts';

const MB = 1024 * 1024;
const openTail = async (path: string, offset = 0): Promise<Tail> =>
  new Tail(path, (await lookAt(path))?.ino ?? -1, offset);

/** All that can be read now: the lines' bytes as text, and what stopped it. */
const drain = async (tail: Tail): Promise<{ lines: string[]; stopped: string }> => {
  const lines: string[] = [];
  for (;;) {
    const step = await tail.step();
    if (step.kind !== 'lines') return { lines, stopped: step.kind };
    for (const line of step.lines) lines.push(Buffer.from(line.bytes).toString('latin1'));
  }
};

describe('L4 whatever is done to a file, each of its lines is given once', () => {
  it('T01 torn by its writer at every byte: nothing early, nothing lost, nothing twice', async () => {
    const path = join(tempDir(), 'f');
    const whole = Buffer.from('{"a":"\u00e9"}\r\n\n{"b":"\u{1F469}\u200d"}\n{"c":1}\n');
    for (let cut = 0; cut <= whole.length; cut += 1) {
      await writeFile(path, whole.subarray(0, cut));
      const tail = await openTail(path);
      const before = await drain(tail);
      // Only what stands before the last newline so far, and the cursor right behind it.
      const end = whole.subarray(0, cut).lastIndexOf(10) + 1;
      expect(tail.consumed).toBe(end);
      await appendFile(path, whole.subarray(cut));
      const after = await drain(tail);
      const all = [...before.lines, ...after.lines].map((line) => `${line}\n`).join('');
      expect(all).toBe(whole.toString('latin1'));
      // A reader that starts anew from that cursor gives the rest, byte for byte.
      const anew = await drain(await openTail(path, end));
      expect(anew.lines).toEqual(after.lines);
    }
  });

  it('written in any pieces while it is read', async () => {
    const path = join(tempDir(), 'f');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 12 }),
        fc.array(fc.boolean(), { maxLength: 12 }),
        async (pieces, looks) => {
          await writeFile(path, '');
          const tail = await openTail(path);
          const given: string[] = [];
          for (const [i, piece] of pieces.entries()) {
            // Newlines are rare in random bytes.
            await appendFile(
              path,
              piece.map((byte) => (byte % 5 === 0 ? 10 : byte)),
            );
            if (looks[i] === true) given.push(...(await drain(tail)).lines);
          }
          given.push(...(await drain(tail)).lines);
          const bytes = Buffer.concat(
            pieces.map((piece) => piece.map((byte) => (byte % 5 === 0 ? 10 : byte))),
          );
          const end = bytes.lastIndexOf(10) + 1;
          expect(given.map((line) => `${line}\n`).join('')).toBe(
            bytes.subarray(0, end).toString('latin1'),
          );
          expect(tail.consumed).toBe(end);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('cut, taken away, put back or replaced in any order: never a line of another file', async () => {
    const path = join(tempDir(), 'f');
    const deed = fc.constantFrom('append', 'tear', 'cut', 'remove', 'restore', 'replace');
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { maxLength: 14 }), async (deeds) => {
        await rm(`${path}.away`, { force: true });
        await writeFile(path, '');
        let tail = await openTail(path);
        let file = 0;
        let row = 0;
        for (const what of deeds) {
          const isThere = existsSync(path);
          if (what === 'append' && isThere) await appendFile(path, `${file}:${++row}\n`);
          if (what === 'tear' && isThere) await appendFile(path, `${file}:`);
          if (what === 'cut' && isThere) await truncate(path, 0);
          if (what === 'remove' && isThere) await rename(path, `${path}.away`);
          if (what === 'restore' && !isThere) await rename(`${path}.away`, path);
          if (what === 'replace') {
            await writeFile(`${path}.new`, `${++file}:first\n`);
            await rename(`${path}.new`, path);
          }
          const length = (await lookAt(path))?.size;
          const { lines, stopped } = await drain(tail);
          for (const line of lines) expect(line).toMatch(/^(\d+:)*\d+:(\d+|first)$/);
          if (length === undefined) expect(stopped).toBe('gone');
          else if (what === 'replace') expect(stopped).toBe('replaced');
          else expect(['end', 'replaced']).toContain(stopped);
          if (what === 'replace') expect(lines).toEqual([]);
          if (stopped === 'replaced') {
            tail = await openTail(path);
            const again = await drain(tail);
            expect(again.stopped).toBe('end');
            expect(tail.consumed).toBeLessThanOrEqual(length ?? 0);
          }
        }
      }),
      { numRuns: 80 },
    );
  });

  it('T04 the end of a long file that nobody writes any more is read to its last line', async () => {
    const path = join(tempDir(), 'f');
    const row = `${'x'.repeat(999)}\n`;
    const rows = Math.ceil((5 * CHUNK) / row.length);
    await writeFile(path, `${row.repeat(rows)}last\nhalf`);
    const tail = await openTail(path);
    const { lines, stopped } = await drain(tail);
    expect({ count: lines.length, last: lines.at(-1), stopped }).toEqual({
      count: rows + 1,
      last: 'last',
      stopped: 'end',
    });
    expect(tail.consumed).toBe(rows * row.length + 'last\n'.length);
  });

  it('a line of 50 MB is passed over in flat memory, forwards and backwards', async () => {
    const path = join(tempDir(), 'f');
    await writeFile(path, '{"before":1}\n');
    // A hole: what a copy that broke off, or a full disk, leaves.
    await truncate(path, 50 * MB);
    await appendFile(path, '\n{"after":1}\n');
    const heap = getHeapStatistics();
    const used = heap.used_heap_size + heap.external_memory;
    const tail = await openTail(path);
    const seen: Line[] = [];
    let most = 0;
    for (let step = await tail.step(); step.kind === 'lines'; step = await tail.step()) {
      for (const line of step.lines) seen.push({ ...line, bytes: Uint8Array.from(line.bytes) });
      const now = getHeapStatistics();
      most = Math.max(most, now.used_heap_size + now.external_memory - used);
    }
    expect(seen.map((line) => [line.isTooLong, line.bytes.length])).toEqual([
      [false, 12],
      [true, 0],
      [false, 11],
    ]);
    // One line's bound, twice while it is copied, and what has not been collected yet.
    expect(most).toBeLessThan(45 * MB);
    const back: Array<[boolean, number]> = [];
    const size = (await lookAt(path))?.size ?? 0;
    for await (const line of linesBackwards(path, size)) back.push([line.isTooLong, line.offset]);
    expect(back).toEqual([...seen].reverse().map((line) => [line.isTooLong, line.offset]));
  });

  // Its size says 4096 and it holds a few bytes: as attributes that a network file system remembers.
  const liar = '/sys/kernel/mm/transparent_hugepage/enabled';
  it.skipIf(!existsSync(liar))(
    'a file that holds less than its size says ends a look, it does not spin',
    async () => {
      const tail = await openTail(liar);
      const first = await tail.step();
      expect(first.kind === 'lines' ? [...first.lines] : []).toHaveLength(1);
      expect((await tail.step()).kind).toBe('end');
      expect((await tail.step()).kind).toBe('end');
    },
    5_000,
  );

  it('bytes that are no transcript at all are lines like others', async () => {
    const path = join(tempDir(), 'f');
    const bytes = fixture('plain-turns-2.1.332.jsonl').map((byte, i) => (i % 97 === 0 ? 0 : byte));
    await writeFile(path, bytes);
    const { lines } = await drain(await openTail(path));
    expect(lines).toHaveLength(bytes.filter((byte) => byte === 10).length);
  });
});
