import { describe, expect, onTestFinished, test } from 'vitest';
import type { MessageRef, ThreadRef } from '../../src/bridge/model/chat.ts';
import { BridgeError } from '../../src/bridge/model/errors.ts';
import { type MixedPlatform, mixedDiscord, mixedSlack, type ReadBack } from './mixed-platforms.ts';
import { family, mixedTurn } from './mixed-turns.ts';

/** `npm run test:mixed` sets it: 3,000. */
const turns = Number(process.env['AFK_MIXED_TURNS'] ?? 300);
const perThread = 100;
const lanes = 4;

const marks = (text: string, kind: 'q' | 't' | 'u'): readonly string[] =>
  text.match(new RegExp(`${kind}\\d+z`, 'g')) ?? [];
const distinct = (list: readonly string[]): readonly string[] => [...new Set(list)];
const count = (text: string, what: string): number => text.split(what).length - 1;
/** What keeps a fence apart from one inside it is not seen. */
const seen = (text: string): string => text.replaceAll('\u200b', '');

const openThread = async ({ adapter, channel }: MixedPlatform, n: number): Promise<ThreadRef> => {
  const [head] = adapter.encode({ type: 'head', title: `Run ${n}`, lines: [] });
  if (head === undefined) throw new Error('no head');
  return (await adapter.open(channel, head, `head-${n}`)).thread;
};

const mostTries = 5;

/** As the outbox does: what may be there or not is tried again by the same key. */
const insist = async (send: () => Promise<MessageRef>): Promise<MessageRef> => {
  for (let n = 1; ; n++) {
    try {
      return await send();
    } catch (error) {
      const isPassing = error instanceof BridgeError && error.code === 'unavailable';
      if (!isPassing || n === mostTries) throw error;
    }
  }
};

const post = async (
  { adapter }: MixedPlatform,
  thread: ThreadRef,
  n: number,
): Promise<readonly MessageRef[]> => {
  const { markdown } = mixedTurn(n);
  const refs: MessageRef[] = [];
  const parts = adapter.encode({ type: 'text', author: 'agent', markdown });
  for (const [at, part] of parts.entries()) {
    const key = `turn-${n}-${at}`;
    const send = part.file === undefined ? adapter.post : adapter.upload;
    refs.push(await insist(() => send.call(adapter, thread, part, key)));
  }
  return refs;
};

/** Cut between two characters that belong together, or in the middle of one. */
const isBroken = (text: string): boolean =>
  /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text) ||
  /^[\u200d\ufe0f\u20e3\p{Mark}\p{Emoji_Modifier}]/u.test(text) ||
  /\u200d$/.test(text.replace(/\s*\(\d\/\d\)\s*$/, ''));

const check = (n: number, read: readonly ReadBack[]): void => {
  const { markdown, codes } = mixedTurn(n);
  const about = `turn ${n}`;
  const [first] = read;
  for (const { text } of read) expect(isBroken(text), about).toBe(false);
  if (first?.file !== undefined) {
    expect(read, about).toHaveLength(1);
    expect(first.file, about).toBe(markdown);
    const shown = marks(first.text, 'q');
    expect(shown, about).toEqual(marks(markdown, 'q').slice(0, shown.length));
    expect(first.text, about).toContain('the whole text is in the file');
    return;
  }
  const joined = read.map(({ text }) => text).join('\n');
  expect(read.length, about).toBeLessThanOrEqual(3);
  expect(marks(joined, 'q'), about).toEqual(marks(markdown, 'q'));
  expect(distinct(marks(joined, 'u')), about).toEqual(marks(markdown, 'u'));
  expect([...distinct(marks(joined, 't'))].sort(), about).toEqual([...marks(markdown, 't')].sort());
  expect(count(joined, family), about).toBe(count(markdown, family));
  if (read.length > 1)
    for (const [at, { text }] of read.entries())
      expect(text.trim(), about).toMatch(new RegExp(`\\(${at + 1}/${read.length}\\)$`));
  if (read.length > 1) return;
  for (const code of codes)
    expect(read.flatMap((one) => one.codes).map(seen), about).toContainEqual(
      expect.stringContaining(code),
    );
};

describe.each([
  ['Slack', mixedSlack],
  ['Discord', mixedDiscord],
] as const)('P3 P4 %s', (_, make) => {
  test(`${turns} turns of mixed text: each fits, joins back, calls nobody, shows no card`, async () => {
    const platform = await make();
    onTestFinished(() => platform.stop());
    const posted = new Map<number, readonly MessageRef[]>();
    const threads = Array.from({ length: Math.ceil(turns / perThread) }, (_, n) => n);
    const lane = async (): Promise<void> => {
      for (let n = threads.shift(); n !== undefined; n = threads.shift()) {
        const thread = await openThread(platform, n);
        const last = Math.min(turns, (n + 1) * perThread);
        for (let turn = n * perThread; turn < last; turn++)
          posted.set(turn, await post(platform, thread, turn));
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    expect(posted.size).toBe(turns);
    const all = [...posted.values()].flat();
    expect(platform.count()).toBe(all.length + Math.ceil(turns / perThread));
    for (const [turn, refs] of posted) {
      const read = refs.map((ref) => platform.read(ref));
      check(
        turn,
        read.flatMap((one) => one ?? []),
      );
    }
    // All three ways of showing a text were there.
    const whole = all.filter((ref) => platform.read(ref)?.file !== undefined);
    expect(whole.length).toBeGreaterThan(turns / 50);
    expect(all.length - turns).toBeGreaterThan(turns / 10);
    expect(platform.harm()).toEqual([]);
  });
});
