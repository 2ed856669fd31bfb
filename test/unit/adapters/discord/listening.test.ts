import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ThreadRef } from '../../../../src/bridge/model/chat.ts';
import { type DiscordStage, setUpDiscord, textChannel } from '../../../fakes/discord-stage.ts';
import { ids } from '../../../fakes/discord-world.ts';

/** On a busy machine. */
const patient = { timeout: 8_000 };

let stage: DiscordStage;
let thread: ThreadRef;
beforeEach(async () => {
  stage = await setUpDiscord();
  thread = await open();
});
afterEach(() => stage.stop());

const open = async (key = 'h'): Promise<ThreadRef> => {
  const [head] = stage.adapter.encode({ type: 'head', title: 'run', lines: [] });
  if (head === undefined) throw new Error('nothing encoded');
  return (await stage.adapter.open(textChannel, head, key)).thread;
};
const say = (text: string, more: Parameters<DiscordStage['server']['people']['say']>[2] = {}) =>
  stage.server.people.say(thread.thread, text, more);
const bodies = () => stage.events.map((e) => e.body);
const replies = () => bodies().flatMap((b) => (b.type === 'reply' ? [b.text] : []));
const follow = (since = 0) => stage.adapter.follow(() => [{ thread, since }]);
const health = () => stage.adapter.health();
const heard = (...texts: readonly string[]) =>
  expect.poll(replies, { timeout: 8_000 }).toEqual(texts);
/** What comes after it has come, so has it. */
const settled = async (mark = 'the end') => {
  say(mark);
  await expect.poll(() => replies().at(-1), patient).toBe(mark);
};

describe('what a person writes', () => {
  test('names who it was, for the policy (A1)', async () => {
    await stage.listen();
    const member = stage.server.world.members.get(ids.bob);
    if (member !== undefined) Object.assign(member, { roles: [ids.drivers], nick: 'Bobby' });
    const message = say('do it', { by: ids.bob });
    await heard('do it');
    expect(stage.events[0]).toMatchObject({
      key: `discord:message:${thread.thread}:${message.id}`,
      target: { thread },
      actor: {
        id: `discord:${ids.guild}/user:${ids.bob}`,
        displayName: 'Bobby',
        groups: [`discord:${ids.guild}/role:${ids.drivers}`],
        isBot: false,
        isGuest: false,
      },
    });
    say('hook', { webhook: '770000000000000001' });
    await expect
      .poll(() => stage.events[1]?.actor, patient)
      .toMatchObject({ isBot: true, isWebhook: true });
  });

  test('only messages and replies count, not what Discord itself says, nor other channels', async () => {
    await stage.listen();
    for (const type of [1, 2, 4, 6, 18, 21]) say(`system ${type}`, { type });
    stage.server.people.say(ids.text, 'in the channel itself');
    await settled();
    expect(replies()).toEqual(['the end']);
  });

  test('a direct answer to a message says to which (D6)', async () => {
    await stage.listen();
    const [part] = stage.adapter.encode({ type: 'text', author: 'agent', markdown: 'which?' });
    if (part === undefined) throw new Error('nothing encoded');
    const ref = await stage.adapter.post(thread, part, 'k1');
    say('the second one', { replyTo: ref.message });
    await heard('the second one');
    expect(bodies()[0]).toMatchObject({ inReplyTo: ref });
  });

  test('mentions, emoji, channels and times arrive in plain form; code does not change (D7)', async () => {
    await stage.listen();
    say(
      `<@${ids.bot}> ask <@${ids.bob}> of <@&${ids.drivers}> in <#${ids.text}> <:party:123456789012345678> at <t:1764558900:f> \`<@${ids.bob}>\``,
    );
    await heard(
      `ask @Bob of @drivers in #agents :party: at 2025-12-01 03:15 UTC \`<@${ids.bob}>\``,
    );
  });

  test('a text that the client turned into a file is the message itself (D7)', async () => {
    await stage.listen();
    const long = 'word '.repeat(1_000).trim();
    stage.server.people.sayLong(thread.thread, long);
    await heard(long);
    stage.server.people.sayLong(thread.thread, 'a,b', 'data.csv');
    await expect
      .poll(() => bodies()[1], patient)
      .toMatchObject({ text: '', files: [{ name: 'data.csv', bytes: 3 }] });
    const body = bodies()[1];
    const file = body?.type === 'reply' ? body.files?.[0] : undefined;
    if (file === undefined) throw new Error('no file');
    expect(String(await stage.adapter.fetchFile(file, 100))).toBe('a,b');
    await expect(stage.adapter.fetchFile(file, 2)).rejects.toMatchObject({ code: 'rejected' });
  });

  test('P30 an edit and a removal are told with their message; a link’s card is no edit', async () => {
    await stage.listen();
    const message = say('frist');
    stage.server.people.unfurl(message);
    stage.server.people.edit(message, 'first');
    stage.server.people.unfurl(message);
    stage.server.people.delete(message);
    await expect
      .poll(() => bodies().map((b) => b.type), patient)
      .toEqual(['reply', 'edit', 'delete']);
    expect(bodies()[1]).toMatchObject({
      text: 'first',
      messageRef: { thread, message: message.id },
    });
    expect(stage.events[2]?.actor.id).toBe(stage.events[0]?.actor.id);
  });

  test('our own posts, edits, reactions and removals are never heard', async () => {
    await stage.listen();
    const [part] = stage.adapter.encode({ type: 'text', author: 'agent', markdown: 'ours' });
    if (part === undefined) throw new Error('nothing encoded');
    const ref = await stage.adapter.post(thread, part, 'k1');
    await stage.adapter.edit(ref, part);
    await stage.adapter.receipt(ref, '✅');
    await stage.adapter.remove(ref);
    await settled();
    expect(stage.events).toHaveLength(1);
  });

  test('a reaction is told by name without its skin tone, on messages never seen, and on the head', async () => {
    const before = say('written before anybody listened');
    await stage.listen();
    stage.server.people.react(before, '✋🏽');
    const head = stage.server.world.messages.find((m) => m.id === thread.thread);
    if (head === undefined) throw new Error('no head');
    stage.server.people.react(head, '🛑', ids.bob);
    await expect.poll(() => stage.events, patient).toHaveLength(2);
    expect(bodies()).toEqual(
      expect.arrayContaining([
        {
          type: 'reaction',
          emoji: '✋',
          isAdded: true,
          messageRef: { thread, message: before.id },
        },
        {
          type: 'reaction',
          emoji: '🛑',
          isAdded: true,
          messageRef: { thread, message: thread.thread },
        },
      ]),
    );
  });
});

