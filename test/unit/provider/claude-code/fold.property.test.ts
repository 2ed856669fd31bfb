import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Item } from '../../../../src/bridge/model/conversation.ts';
import { parseLine } from '../../../../src/provider/claude-code/parse.ts';
import { LineSplitter } from '../../../../src/provider/claude-code/parse-lines.ts';
import { fixture, fixtureNames, inOrder, readAll } from './reading.ts';

const name = fc.constantFrom(...fixtureNames);
const digests = (items: Iterable<Item>): string[] =>
  inOrder(items).map((item) => `${item.order} ${item.id} ${item.digest}`);

/** Where a line begins, and the end of the file. */
const lineStarts = (bytes: Buffer): number[] => {
  const starts = [0];
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) starts.push(at + 1);
  return starts;
};

describe('P4 the fold is a function of the bytes alone', () => {
  it('gives the same items however the file is cut into chunks', () => {
    fc.assert(
      fc.property(name, fc.integer({ min: 1, max: 5_000 }), (file, step) => {
        const bytes = fixture(file);
        const whole = readAll(bytes);
        const cut = readAll(bytes, { step });
        expect(digests(cut.items.values())).toEqual(digests(whole.items.values()));
        expect(cut.evidence).toEqual(whole.evidence);
        expect(cut.end).toBe(bytes.length);
      }),
      { numRuns: 60 },
    );
  });

  it('cuts at every byte boundary of a file', () => {
    const bytes = fixture('killed-while-asking-2.1.332.jsonl');
    const whole = [...new LineSplitter(0).push(bytes)].map((line) => [line.offset, line.end]);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const splitter = new LineSplitter(0);
      const lines = [
        ...splitter.push(bytes.subarray(0, cut)),
        ...splitter.push(bytes.subarray(cut)),
      ];
      expect(lines.map((line) => [line.offset, line.end])).toEqual(whole);
    }
  });

  it('L1 gives the same again from the low-water mark of any place', () => {
    fc.assert(
      fc.property(name, fc.nat(), (file, pick) => {
        const bytes = fixture(file);
        const starts = lineStarts(bytes);
        const stop = starts[pick % starts.length] ?? 0;
        const before = readAll(bytes.subarray(0, stop));
        const low = before.fold.lowWater(before.end);
        expect(low.offset).toBeLessThanOrEqual(stop);
        const after = readAll(bytes, { from: low.offset, context: low.context });
        // What was given before and what is given after is the whole, the later revision last.
        const together = new Map(before.items);
        for (const [key, item] of after.items) together.set(key, item);
        const whole = readAll(bytes);
        expect(digests(together.values())).toEqual(digests(whole.items.values()));
        expect(after.fold.facts()).toEqual(whole.fold.facts());
      }),
      { numRuns: 150 },
    );
  });

  it('gives the same digest for the same content in another place of another file', () => {
    const bytes = fixture('plain-turns-2.1.332.jsonl');
    const moved = Buffer.concat([Buffer.from('{"type":"mode"}\n'), bytes]);
    const here = [...readAll(bytes).items.values()].map((i) => `${i.id} ${i.digest}`);
    const there = [...readAll(moved).items.values()].map((i) => `${i.id} ${i.digest}`);
    expect(there).toEqual(here);
  });
});

describe('L4 nothing in a file makes the reader throw', () => {
  it('counts garbage lines and reads on', () => {
    const bytes = fixture('plain-turns-2.1.332.jsonl');
    const whole = digests(readAll(bytes).items.values()).length;
    const garbage = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((b) => Buffer.from(b.filter((x) => x !== 10))),
      fc.json().map((text) => Buffer.from(text)),
      fc
        .record(
          {
            type: fc.constantFrom('user', 'assistant', 'system', 'attachment', 'queue-operation'),
            uuid: fc.oneof(fc.string(), fc.integer()),
            parentUuid: fc.oneof(fc.string(), fc.constant(null), fc.integer()),
            message: fc.oneof(fc.string(), fc.record({ content: fc.anything() })),
            subtype: fc.constantFrom('turn_duration', 'compact_boundary', 'local_command', 7),
            attachment: fc.anything(),
            isSidechain: fc.boolean(),
            timestamp: fc.oneof(fc.string(), fc.integer()),
          },
          { requiredKeys: ['type'] },
        )
        .map((row) => Buffer.from(JSON.stringify(row))),
    );
    fc.assert(
      fc.property(fc.array(garbage, { maxLength: 5 }), (rows) => {
        const head = rows.flatMap((row) => [row, Buffer.from('\n')]);
        const read = readAll(Buffer.concat([...head, bytes]));
        expect(read.items.size).toBeGreaterThanOrEqual(whole);
      }),
      { numRuns: 300 },
    );
  });

  it('keeps the whole row that is glued behind a torn one', () => {
    const bytes = fixture('plain-turns-2.1.332.jsonl');
    const starts = lineStarts(bytes);
    const whole = readAll(bytes);
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (pick, length) => {
        // A crash left a part of some row, without its newline, before the row at `at`.
        const at = starts[pick % (starts.length - 1)] ?? 0;
        const end = starts[(pick % (starts.length - 1)) + 1] ?? 0;
        const torn = bytes.subarray(at, at + (length % (end - at)));
        const file = Buffer.concat([bytes.subarray(0, at), torn, bytes.subarray(at)]);
        const read = readAll(file);
        expect(inOrder(read.items.values()).map((i) => `${i.id} ${i.digest}`)).toEqual(
          inOrder(whole.items.values()).map((i) => `${i.id} ${i.digest}`),
        );
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['empty', '', 'blank'],
    ['CR only', '\r', 'blank'],
    ['NUL bytes', '\0\0\0', 'blank'],
    ['half a row', '{"parentUuid":null,"type":"us', 'torn'],
    ['a number', '7', 'unknown'],
    ['null', 'null', 'unknown'],
    ['an unknown type', '{"type":"frobnicated"}', 'unknown'],
    ['a type named like a method', '{"type":"constructor"}', 'unknown'],
    ['a user row without message', '{"parentUuid":null,"type":"user"}', 'unknown'],
    ['a listed type', '{"type":"api-request-blob","body":{{{', 'skipped'],
  ])('%s', (_what, line, why) => {
    expect(parseLine(Buffer.from(line))).toEqual({ row: undefined, why });
  });

  it('reads through BOM, CRLF, NUL bytes and invalid UTF-8', () => {
    const row = '{"parentUuid":null,"type":"user","message":{"content":"h\u00e9"},"uuid":"u"}';
    const bytes = Buffer.concat([
      Buffer.from([0xef, 0xbb, 0xbf, 0, 0]),
      Buffer.from(row),
      Buffer.from('\r'),
    ]);
    expect(parseLine(bytes)).toMatchObject({ row: { uuid: 'u' }, isDamaged: false });
    const broken = Buffer.from(row, 'latin1');
    expect(parseLine(broken)).toMatchObject({ row: { uuid: 'u' }, isDamaged: true });
  });

  it('drops a line that is too long and goes on behind it, in flat memory', () => {
    const splitter = new LineSplitter(0);
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    for (let i = 0; i < 50; i += 1) expect([...splitter.push(chunk)]).toEqual([]);
    const [long, next] = splitter.push(Buffer.from('\n{}\n'));
    expect(long).toMatchObject({ isTooLong: true, offset: 0, end: 50 * 1024 * 1024 + 1 });
    expect(next).toMatchObject({ isTooLong: false, offset: 50 * 1024 * 1024 + 1 });
    expect(splitter.consumed).toBe(50 * 1024 * 1024 + 4);
  });
});
