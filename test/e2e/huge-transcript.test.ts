import { appendFileSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Item } from '../../src/bridge/model/conversation.ts';
import { writeLongTranscript } from '../fakes/long-transcript.ts';
import { serveMemoryPlatform } from '../fakes/memory-server.ts';
import { readThreads } from '../fakes/memory-threads.ts';
import { ScriptedStage } from '../fakes/scripted-stage.ts';
import { BridgeProcess } from './bridge-process.ts';
import { eventually } from './page-client.ts';

const MB = 1024 * 1024;
const TRANSCRIPT_BYTES = 300 * MB;
/** A third of the file: what reads it whole, or keeps what it read, is far beyond. */

const residentBytes = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

let stage: ScriptedStage;
let memory: Awaited<ReturnType<typeof serveMemoryPlatform>>;
let bridge: BridgeProcess | undefined;
beforeEach(async () => {
  stage = new ScriptedStage();
  memory = await serveMemoryPlatform();
});
afterEach(async () => {
  await bridge?.stop();
  await memory.close();
  await stage.stop();
});

const texts = (items: readonly Item[]): readonly string[] =>
  items.flatMap((item) => (item.kind === 'text' ? item.text : []));

it('R4, R5, V1: a run with 300 MB behind it is shown from its end, older on demand, in flat memory', async () => {
  const agent = await stage.start();
  bridge = new BridgeProcess({
    dir: join(stage.dir, 'bridge'),
    configDir: stage.configDir,
    sockets: [stage.socket],
    entry: join(import.meta.dirname, '..', 'fakes', 'bridge-with-fail-points.ts'),
    env: { AFK_TEST_MEMORY: memory.url },
  });
  await agent.say('before the bridge');
  const path = await eventually('a transcript', () => agent.transcript());
  const own = await eventually('the end of its turn', () => {
    const text = readFileSync(path, 'utf8');
    return text.includes('turn_duration') ? text : undefined;
  });
  const session = path.split('/').at(-1)?.replace('.jsonl', '') ?? '';
  const aside = join(stage.dir, 'aside.jsonl');
  const made = writeLongTranscript(aside, {
    session,
    bytes: TRANSCRIPT_BYTES,
    end: Date.now() - 60_000,
  });
  expect(made.bytes).toBeGreaterThan(TRANSCRIPT_BYTES);
  appendFileSync(aside, own.replace('"parentUuid":null', `"parentUuid":"${made.leaf}"`));
  renameSync(aside, path);

  // What the process needs without this run: it starts and looks at an empty place first.
  const page = await bridge.start();
  const pid = bridge.pid ?? 0;
  const run = await page.runOf(agent.pid);
  const atFirst = residentBytes(pid);
  let peak = atFirst;
  const look = async (before?: number) => {
    const window = await page.window(run.id, before);
    peak = Math.max(peak, residentBytes(pid));
    return window;
  };

  const newest = await look();
  expect(texts(newest.items).at(-1)).toBe('ACK before the bridge');
  expect(newest.items.length).toBeGreaterThan(100);
  const { platform } = memory;
  const thread = await eventually('its thread', () => {
    const [first] = readThreads(platform);
    return first?.all().includes('ACK before the bridge') === true ? first : undefined;
  });
  expect(thread.texts('text')).toEqual(['before the bridge', 'ACK before the bridge']);

  let { before } = newest;
  let oldest = newest.items[0]?.order ?? 0;
  for (let n = 0; n < 20; n++) {
    const older: Awaited<ReturnType<typeof look>> = await look(before);
    expect(older.items.length).toBeGreaterThan(100);
    expect(older.items.at(-1)?.order).toBeLessThan(oldest);
    oldest = older.items[0]?.order ?? 0;
    before = older.before;
  }
  const first = await look(2 * MB);
  expect(first.items[0]?.order).toBeLessThan(2 * MB);

  for (const text of ['a new turn', 'and another']) {
    await page.outcome(run.id, await page.reply(run.id, text), 'confirmed');
    await eventually(`${text} on the page`, async () =>
      texts((await look()).items).includes(`ACK ${text}`) ? true : undefined,
    );
  }
  await eventually('both in the thread', () =>
    readThreads(platform)[0]?.texts('text').at(-1) === 'ACK and another' ? true : undefined,
  );
  expect(readThreads(platform)).toHaveLength(1);
});
