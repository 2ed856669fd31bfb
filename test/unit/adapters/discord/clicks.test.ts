import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ChatEventBody, OutboundMessage } from '../../../../src/bridge/model/chat.ts';
import { type DialogId, id } from '../../../../src/bridge/model/ids.ts';
import type { FakeMessage } from '../../../fakes/discord-model.ts';
import { type DiscordStage, setUpDiscord, textChannel } from '../../../fakes/discord-stage.ts';
import { ids } from '../../../fakes/discord-world.ts';

/** On a busy machine. */
const patient = { timeout: 8_000 };

let stage: DiscordStage;
beforeEach(async () => {
  stage = await setUpDiscord();
});
afterEach(() => stage.stop());

const dialog = id<DialogId>('toolu_01ABCDEFGHIJKLMNOPQRSTUV');
const question = (more: Partial<Extract<OutboundMessage, { type: 'dialog' }>> = {}) =>
  ({
    type: 'dialog',
    dialog,
    markdown: '❓ **Colour**: which?',
    buttons: [
      { label: 'Red', answer: { type: 'choose', choices: [[0]] } },
      { label: 'Blue', answer: { type: 'choose', choices: [[1]] } },
    ],
    takesOwnWords: true,
    link: 'https://example.invalid/run',
    isOpen: true,
    ...more,
  }) satisfies OutboundMessage;

const show = async (message: OutboundMessage): Promise<FakeMessage> => {
  const [head] = stage.adapter.encode({ type: 'head', title: 'run', lines: [] });
  const parts = stage.adapter.encode(message);
  const last = parts.at(-1);
  if (head === undefined || last === undefined) throw new Error('nothing encoded');
  const { thread } = await stage.adapter.open(textChannel, head, 'h');
  const ref = await stage.adapter.post(thread, last, 'k1');
  const found = stage.server.world.messages.find((m) => m.id === ref.message);
  if (found === undefined) throw new Error('not posted');
  return found;
};
const bodies = (): readonly ChatEventBody[] => stage.events.map((e) => e.body);
const people = () => stage.server.people;

describe('dialogs (Q1)', () => {
  test('a button answers, once it is stored, and names who pressed it', async () => {
    const order: string[] = [];
    await stage.listen(async (event) => {
      stage.events.push(event);
      order.push('stored');
    });
    const message = await show(question());
    const click = await people().click(message, 'Blue', ids.bob);
    order.push('answered');
    expect(click.response).toBe(6);
    expect(order).toEqual(['stored', 'answered']);
    expect(stage.events[0]).toMatchObject({
      key: `discord:click:${message.id}:${ids.bob}:${click.id}`,
      actor: { id: `discord:${ids.guild}/user:${ids.bob}` },
      body: { type: 'answer', dialog, answer: { type: 'choose', choices: [[1]] } },
    });
  });

  test('own words are asked for in a modal, the very first response', async () => {
    await stage.listen();
    const message = await show(question());
    const opened = await people().click(message, '✍ Own words');
    expect(opened.response).toBe(9);
    expect(bodies()).toEqual([]);
    const sent = await people().submit(opened, 'none of them\nreally');
    expect(sent.response).toBe(6);
    expect(bodies()).toEqual([
      { type: 'answer', dialog, answer: { type: 'own-words', text: 'none of them\nreally' } },
    ]);
  });

  test('several are chosen, and nothing is sent before Submit', async () => {
    await stage.listen();
    const message = await show(question({ buttons: [], multiSelect: ['A', 'B', 'C'] }));
    const early = await people().click(message, 'Submit');
    expect(early.whispers[0]).toMatch(/Choose at least one/);
    await people().choose(message, ['2', '0']);
    await people().choose(message, ['1'], ids.bob);
    expect(bodies()).toEqual([]);
    await people().click(message, 'Submit');
    expect(bodies()).toEqual([
      { type: 'answer', dialog, answer: { type: 'choose', choices: [[0, 2]] } },
    ]);
  });

  test('what cannot be stored is not acknowledged: the person sees that it failed (Q5)', async () => {
    stage.server.interactions.ackWithinMs = 300;
    await stage.listen(async () => {
      throw new Error('the disk is full');
    });
    const message = await show(question());
    expect((await people().click(message, 'Red')).response).toBeUndefined();
  });

  test('D29 an answer that comes too late for Discord harms nothing (10062)', async () => {
    stage.server.interactions.ackWithinMs = 30;
    await stage.listen(async (event) => {
      await new Promise((resolve) => setTimeout(resolve, 60));
      stage.events.push(event);
    });
    const message = await show(question());
    await people().click(message, 'Red');
    await expect.poll(bodies, patient).toHaveLength(1);
    expect(stage.adapter.health().isConnected).toBe(true);
  });

  test('a click that comes twice is acted on once; another process is told of (L3)', async () => {
    await stage.listen();
    const other = stage.another();
    const never = new AbortController();
    await other.start(async () => undefined, never.signal);
    const message = await show(question());
    await people().click(message, 'Red');
    await expect
      .poll(() => [stage.adapter.health().detail, other.health().detail].join(' '), patient)
      .toMatch(/another process/);
    expect(bodies()).toHaveLength(1);
    never.abort();
  });
});

