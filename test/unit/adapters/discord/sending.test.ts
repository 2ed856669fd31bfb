import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EncodedPart, OutboundMessage, ThreadRef } from '../../../../src/bridge/model/chat.ts';
import { realLimits } from '../../../fakes/discord-faults.ts';
import {
  type DiscordStage,
  forumChannel,
  setUpDiscord,
  textChannel,
} from '../../../fakes/discord-stage.ts';
import { ids } from '../../../fakes/discord-world.ts';

/** On a busy machine. */
const patient = { timeout: 8_000 };

let stage: DiscordStage;
beforeEach(async () => {
  stage = await setUpDiscord();
});
afterEach(() => stage.stop());

const encodeOne = (message: OutboundMessage): EncodedPart => {
  const [part] = stage.adapter.encode(message);
  if (part === undefined) throw new Error('nothing encoded');
  return part;
};
const text = (markdown: string) => encodeOne({ type: 'text', author: 'agent', markdown });
const head = (state: string, title = 'fix the login') =>
  encodeOne({ type: 'head', title, lines: [state, '📁 /w/app'] });
const open = async (channel = textChannel): Promise<ThreadRef> =>
  (await stage.adapter.open(channel, head('⚙️ working'), 'head')).thread;
const standing = (channel: string) =>
  stage.server.world.messages.filter(
    (m) => m.channel_id === channel && !m.isDeleted && m.type === 0,
  );
const contents = (channel: string) => standing(channel).map((m) => m.content);
const callsOf = (pattern: RegExp) => stage.server.calls.filter((c) => pattern.test(c.call));

describe('each call goes once (L2)', () => {
  test.each(['broken-after', 'hang-after', 'lost'] as const)(
    'an answer that is lost (%s) is not followed by a second call of the SDK’s own',
    async (kind) => {
      const thread = await open();
      stage.server.fail({ kind });
      await expect(stage.adapter.post(thread, text('one'), 'k1')).rejects.toMatchObject({
        code: 'unavailable',
        certain: false,
      });
      expect(contents(thread.thread)).toEqual(['one']);
      await stage.adapter.post(thread, text('one'), 'k1');
      expect(contents(thread.thread)).toEqual(['one']);
    },
  );

  test('beyond the window of the nonce the post is found by its place', async () => {
    const thread = await open();
    const before = await stage.adapter.post(thread, text('one'), 'k0');
    stage.server.world.nonceWindowMs = 0;
    stage.server.fail({ kind: 'lost' });
    await stage.adapter.post(thread, text('one'), 'k1').catch(() => undefined);
    const found = await stage.another().findSent(thread, text('one'), 'k1', before);
    expect(found?.message).toBe(standing(thread.thread)[1]?.id);
  });

  test('what was never stored is not found, though people wrote the same', async () => {
    const thread = await open();
    stage.server.fail({ kind: 'broken' });
    await stage.adapter.post(thread, text('one'), 'k1').catch(() => undefined);
    stage.server.people.say(thread.thread, 'one');
    expect(await stage.another().findSent(thread, text('one'), 'k1', undefined)).toBeUndefined();
  });

  test('a hundred messages later it is still found', async () => {
    const thread = await open();
    for (let n = 0; n < 130; n++) stage.server.people.say(thread.thread, `talk ${n}`);
    const ref = await stage.adapter.post(thread, text('here'), 'k1');
    expect(await stage.another().findSent(thread, text('here'), 'k1', undefined)).toEqual(ref);
  });

  test('a post that somebody deleted before the retry is not posted anew', async () => {
    const thread = await open();
    stage.server.fail({ kind: 'lost' });
    await stage.adapter.post(thread, text('one'), 'k1').catch(() => undefined);
    const [stored] = standing(thread.thread);
    if (stored !== undefined) stage.server.people.delete(stored);
    await expect(stage.adapter.post(thread, text('one'), 'k1')).rejects.toMatchObject({
      code: 'message-gone',
    });
  });
});

