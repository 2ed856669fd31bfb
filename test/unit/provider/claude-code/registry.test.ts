import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../../../src/bridge/ports/clock.ts';
import { Registry } from '../../../../src/provider/claude-code/registry.ts';

const HEX = 'a'.repeat(64);
const sample = (pid: number, more: object = {}): string =>
  JSON.stringify({
    pid,
    sessionId: '11111111-2222-4333-8444-555555555555',
    cwd: '/home/alex/project',
    startedAt: 1_790_000_000_000,
    procStart: '8846312',
    version: '2.1.332',
    kind: 'interactive',
    entrypoint: 'cli',
    tmux: 'main:@1.%3',
    status: 'idle',
    updatedAt: 1_790_000_000_500,
    ...more,
  });

/** Time moves when someone sleeps, and then the waiting writer gets its turn. */
class WriterClock implements Clock {
  time = 1_800_000_000_000;
  sleeps = 0;
  onSleep: () => void = () => undefined;
  now(): number {
    return this.time;
  }
  sleep(ms: number): Promise<void> {
    this.time += ms;
    this.sleeps += 1;
    this.onSleep();
    return Promise.resolve();
  }
}

describe('registry of live sessions', () => {
  let dir: string;
  let clock: WriterClock;
  let registry: Registry;
  const write = (name: string, content: string): void =>
    writeFileSync(join(dir, 'sessions', name), content);
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'afk-registry-'));
    mkdirSync(join(dir, 'sessions'));
    clock = new WriterClock();
    registry = new Registry({ clock });
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  it('reads an entry, keys it does not know and statuses it does not know included', async () => {
    write('42.json', sample(42, { status: 'dreaming', someday: { a: 1 }, procStart: 8846312 }));
    expect(await registry.read(dir, 42)).toEqual({
      pid: 42,
      sessionId: '11111111-2222-4333-8444-555555555555',
      cwd: '/home/alex/project',
      startedAt: 1_790_000_000_000,
      procStart: '8846312',
      version: '2.1.332',
      kind: 'interactive',
      entrypoint: 'cli',
      tmux: 'main:@1.%3',
      status: 'unknown',
    });
  });

  it('keeps both halves of a status that is written in two steps', async () => {
    write('42.json', sample(42, { status: 'waiting', waitingFor: '' }));
    expect(await registry.read(dir, 42)).toMatchObject({ status: 'waiting', waitingFor: '' });
  });

  it('R2: believes no file without a status while its process is young: its session may change', async () => {
    const startedAt = clock.time - 100;
    write('42.json', sample(42, { status: undefined, startedAt }));
    expect(await registry.read(dir, 42)).toBe('absent');
    expect((await registry.list(dir)).entries).toEqual([]);
    clock.time += 20_000;
    expect(await registry.read(dir, 42)).toMatchObject({ status: 'unknown' });
    expect((await registry.list(dir)).entries).toHaveLength(1);
    write('43.json', sample(43, { startedAt: clock.time }));
    expect(await registry.read(dir, 43)).toMatchObject({ status: 'idle' });
  });

  it('reads a torn file again until it is whole (L4)', async () => {
    const whole = sample(42, { status: 'busy' });
    write('42.json', whole.slice(0, 60));
    clock.onSleep = () => clock.sleeps === 3 && write('42.json', whole);
    expect(await registry.read(dir, 42)).toMatchObject({ status: 'busy' });
    expect(clock.sleeps).toBe(3);
  });

  it.each([
    ['stays torn', sample(42).slice(0, 90)],
    ['is empty', ''],
    ['is another process’s', sample(43)],
    ['is no object', '[1]'],
  ])('says unreadable, within 100 ms, where a file %s', async (_name, content) => {
    write('42.json', content);
    const since = clock.time;
    expect(await registry.read(dir, 42)).toBe('unreadable');
    expect(clock.time - since).toBeLessThanOrEqual(100);
    expect(await registry.list(dir)).toMatchObject({ entries: [], unreadable: [42] });
  });

  it('says absent where there is no file and no directory', async () => {
    expect(await registry.read(dir, 42)).toBe('absent');
    expect(await registry.list(join(dir, 'none'))).toEqual({
      entries: [],
      unreadable: [],
      keyPids: [],
    });
  });

  it('lists entries and key files, and nothing else', async () => {
    write('42.json', sample(42));
    write(`42.${HEX}.key`, '');
    write(`77.${HEX}.key`, '');
    for (const name of ['x.json', '42.json.tmp', '007.json', `78.${HEX}.key.bak`, '79.abc.key'])
      write(name, sample(42));
    const listing = await registry.list(dir);
    expect(listing.entries.map((entry) => entry.pid)).toEqual([42]);
    expect([...listing.keyPids].sort()).toEqual([42, 77]);
    expect(listing.unreadable).toEqual([]);
  });

  it('never answers from memory what the disk says otherwise (S3)', async () => {
    write('42.json', sample(42));
    clock.time = Date.now();
    await registry.list(dir);
    // Same size, same time stamp to the tick, written right after it was read.
    const stamp = new Date(clock.time - 1);
    utimesSync(join(dir, 'sessions', '42.json'), stamp, stamp);
    await registry.list(dir);
    write('42.json', sample(42, { status: 'busy' }));
    utimesSync(join(dir, 'sessions', '42.json'), stamp, stamp);
    expect((await registry.list(dir)).entries).toMatchObject([{ status: 'busy' }]);
    const rested = new Date(clock.time - 60_000);
    utimesSync(join(dir, 'sessions', '42.json'), rested, rested);
    await registry.list(dir);
    write('42.json', sample(42, { status: 'idle' }));
    expect((await registry.list(dir)).entries).toMatchObject([{ status: 'idle' }]);
    expect(await registry.read(dir, 42)).toMatchObject({ status: 'idle' });
  });
});
