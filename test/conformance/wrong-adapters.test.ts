import { describe, expect, test } from 'vitest';
import { MemoryPlatform } from '../fakes/memory-platform.ts';
import { type WrongAdapter, withWrongAdapter } from '../fakes/wrong-adapters.ts';
import { adapterCases } from './chat-adapter.cases.ts';
import { playCase } from './chat-adapter.suite.ts';
import { inProcess } from './memory-adapter.ts';
import { memoryBackstage } from './memory-backstage.ts';

/** Wrong adapter, the case that finds it out, and how. */
const table: readonly (readonly [WrongAdapter, string, RegExp])[] = [
  ['splitsNothing', 'every part fits the platform', /less than or equal to 2000/],
  ['encodesByChance', 'the same message gives the same bytes, in another process too', /equal/],
  [
    'saysNothingOfLifecycle',
    'every message has at least one part, and at most three and a file',
    /greater than 0/,
  ],
  ['floods', 'every message has at least one part, and at most three and a file', /equal to 4/],
  ['editsNothing', 'what is posted is read, in order; an edit replaces it in place', /equal/],
  ['postsWhatItEdits', 'what is posted is read, in order; an edit replaces it in place', /equal/],
  ['removesNothing', 'a removed message is not read any more', /expected true to be false/],
  ['forgetsKeys', 'a key that was posted is not posted twice', /equal/],
  ['keepsRefsInItsHead', 'a ref is plain JSON and works after a restart', /to contain 'two'/],
  ['throwsWhateverTheSdkThrows', 'rejected is rejected, certain: true', /instance of BridgeError/],
  ['isSureOfLostAnswers', 'lost-answer is unavailable, certain: false', /match object/],
  ['triesAgainByItself', 'lost-answer is unavailable, certain: false', /instance of BridgeError/],
  ['waitsForEver', 'hang is unavailable, certain: false', /no end within/],
  ['isSureOfLostAnswers', 'server-error is unavailable, certain: false', /match object/],
  ['triesAgainByItself', 'server-error is unavailable, certain: false', /instance of BridgeError/],
  ['forgetsHowLongToWait', 'rate-limited is rate-limited, certain: true', /match object/],
  ['takesLimitsForFaults', 'rate-limited is rate-limited, certain: true', /match object/],
  ['takesRefusalsForFaults', 'rejected is rejected, certain: true', /match object/],
  [
    'postsAgainAfterLostAnswers',
    'after a lost answer the same key gives the message that is there',
    /length/,
  ],
  [
    'findsNothing',
    'after a restart our own post is found by its key, in its thread, and nothing else is',
    /equal/,
  ],
  [
    'findsAnything',
    'after a restart our own post is found by its key, in its thread, and nothing else is',
    /equal/,
  ],
  ['findsNothing', 'a thread is found by the key of its head', /equal/],
  ['findsAnything', 'a thread is found by the key of its head', /undefined/],
  [
    'hearsItself',
    'what a person writes arrives once, by its own key; our own posts do not',
    /length/,
  ],
  [
    'namesEventsByTheirEnvelope',
    'what a person writes arrives once, by its own key; our own posts do not',
    /length/,
  ],
  [
    'namesAllEventsAlike',
    'what a person writes arrives once, by its own key; our own posts do not',
    /to be 2/,
  ],
  [
    'saysThatItIsAway',
    'what a person writes arrives once, by its own key; our own posts do not',
    /to be true/,
  ],
  [
    'hearsNothing',
    'what a person writes arrives once, by its own key; our own posts do not',
    /no end within|to be/,
  ],
  ['keepsTheFirstMark', 'a receipt is shown on the message; a later one replaces it', /✅/],
  ['uploadsTheSummaryOnly', 'a file goes up under its summary', /match object/],
];

const setUp = async (name: WrongAdapter) => {
  const platform = new MemoryPlatform();
  return withWrongAdapter(memoryBackstage(platform, inProcess(platform), 60), name);
};

describe('a wrong adapter is found out', () => {
  test.each(table)('one that %s breaks: %s', async (name, title, why) => {
    const one = adapterCases.find((known) => known.title === title);
    if (one === undefined) throw new Error(`no such case: ${title}`);
    await expect(playCase(one, () => setUp(name), 2_000)).rejects.toThrow(why);
  });

  test('each case is broken by one of them', () => {
    const broken = new Set(table.map(([, title]) => title));
    expect(adapterCases.map((one) => one.title).filter((title) => !broken.has(title))).toEqual([]);
  });
});