describe('opening threads (R2)', () => {
  test.each([
    ['text channel', textChannel],
    ['forum', forumChannel],
  ])('in a %s the head is the first message, named once', async (_, channel) => {
    const { thread, head: ref } = await stage.adapter.open(channel, head('⚙️ working'), 'head');
    const made = stage.server.world.channels.get(thread.thread);
    expect(made).toMatchObject({ name: 'fix the login', type: 11, autoArchive: 10_080 });
    await stage.adapter.edit(ref, head('💬 needs input', 'renamed'));
    expect(made?.name).toBe('fix the login');
    const message = stage.server.world.messages.find((m) => m.id === ref.message);
    expect(message?.content).toContain('needs input');
    expect(message?.components).toHaveLength(1);
    expect(callsOf(/^PATCH \/channels\/\d+$/).length).toBe(channel === forumChannel ? 1 : 0);
  });

  test.each([
    ['text channel', textChannel, /^POST \/channels\/\d+\/messages$/],
    ['text channel, at the thread', textChannel, /threads$/],
    ['forum', forumChannel, /threads$/],
  ])('%s: a lost answer gives no second thread, after a restart either', async (_, channel, on) => {
    stage.server.world.nonceWindowMs = 0;
    stage.server.fail({ kind: 'lost', on });
    await expect(stage.adapter.open(channel, head('x'), 'h1')).rejects.toMatchObject({
      certain: false,
    });
    const found = await stage.another().findThread(channel, head('x'), 'h1');
    expect(found).toBeDefined();
    const threads = [...stage.server.world.channels.values()].filter((c) => c.type === 11);
    expect(threads.map((t) => t.id)).toEqual([found?.thread.thread]);
    expect(await stage.another().findThread(channel, head('x'), 'h2')).toBeUndefined();
  });

  test('P24 a thread that is refused after its head stands makes no second head (orphan seed)', async () => {
    stage.server.world.nonceWindowMs = 0;
    stage.server.fail({ kind: 'rate-limited', on: /threads$/, retryAfterMs: 280_000 });
    await expect(stage.adapter.open(textChannel, head('x'), 'h1')).rejects.toMatchObject({
      code: 'rate-limited',
      certain: false,
      retryAfterMs: expect.closeTo(280_000, -3),
    });
    const found = await stage.another().findThread(textChannel, head('x'), 'h1');
    expect(found?.head.message).toBe(standing(ids.text)[0]?.id);
    expect(standing(ids.text)).toHaveLength(1);
  });
  test('tags show the state; those of people stay', async () => {
    const { thread, head: ref } = await stage.adapter.open(forumChannel, head('⚙️ working'), 'h');
    const post = stage.server.world.channels.get(thread.thread);
    const tags = stage.server.world.channels.get(ids.forum)?.available_tags ?? [];
    const tag = (name: string) => tags.find((t) => t.name === name)?.id ?? name;
    expect(post?.applied_tags).toEqual([tag('working')]);
    tags.push({ id: '990000000000000001', name: 'urgent', moderated: false });
    if (post !== undefined) post.applied_tags.push('990000000000000001');
    await stage.adapter.edit(ref, head('💬 needs input'));
    expect(post?.applied_tags).toEqual([tag('needs input'), '990000000000000001']);
  });

  test('a forum that asks for a tag gets one', async () => {
    const forum = stage.server.world.channels.get(ids.forum);
    if (forum !== undefined) forum.requiresTag = true;
    const { thread } = await stage.adapter.open(forumChannel, head('💤 idle'), 'h');
    expect(stage.server.world.channels.get(thread.thread)?.applied_tags).toHaveLength(1);
  });

  test('P23 too many active threads is an operator’s matter, not a loss', async () => {
    stage.server.world.mostActiveThreads = 0;
    await expect(stage.adapter.open(forumChannel, head('x'), 'h')).rejects.toMatchObject({
      code: 'no-access',
      userMessage: expect.stringContaining('1,000'),
    });
  });
});

describe('archived, locked, gone', () => {
  test('an archived thread is opened for an edit, a reaction, a removal; a post does it by itself', async () => {
    const thread = await open();
    const ref = await stage.adapter.post(thread, text('one'), 'k1');
    const said = stage.server.people.say(thread.thread, 'hi');
    stage.server.people.archive(thread.thread);
    await stage.adapter.edit(ref, text('two'));
    expect(contents(thread.thread)).toEqual(['two', 'hi']);
    stage.server.people.archive(thread.thread);
    await stage.adapter.receipt({ thread, message: said.id }, '✅');
    stage.server.people.archive(thread.thread);
    await stage.adapter.post(thread, text('three'), 'k2');
    stage.server.people.archive(thread.thread);
    await stage.adapter.remove(ref);
    expect(contents(thread.thread)).toEqual(['hi', 'three']);
  });

  test('a locked thread without Manage Threads is told, not given up', async () => {
    const thread = await open();
    stage.server.people.archive(thread.thread, true);
    stage.server.world.botPermissions &= ~(1n << 34n);
    await expect(stage.adapter.post(thread, text('x'), 'k1')).rejects.toMatchObject({
      code: 'no-access',
    });
  });

  test('a deleted thread is gone; a deleted message is done', async () => {
    const thread = await open();
    const ref = await stage.adapter.post(thread, text('one'), 'k1');
    await stage.adapter.remove(ref);
    await expect(stage.adapter.edit(ref, text('two'))).rejects.toMatchObject({
      code: 'message-gone',
    });
    stage.server.people.deleteChannel(thread.thread);
    await expect(stage.adapter.post(thread, text('x'), 'k2')).rejects.toMatchObject({
      code: 'thread-gone',
    });
  });

  test('a bot that was kicked is told to be invited again', async () => {
    const thread = await open();
    stage.server.people.kickBot();
    await expect(stage.adapter.post(thread, text('x'), 'k1')).rejects.toMatchObject({
      code: 'no-access',
      userMessage: expect.stringContaining('invite'),
    });
  });
});