describe('what can never be read holds back nothing', () => {
  test('a file that is gone, a channel that nobody may see, a person who left', async () => {
    await stage.listen();
    const long = stage.server.people.sayLong(thread.thread, 'x'.repeat(3_000));
    const [file] = long.attachments;
    if (file !== undefined) file.url = `${stage.server.cdn}/attachments/1/message.txt`;
    stage.server.people.edit(long, '');
    stage.server.people.say('640000000000000001', 'where nobody knows');
    await settled();
    stage.server.fail({ kind: 'rejected', on: /members/ });
    const { world } = stage.server;
    world.onDispatch({
      t: 'MESSAGE_REACTION_REMOVE',
      d: {
        user_id: '890000000000000001',
        channel_id: thread.thread,
        message_id: long.id,
        emoji: { id: null, name: '👍' },
      },
    });
    await expect
      .poll(() => stage.events.at(-1), patient)
      .toMatchObject({ actor: { isGuest: true, groups: [] }, body: { isAdded: false } });
    await settled('the very end');
  });

  test('channels of others are not asked for, one by one', async () => {
    const { channels } = stage.server.world;
    const text = channels.get(ids.text);
    if (text === undefined) throw new Error('no channel');
    const other = { ...text, id: '650000000000000001', name: 'of others' };
    channels.set(other.id, other);
    await stage.listen();
    const before = stage.server.calls.length;
    stage.server.people.say(other.id, 'there');
    await settled();
    const asked = stage.server.calls.slice(before).filter((c) => /^GET \/channels/.test(c.call));
    expect(asked).toEqual([]);
    expect(replies()).toEqual(['the end']);
  });
});

