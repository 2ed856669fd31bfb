import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ThreadRef } from '../../../../src/bridge/model/chat.ts';
import { type DiscordStage, setUpDiscord, textChannel } from '../../../fakes/discord-stage.ts';

let stage: DiscordStage;
let thread: ThreadRef;
beforeEach(async () => {
  stage = await setUpDiscord();
  const [head] = stage.adapter.encode({ type: 'head', title: 'run', lines: [] });
  if (head === undefined) throw new Error('nothing encoded');
  thread = (await stage.adapter.open(textChannel, head, 'h')).thread;
});
afterEach(() => stage.stop());

/** On a busy machine. */
const patient = { timeout: 8_000 };
const say = (text: string) => stage.server.people.say(thread.thread, text);
const health = () => stage.adapter.health();
const follow = () => stage.adapter.follow(() => [{ thread, since: 0 }]);
const heard = (...texts: readonly string[]) =>
  expect
    .poll(
      () => stage.events.flatMap(({ body }) => (body.type === 'reply' ? [body.text] : [])),
      patient,
    )
    .toEqual(texts);

describe('missed heartbeats', () => {
  test('a Gateway that acknowledges nothing is left within two beats', async () => {
    await stage.stop();
    stage = await setUpDiscord();
    stage.server.gateway.heartbeatMs = 120;
    stage.server.gateway.isSilent = true;
    await stage.listen();
    const { identifies } = stage.server.gateway;
    await expect
      .poll(() => stage.server.gateway.resumes + stage.server.gateway.identifies - identifies, {
        timeout: 8_000,
      })
      .toBeGreaterThan(0);
  });
});

describe('what only an operator can mend is told in health (L2)', () => {
  const bad: readonly (readonly [string, (stage: DiscordStage) => void, RegExp])[] = [
    ['a revoked token', ({ server }) => server.revokeToken(), /Reset Token/],
    [
      'an intent that was switched off',
      ({ server }) => {
        server.gateway.isContentAllowed = false;
        server.gateway.close(4014);
      },
      /Message Content Intent/,
    ],
  ];
  const mend = (of: DiscordStage) => {
    of.server.restoreToken();
    of.server.gateway.isContentAllowed = true;
  };
  test.each(bad)('%s while it runs; it heals by itself', async (_, breakIt, words) => {
    follow();
    await stage.listen();
    breakIt(stage);
    await expect.poll(() => health().detail, { timeout: 8_000 }).toMatch(words);
    expect(health().isConnected).toBe(false);
    say('meanwhile');
    mend(stage);
    await expect.poll(() => health().isConnected, { timeout: 8_000 }).toBe(true);
    await heard('meanwhile');
  });
  test.each(bad)('%s at the start: start resolves, nothing throws', async (_, breakIt, words) => {
    breakIt(stage);
    await stage.listen();
    await expect.poll(() => health().detail, { timeout: 8_000 }).toMatch(words);
    mend(stage);
    await expect.poll(() => health().isConnected, { timeout: 8_000 }).toBe(true);
  });

  test('a Gateway out of reach at the start is tried until it is there', async () => {
    stage.server.gateway.refuses = 3;
    await stage.listen();
    await expect.poll(() => health().isConnected, { timeout: 10_000 }).toBe(true);
  });

  test('exactly the needed intents are asked for', async () => {
    await stage.listen();
    expect(stage.server.gateway.intentsAsked).toEqual([34_305]);
  });
});

describe('stopping', () => {
  test('while it waits to connect again: it ends in time, and no session comes up later', async () => {
    await stage.listen();
    stage.server.gateway.drop();
    await expect.poll(() => health().isConnected, patient).toBe(false);
    const began = Date.now();
    await stage.adapter.stop();
    expect(Date.now() - began).toBeLessThan(5_000);
    const { identifies, resumes } = stage.server.gateway;
    // The SDK's own pause is 500 ms: only after it a session could come up.
    await expect.poll(() => Date.now() - began, patient).toBeGreaterThan(1_200);
    expect(stage.server.gateway.openSockets).toBe(0);
    expect([stage.server.gateway.identifies, stage.server.gateway.resumes]).toEqual([
      identifies,
      resumes,
    ]);
  });
});
