import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DeliveryOutcome } from '../../src/bridge/model/delivery.ts';
import { type DeliveryId, id } from '../../src/bridge/model/ids.ts';
import { systemClock } from '../../src/bridge/system-clock.ts';
import { toSendable } from '../../src/provider/claude-code/sendable.ts';
import { bringOn, takeOff } from '../../src/verify/contract-cast.ts';
import type { Cast } from '../../src/verify/contract-scene.ts';
import { contractProvider } from '../fakes/contract-provider.ts';
import { scriptedContractStage } from './scripted-contract-stage.ts';

/** `npm run test:fuzz` asks for 2,000; a few go with every `npm test`. */
const count = Number(process.env.AFK_FUZZ_TMUX ?? 20);
/** A long conversation is slow to draw: so many texts for one agent. */
const perAgent = 100;
const victim = 'nobody-touched-this';

const dangerous = [
  ...[`$(touch ${victim})`, `\`touch ${victim}\``, `; touch ${victim} #`, `&& touch ${victim}`],
  ...[`!touch ${victim}`, ` !touch ${victim}`, `\u200b!touch ${victim}`, `| tee ${victim}`],
  ...[
    `\u001b[201~\rtouch ${victim}\r`,
    `\u009b201~\r!touch ${victim}\r`,
    '\u0003',
    '\u0004',
    '\u001b',
  ],
  ...[
    '\u001b[200~',
    '\u0015',
    '\u0018\u0003',
    '\r',
    '\r\n',
    '\n\n\n',
    '\u0000',
    '\u007f',
    '\ud800',
  ],
  ...['#{pane_id}', '#(touch x)', '%0', '-t', '--', '; kill-server', '\\;', '\\', '\\\\', "'", '"'],
  ...[
    '/clear',
    '/exit',
    '/quit',
    ' /exit',
    '@file',
    '👩‍👩‍👧',
    'e\u0301',
    'שלום',
    '漢字',
    '\t',
    '```',
    '~',
  ],
];
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(...dangerous),
      fc.string({ unit: 'binary-ascii', maxLength: 20 }),
      fc.lorem({ maxCount: 3 }),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((pieces) => pieces.join(' '));

const stage = scriptedContractStage();
const { provider, close } = contractProvider(stage);
const signal = new AbortController().signal;
let cast: Cast | undefined;

const anew = async (): Promise<Cast> => {
  await takeOff(cast);
  cast = await bringOn({ stage, provider, clock: systemClock, signal });
  return cast;
};

beforeAll(async () => {
  await anew();
});
afterAll(async () => {
  await takeOff(cast);
  await close();
  await stage.stop();
});

const reply = async (to: Cast, words: string, n: number): Promise<DeliveryOutcome> => {
  const until = systemClock.now() + 5_000;
  for (;;) {
    const run = to.watch.latest?.run ?? to.run;
    const ctx = {
      delivery: id<DeliveryId>(`fuzz-${n}`),
      deadline: systemClock.now() + 20_000,
      by: 'Fuzz (test)',
      attempts: to.attempts,
      signal,
      again: false,
      typing: <T>(work: () => Promise<T>): Promise<T> => work(),
    };
    const outcome = await provider.reply(run, words, ctx);
    if (outcome.status !== 'held' || systemClock.now() > until) return outcome;
    await systemClock.sleep(50, signal);
  }
};

/** What counts as the same words: the agent trims, and composes letters. */
const same = (words: string): string => words.normalize('NFC').replace(/\s+/g, ' ').trim();

it(
  `A3, D1: of ${count} texts nothing is executed, and each that is taken arrives as one message`,
  async () => {
    const texts = fc.sample(text, { numRuns: count, seed: 20_261_201 });
    const wrong: unknown[] = [];
    let taken = 0;
    for (const [n, words] of texts.entries()) {
      const to = (n > 0 && n % perAgent === 0) || cast === undefined ? await anew() : cast;
      const before = to.agent.received().length;
      const outcome = await reply(to, words, n);
      const isTaken = outcome.status === 'confirmed' || outcome.status === 'queued';
      const got = () => to.agent.received().slice(before);
      if (isTaken) await expect.poll(() => got().length, { timeout: 10_000 }).toBeGreaterThan(0);
      const sendable = toSendable(words, () => 'unknown');
      const wanted = isTaken && 'text' in sendable ? [same(sendable.text)] : [];
      const isRight = JSON.stringify(got().map(same)) === JSON.stringify(wanted);
      if (!isRight) wrong.push({ words, outcome, got: got() });
      if (isTaken) taken += 1;
      // Not sent, and it may stand in the box: the next text needs an empty one.
      if (!isTaken && outcome.status !== 'refused') await anew();
    }
    expect(taken).toBeGreaterThan(count / 2);
    expect(wrong).toEqual([]);
    expect(existsSync(join(stage.cwd, victim))).toBe(false);
    expect(readdirSync(stage.cwd).filter((name) => name === 'x')).toEqual([]);
  },
  count > 100 ? 120 * 60_000 : 180_000,
);