describe('rate limits', () => {
  test('a limit is given back with its time, so that no other thread waits', async () => {
    const [one, two] = [await open(), await stage.adapter.open(textChannel, head('x'), 'h2')];
    stage.server.limits = { ...realLimits, messages: { calls: 2, windowMs: 60_000 } };
    await stage.adapter.post(one, text('a'), 'k1');
    await stage.adapter.post(one, text('b'), 'k2');
    await expect(stage.adapter.post(one, text('c'), 'k3')).rejects.toMatchObject({
      code: 'rate-limited',
      certain: true,
      retryAfterMs: expect.any(Number),
    });
    // The SDK knew it from the headers: the third call never left.
    expect(callsOf(/POST .*messages$/).filter((c) => c.status === 429)).toEqual([]);
    await stage.adapter.post(two.thread, text('c'), 'k4');
  });

  test.each(['banned', 'rate-limited-globally'] as const)(
    'a refusal of everything (%s) is given back, with or without JSON',
    async (kind) => {
      const thread = await open();
      stage.server.fail({ kind, retryAfterMs: 3_600_000 });
      await expect(stage.adapter.post(thread, text('x'), 'k1')).rejects.toMatchObject({
        code: 'rate-limited',
        retryAfterMs: expect.closeTo(3_600_000, -3),
      });
    },
  );

  test('a refusal without any time is not repeated without end', async () => {
    const thread = await open();
    stage.server.fail({ kind: 'banned', retryAfterMs: 0, times: 50 });
    await expect(stage.adapter.post(thread, text('x'), 'k1')).rejects.toMatchObject({
      code: 'rate-limited',
    });
    expect(callsOf(/POST .*messages$/).filter((c) => c.status === 429)).toHaveLength(3);
  });
});

describe('a refused token', () => {
  test('is told once in health, spares Discord, and heals by itself', async () => {
    const thread = await open();
    stage.server.fail({ kind: 'unauthorised' });
    const refused = { code: 'auth', certain: true };
    await expect(stage.adapter.post(thread, text('x'), 'k1')).rejects.toMatchObject(refused);
    const calls = stage.server.calls.length;
    await expect(stage.adapter.post(thread, text('x'), 'k1')).rejects.toMatchObject(refused);
    expect(stage.server.calls).toHaveLength(calls);
    expect(stage.adapter.health().detail).toContain('Reset Token');
    await expect
      .poll(
        () =>
          stage.adapter.post(thread, text('x'), 'k1').then(
            () => 'posted',
            () => 'not yet',
          ),
        patient,
      )
      .toBe('posted');
    expect(stage.adapter.health().detail).not.toContain('Reset Token');
  });
});

describe('nobody is notified, nothing unfurls (P3, P6)', () => {
  test('text of the agent pings nobody, in posts, heads and edits', async () => {
    const evil = `@everyone @here <@${ids.alice}> <@&${ids.drivers}> https://example.invalid/x`;
    const opened = await stage.adapter.open(textChannel, head(evil, evil), 'h1');
    const forum = await stage.adapter.open(forumChannel, head(evil, evil), 'h2');
    const ref = await stage.adapter.post(opened.thread, text(evil), 'k1');
    await stage.adapter.edit(ref, text(`${evil} again`));
    await stage.adapter.post(forum.thread, text(evil), 'k2');
    expect(stage.server.world.pings).toEqual([]);
    expect(stage.server.world.unfurls).toEqual([]);
  });

  test('only who asked for it is mentioned, though the text names others', async () => {
    const thread = await open();
    const [part] = stage.adapter.encode({
      type: 'lifecycle',
      markdown: `⏹ ended, says <@${ids.bob}>`,
      mentions: [`discord:${ids.guild}/user:${ids.alice}` as never],
    });
    if (part !== undefined) await stage.adapter.post(thread, part, 'k1');
    expect(stage.server.world.pings.map((p) => p.who)).toEqual([ids.alice]);
  });
});

describe('receipts and whispers (D3, A2)', () => {
  test('one mark at a time, after a restart too; those of people stay', async () => {
    const thread = await open();
    const said = stage.server.people.say(thread.thread, 'do it');
    said.reactions.set('👍', new Set([ids.bob]));
    const ref = { thread, message: said.id };
    await stage.adapter.receipt(ref, '⏸');
    await stage.another().receipt(ref, '✅');
    expect([...said.reactions.keys()].sort()).toEqual(['👍', '✅'].sort());
    await stage.adapter.receipt(ref, '✅');
    expect([...said.reactions.keys()]).toContain('✅');
  });

  test('a refusal goes by direct message, once per person and day', async () => {
    const thread = await open();
    const alice = `discord:${ids.guild}/user:${ids.alice}` as never;
    await stage.adapter.whisper(thread, alice, text('no right'));
    await stage.adapter.whisper(thread, alice, text('no right, again'));
    const dm = [...stage.server.world.channels.values()].find((c) => c.recipient === ids.alice);
    expect(contents(dm?.id ?? '')).toEqual(['no right']);
    expect(contents(thread.thread)).toEqual([]);
  });

  test('who takes no direct messages is no trouble', async () => {
    const thread = await open();
    stage.server.world.areDirectMessagesClosed = true;
    const bob = `discord:user:${ids.bob}` as never;
    await expect(stage.adapter.whisper(thread, bob, text('no'))).resolves.toBeUndefined();
  });
});