test('a settled dialog has no buttons (Q5)', async () => {
  const message = await show(question());
  const [part] = stage.adapter.encode(question({ isOpen: false, markdown: '✅ Answered' }));
  const channel = stage.server.world.channels.get(message.channel_id);
  if (part === undefined || channel === undefined) throw new Error('nothing encoded');
  const thread = { platform: stage.adapter.platform, channel: textChannel, thread: channel.id };
  await stage.adapter.edit({ thread, message: message.id }, part);
  expect(message.components).toEqual([]);
});

test('each button of a notice says what it was for', async () => {
  await stage.listen();
  const actions: readonly ChatEventBody[] = [
    { type: 'send-again', delivery: 'd0123456789abcdef01234567' as never },
    { type: 'discard', delivery: 'd0123456789abcdef01234567' as never },
    { type: 'use-as-answer', delivery: 'd0123456789abcdef01234567' as never, dialog },
    { type: 'continue' },
    { type: 'interrupt', turn: '11111111-2222-3333-4444-555555555555' as never },
    { type: 'interrupt', turn: undefined },
  ];
  const message = await show({
    type: 'notice',
    markdown: '⏸ held',
    buttons: actions.map((action, n) => ({ label: `b${n}`, action })),
  });
  for (const n of actions.keys()) await people().click(message, `b${n}`);
  expect(bodies()).toEqual(actions);
});

test('the button of a head is like saying !interrupt (I1)', async () => {
  await stage.listen();
  const message = await show(question());
  const head = stage.server.world.messages.find((m) => m.id === message.channel_id);
  if (head === undefined) throw new Error('no head');
  await people().click(head, '🛑 Interrupt');
  expect(bodies()).toEqual([{ type: 'reply', text: '!interrupt' }]);
  expect(stage.events[0]?.target).toMatchObject({ thread: { thread: message.channel_id } });
});

test('a refusal of a click is said under it, to that person only (A2)', async () => {
  await stage.listen();
  const message = await show(question());
  const click = await people().click(message, 'Red', ids.bob);
  const [part] = stage.adapter.encode({ type: 'notice', markdown: '⛔ no right', buttons: [] });
  const target = stage.events[0]?.target;
  if (target === undefined || !('thread' in target)) throw new Error('not heard');
  if (part === undefined) throw new Error('nothing encoded');
  await stage.adapter.whisper(target.thread, `discord:${ids.guild}/user:${ids.bob}` as never, part);
  expect(click.whispers).toEqual(['⛔ no right']);
  expect([...stage.server.world.channels.values()].some((c) => c.recipient === ids.bob)).toBe(
    false,
  );
});

test('a button of a version that is not known here says so', async () => {
  await stage.listen();
  const message = await show(question());
  message.components = [
    { type: 1, components: [{ type: 2, style: 1, label: 'Old', custom_id: 'zzz' }] },
  ];
  expect((await people().click(message, 'Old')).whispers[0]).toMatch(/no longer/);
});