describe('each thing once, and none lost (L2)', () => {
  test('a dispatch that comes twice, or again later, is one event', async () => {
    await stage.listen();
    stage.server.gateway.copies = 2;
    say('once');
    await heard('once');
    stage.server.gateway.copies = 1;
    stage.server.gateway.replay('MESSAGE_CREATE');
    await settled();
    expect(replies()).toEqual(['once', 'the end']);
  });

  test('what could not be stored is tried until it is, in order', async () => {
    let failures = 2;
    await stage.listen(async (event) => {
      if (failures-- > 0) throw new Error('the disk is full');
      stage.events.push(event);
    });
    say('one');
    say('two');
    await heard('one', 'two');
  });

  test('what was said before the start is read back, with roles, and only what is new', async () => {
    say('long ago', { at: Date.now() - 3_600_000 });
    const member = stage.server.world.members.get(ids.alice);
    if (member !== undefined) member.roles = [ids.drivers];
    say('missed');
    follow(Date.now() - 60_000);
    await stage.listen();
    await heard('missed');
    expect(stage.events[0]).toMatchObject({
      body: { isFromHistory: true },
      actor: { groups: [`discord:${ids.guild}/role:${ids.drivers}`] },
    });
  });

  test('more than a page is read back, in order, over failures', async () => {
    const said = Array.from({ length: 150 }, (_, n) => `talk ${n}`);
    for (const text of said) say(text);
    follow();
    stage.server.fail({ kind: 'broken', on: /^GET .*messages$/ });
    await stage.listen();
    await expect.poll(replies, { timeout: 8_000 }).toEqual(said);
  });

  const cuts: readonly (readonly [string, (stage: DiscordStage) => void])[] = [
    ['a dropped socket', ({ server }) => server.gateway.drop()],
    ['op 7', ({ server }) => server.gateway.askToReconnect()],
    ['op 9 true', ({ server }) => server.gateway.invalidate(true)],
    ['op 9 false', ({ server }) => server.gateway.invalidate(false)],
    ['close 1000', ({ server }) => server.gateway.close(1000)],
    ['close 4000', ({ server }) => server.gateway.close(4000)],
    ['close 4009', ({ server }) => server.gateway.close(4009)],
    [
      'refused connections',
      ({ server }) => {
        server.gateway.refuses = 2;
        server.gateway.drop();
      },
    ],
  ];
  test.each(cuts)('O03 O04 %s: what was said meanwhile arrives, once', async (_, cut) => {
    follow();
    await stage.listen();
    say('before');
    await heard('before');
    cut(stage);
    // With op 9 true the SDK resumes over the same socket.
    await expect
      .poll(() => !health().isConnected || stage.server.gateway.resumes > 0, patient)
      .toBe(true);
    say('meanwhile');
    await expect.poll(() => health().isConnected, { timeout: 8_000 }).toBe(true);
    say('after');
    await expect
      .poll(() => [...replies()].sort(), { timeout: 8_000 })
      .toEqual(['before', 'meanwhile', 'after'].sort());
  });

  test('a socket that is open and dead is noticed by our own post, and what was said is read back', async () => {
    follow();
    await stage.listen();
    stage.server.gateway.freeze();
    say('into the void');
    const [part] = stage.adapter.encode({ type: 'text', author: 'agent', markdown: 'x' });
    if (part !== undefined) await stage.adapter.post(thread, part, 'k1');
    await expect.poll(replies, { timeout: 8_000 }).toEqual(['into the void']);
    expect(health().isConnected).toBe(true);
  });

  test('a gap that cannot be read back yet stays open over the next connection', async () => {
    follow();
    await stage.listen();
    stage.server.fail({ kind: 'broken', on: /^GET .*messages$/, times: 2 });
    stage.server.gateway.close(1000);
    await expect.poll(() => health().isConnected, patient).toBe(false);
    say('meanwhile');
    await expect.poll(() => health().isConnected, { timeout: 8_000 }).toBe(true);
    say('after');
    await expect
      .poll(() => [...replies()].sort(), { timeout: 10_000 })
      .toEqual(['after', 'meanwhile'].sort());
  });
});
