import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { Item } from '../../../../src/bridge/model/conversation.ts';
import { systemClock } from '../../../../src/bridge/system-clock.ts';
import { tempDir } from '../../../fakes/temp-dir.ts';
import { agentRow, FollowedRun, promptRow } from './followed-run.ts';
import { fixture, fixtureNames, inOrder, readAll, until } from './reading.ts';

const name = fc.constantFrom(...fixtureNames);
const rowsOf = (file: string): string[] => fixture(file).toString().split('\n').filter(Boolean);
const read = (rows: readonly string[], end = '\n') =>
  readAll(Buffer.from(rows.map((row) => row + end).join('')));
/** What is shown of each item, without the offsets that move when bytes are put between. */
const shown = (items: Iterable<Item>): string[] =>
  inOrder(items).map((item) => `${item.kind} ${item.digest}`);

describe('L4 rows that are not as they should be', () => {
  it.each(fixtureNames)('CRLF, BOM and NUL bytes around rows change nothing: %s', (file) => {
    const rows = rowsOf(file);
    const plain = shown(read(rows).items.values());
    expect(shown(read(rows, '\r\n').items.values())).toEqual(plain);
    expect(shown(read(rows, '\0\0\n').items.values())).toEqual(plain);
    // At each: files that were saved with one were joined.
    expect(shown(read(rows.map((row) => `\ufeff${row}`)).items.values())).toEqual(plain);
  });

  it('T10 rows of types that nobody knows, between any two, change nothing', () => {
    const strange = fc.constantFrom(
      '{"type":"progress","data":{"type":"user"}}',
      '{"type":"summary","summary":"x","leafUuid":"y"}',
      '{"type":"system","subtype":"frobnicated","uuid":"u","timestamp":"2026-01-01T00:00:00Z"}',
      '{"kind":"no type at all"}',
      '[{"type":"user"}]',
      '"text"',
      '{"type":"user","message":',
      '',
    );
    fc.assert(
      fc.property(name, fc.array(fc.tuple(fc.nat(), strange), { maxLength: 8 }), (file, more) => {
        const rows = rowsOf(file);
        const plain = shown(read(rows).items.values());
        const mixed = [...rows];
        for (const [at, row] of more) mixed.splice(at % (mixed.length + 1), 0, row);
        expect(shown(read(mixed).items.values())).toEqual(plain);
      }),
      { numRuns: 60 },
    );
  });

  it('T12 a row that is appended again is the same item, not a second one', () => {
    fc.assert(
      fc.property(name, fc.nat(), fc.integer({ min: 1, max: 6 }), (file, pick, many) => {
        const rows = rowsOf(file);
        const at = pick % rows.length;
        const again = rows.slice(at, at + many);
        const once = read(rows);
        const twice = read([...rows, ...again]);
        const known = [...once.items.values()].filter((item) => item.kind !== 'lifecycle');
        const found = [...twice.items.values()].filter((item) => item.kind !== 'lifecycle');
        expect(found.map((item) => item.id).sort()).toEqual(known.map((item) => item.id).sort());
      }),
      { numRuns: 120 },
    );
  });

  it('a field that is missing or of another kind, anywhere in a row, costs at most that row', () => {
    const wrong = fc.constantFrom<unknown>(undefined, null, 7, '', 'x', [], {}, [null], true);
    const spoil = (value: unknown, path: number, other: unknown): unknown => {
      if (typeof value !== 'object' || value === null) return other;
      const keys = Object.keys(value);
      const key = keys[path % Math.max(1, keys.length)];
      if (key === undefined) return other;
      const rest = Math.floor(path / Math.max(1, keys.length));
      const entries = Object.entries(value).map(([k, v]): [string, unknown] =>
        k === key ? [k, rest % 3 === 0 ? other : spoil(v, Math.floor(rest / 3), other)] : [k, v],
      );
      return Array.isArray(value) ? entries.map(([, v]) => v) : Object.fromEntries(entries);
    };
    fc.assert(
      fc.property(name, fc.nat(), fc.nat(), wrong, (file, pick, path, other) => {
        const rows = rowsOf(file);
        const at = pick % rows.length;
        const row: unknown = JSON.parse(rows[at] ?? 'null');
        const spoiled = [...rows];
        spoiled[at] = JSON.stringify(spoil(row, path, other)) ?? '';
        const whole = read(rows);
        const reading = read(spoiled);
        expect(reading.end).toBe(Buffer.byteLength(spoiled.map((r) => `${r}\n`).join('')));
        // Its own blocks, and a call that its result or its input had made.
        expect(reading.items.size).toBeGreaterThanOrEqual(whole.items.size - 4);
        expect(() =>
          inOrder(reading.items.values()).map((item) => JSON.stringify(item)),
        ).not.toThrow();
      }),
      { numRuns: 400 },
    );
  });

  it('bytes that were changed on the disk never stop the reader', () => {
    fc.assert(
      fc.property(
        name,
        fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 12 }),
        (file, hits) => {
          const bytes = Buffer.from(fixture(file));
          for (const [at, value] of hits) bytes[at % bytes.length] = value;
          const reading = readAll(bytes);
          expect(reading.end).toBe(bytes.lastIndexOf(10) + 1);
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('T03 L4 whatever tells of changes, a run is followed', () => {
  let run: FollowedRun | undefined;
  afterEach(async () => {
    await run?.stop();
  });

  it('without one hint, in a directory that appears later', async () => {
    // As where inotify has no watches left, or on a network file system.
    const deaf = { listen: () => () => {} };
    const followed = new FollowedRun(tempDir(), { deps: { hints: deaf } });
    run = followed;
    followed.start();
    await until(() => followed.looks).toBeGreaterThan(3);
    await followed.append(promptRow('one'));
    const second = agentRow('two');
    await followed.append(second.slice(0, 40));
    await until(() => followed.texts).toEqual(['one']);
    await followed.append(second.slice(40));
    await until(() => followed.texts).toEqual(['one', 'two']);
  });

  it('with hints that never end', async () => {
    const ringing = new Set<NodeJS.Timeout>();
    const mad = {
      listen: (_path: string, onChange: () => void) => {
        const timer = setInterval(onChange, 1);
        ringing.add(timer);
        return () => clearInterval(timer);
      },
    };
    const followed = new FollowedRun(tempDir(), { deps: { hints: mad } });
    run = followed;
    try {
      followed.start();
      for (const text of ['one', 'two', 'three']) await followed.append(promptRow(text));
      await until(() => followed.texts).toEqual(['one', 'two', 'three']);
    } finally {
      for (const timer of ringing) clearInterval(timer);
    }
  });

  it('while the clock jumps a day ahead and a day back', async () => {
    const day = 86_400_000;
    let shift = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + shift };
    const followed = new FollowedRun(tempDir(), { deps: { clock } });
    run = followed;
    followed.start();
    const texts: string[] = [];
    for (const jump of [0, day, 0, -day, 0]) {
      shift = jump;
      const { looks } = followed;
      await until(() => followed.looks).toBeGreaterThan(looks + 2);
      texts.push(`at ${texts.length}`);
      await followed.append(promptRow(texts.at(-1) ?? ''));
      await until(() => followed.texts).toEqual(texts);
    }
  });
});
