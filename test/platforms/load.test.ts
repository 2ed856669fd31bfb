import { describe, expect, onTestFinished, test } from 'vitest';
import {
  discordUnderLoad,
  type LoadPlatform,
  type Posted,
  slackUnderLoad,
} from './load-platforms.ts';
import { type LoadRig, loadRig } from './load-rig.ts';

/** `npm run test:load` sets these: real rates for ten minutes, and the whole burst. */
const factor = Number(process.env['AFK_LOAD_FACTOR'] ?? 10);
const seconds = Number(process.env['AFK_LOAD_SECONDS'] ?? 60);
const burst = Number(process.env['AFK_LOAD_BURST'] ?? 200);

/** A burst is about who goes first: that shows as well at ten times the rates. */
const burstFactor = 10;
const runs = 20;
/** V5 is about real rates; where this machine has ten times as much to do, it is what stalls, ms. */
const longestWait = (times: number): number => (times === 1 ? 2_000 : 5_000);
/** Of all runs together, at real rates. */
const textsPerSecond = 0.7;
/** Every so many texts a call runs beside them, and a question is asked. */
const perCall = 3;
const perQuestion = 14;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** `<r3.17>`: the 17th text of run 3; `{9}`: the 9th question. */
const marksIn = (posted: readonly Posted[], run: number): readonly string[] =>
  posted.flatMap(({ text }) => text.match(new RegExp(`<r${run}\\.\\d+>`, 'g')) ?? []);

const set = async (make: (times: number) => Promise<LoadPlatform>, times: number) => {
  const platform = await make(times);
  const rig = loadRig(platform, runs, times);
  onTestFinished(() => rig.stop());
  return { platform, rig };
};

/** Asks, and waits for the question. @returns ms until it stood on the platform. */
const asked = async (rig: LoadRig, platform: LoadPlatform, run: number, mark: string) => {
  const from = platform.posted().length;
  const at = Date.now();
  await rig.ask(run, mark);
  await expect
    .poll(() => platform.posted(from).some(({ text }) => text.includes(mark)), {
      timeout: 30_000,
      interval: 20,
    })
    .toBe(true);
  const question = platform.posted(from).find(({ text }) => text.includes(mark));
  await rig.answered(run);
  return (question?.at ?? Number.POSITIVE_INFINITY) - at;
};

const drained = (rig: LoadRig, withinMs: number): Promise<void> =>
  expect.poll(() => rig.isDrained(), { timeout: withinMs, interval: 100 }).toBe(true);

const report = (name: string, figures: Readonly<Record<string, number | string>>): void =>
  console.log(
    `${name}: ${Object.entries(figures)
      .map(([what, value]) => `${what} ${value}`)
      .join(', ')}`,
  );

const platforms = [
  ['Slack', slackUnderLoad],
  ['Discord', discordUnderLoad],
] as const;

describe.each(platforms)('V5 %s with its limits', (name, make) => {
  const howLong = (seconds + 120) * 1_000;
  test(`R17 ${runs} busy runs in one channel: every text, in order, and a question within 2 s`, {
    timeout: howLong,
  }, async () => {
    const { platform, rig } = await set(make, factor);
    const texts = Math.round(seconds * textsPerSecond * factor);
    const said = new Map<number, number>();
    const waits: Promise<number>[] = [];
    const calls: Promise<void>[] = [];
    const began = Date.now();
    for (let n = 0; n < texts; n++) {
      await sleep(began + (n * 1_000) / (textsPerSecond * factor) - Date.now());
      // Not in turns: some runs say two things in a row.
      const run = (n * 7 + Math.floor(n / 3)) % runs;
      const count = (said.get(run) ?? 0) + 1;
      said.set(run, count);
      await rig.say(run, `<r${run}.${count}> ${'words '.repeat(n % 40)}`);
      if (n % perCall === 0) {
        const end = await rig.call(run);
        calls.push(sleep(2_000 / factor).then(end));
      }
      if (n % perQuestion === perQuestion - 1)
        waits.push(asked(rig, platform, (run + 3) % runs, `{${n}}`));
    }
    const all = await Promise.all(waits);
    await Promise.all(calls);
    const wholeMs = Date.now() - began;
    await drained(rig, 60_000);
    const lagMs = Date.now() - began - wholeMs;
    const posted = platform.posted();
    report(`${name} at ${factor} times its rates`, {
      texts,
      posts: posted.length,
      questions: all.length,
      'slowest question (ms)': Math.round(Math.max(...all)),
      'refused by the platform': platform.refused(),
      'drained after (ms)': lagMs,
    });
    for (const [run, count] of said)
      expect(marksIn(posted, run)).toEqual(
        Array.from({ length: count }, (_, n) => `<r${run}.${n + 1}>`),
      );
    expect(Math.max(...all)).toBeLessThan(longestWait(factor));
    expect(platform.refused()).toBeLessThanOrEqual(texts / 100);
  });

  test(`a burst of ${burst} texts drains at the limit, with questions first`, {
    timeout: 120_000 + burst * 200,
  }, async () => {
    const { platform, rig } = await set(make, burstFactor);
    for (let run = 0; run < runs; run++) await rig.say(run, `<r${run}.1>`);
    await drained(rig, 60_000);
    const before = platform.posted().length;
    const perRun = Math.ceil(burst / runs);
    for (let n = 2; n <= perRun + 1; n++)
      for (let run = 0; run < runs; run++) await rig.say(run, `<r${run}.${n}>`);
    const waits: number[] = [];
    for (let n = 0; n < 5; n++) {
      await sleep(1_000);
      waits.push(await asked(rig, platform, n * 3, `{q${n}}`));
    }
    await drained(rig, 60_000 + burst * 150);
    const posted = platform.posted();
    for (let run = 0; run < runs; run++)
      expect(marksIn(posted, run)).toEqual(
        Array.from({ length: perRun + 1 }, (_, n) => `<r${run}.${n + 1}>`),
      );
    const [first, last] = [posted[before], posted.at(-1)];
    const tookSeconds = ((last?.at ?? 0) - (first?.at ?? 0)) / 1_000;
    const perSecond = (posted.length - before) / tookSeconds;
    report(`${name}, a burst of ${burst}`, {
      posts: posted.length - before,
      'per second': perSecond.toFixed(1),
      'slowest question (ms)': Math.round(Math.max(...waits)),
      'refused by the platform': platform.refused(),
    });
    expect(Math.max(...waits)).toBeLessThan(longestWait(burstFactor));
    expect(platform.refused()).toBeLessThanOrEqual(burst / 50);
  });
});
