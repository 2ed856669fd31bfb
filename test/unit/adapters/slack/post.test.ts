import { describe, expect, it } from 'vitest';
import type { EncodedPart, OutboundMessage } from '../../../../src/bridge/model/chat.ts';
import { type ActorId, id } from '../../../../src/bridge/model/ids.ts';
import { readSlack, readSlackThread } from '../../../fakes/slack-fake.ts';
import { CHANNEL, type SlackRig, slackRig } from './rig.ts';

const say = (markdown: string): OutboundMessage => ({ type: 'text', author: 'agent', markdown });

const partOf = (rig: SlackRig, message: OutboundMessage): EncodedPart => {
  const [part] = rig.adapter.encode(message);
  if (part === undefined) throw new Error('nothing encoded');
  return part;
};

describe('posting to Slack', () => {
  const at = slackRig();

  it('P12 nobody is pinged and no link unfurls, whatever an agent writes (P3)', async () => {
    const rig = at();
    const thread = await rig.thread();
    const evil =
      '<!channel> <@U0ALICE> <!subteam^S0TEAM> @here https://a.example/x `<!here>`\n```\n<!everyone>\n```\n| <@U0BOB> | b |\n|--|--|\n| <!here> | 2 |';
    await rig.adapter.post(thread, partOf(rig, say(evil)), 'k1');
    const file = { type: 'file', name: 'a.md', summary: evil, content: evil } as const;
    await rig.adapter.upload(thread, partOf(rig, file), 'k2');
    await rig.adapter.whisper(
      thread,
      id<ActorId>('slack:T0TEAM/user:U0BOB'),
      partOf(rig, say(evil)),
    );
    expect(rig.slack.server.world.pings).toEqual([]);
    expect(rig.slack.server.world.unfurled).toEqual([]);
  });

  it('each call is tried once: the SDK’s own retries would post twice (trap 1)', async () => {
    const rig = at();
    const thread = await rig.thread();
    rig.slack.server.faults.arm({ kind: 'lost', method: 'chat.postMessage' });
    const posted = rig.adapter.post(thread, partOf(rig, say('one')), 'k1');
    await expect(posted).rejects.toMatchObject({ code: 'unavailable', certain: false });
    expect(rig.slack.server.calls.filter((c) => c.method === 'chat.postMessage')).toHaveLength(2);
    expect(readSlackThread(rig.slack, thread).map(readSlack)).toEqual(['A run', 'one']);
  });

  it('a hung call ends by its deadline (trap 4)', async () => {
    const rig = at();
    const thread = await rig.thread();
    rig.slack.server.faults.arm({ kind: 'hang-before', method: 'chat.postMessage' });
    const hasty = rig.make({}, { timeoutMs: 300 });
    const posted = hasty.post(thread, partOf(rig, say('one')), 'k1');
    await expect(posted).rejects.toMatchObject({ code: 'unavailable', certain: false });
  });

  it('P04 a 429 is told at once and holds back nothing else (trap 5)', async () => {
    const rig = at();
    rig.slack.server.world.addChannel('C0OTHER', 'other');
    const thread = await rig.thread();
    rig.slack.server.faults.arm({ kind: 'rate-limited', channel: CHANNEL, retryAfter: 30 });
    const limited = rig.adapter.post(thread, partOf(rig, say('one')), 'k1');
    await expect(limited).rejects.toMatchObject({ code: 'rate-limited', retryAfterMs: 30_000 });
    await rig.adapter.open(id<never>('slack:C0OTHER'), partOf(rig, say('two')), 'k2');
    rig.slack.server.faults.arm({ kind: 'rate-limited-without-header' });
    const bare = rig.adapter.post(thread, partOf(rig, say('one')), 'k1');
    await expect(bare).rejects.toMatchObject({ code: 'rate-limited', certain: true });
  });

  it('a page of HTML under 200 is no answer, and what it answered may have happened (trap 17)', async () => {
    const rig = at();
    const thread = await rig.thread();
    rig.slack.server.faults.arm({ kind: 'html-after' });
    const posted = rig.adapter.post(thread, partOf(rig, say('one')), 'k1');
    await expect(posted).rejects.toMatchObject({ code: 'unavailable', certain: false });
    await rig.adapter.post(thread, partOf(rig, say('one')), 'k1');
    expect(readSlackThread(rig.slack, thread)).toHaveLength(2);
  });

  it('nobody at home is certain: nothing was sent', async () => {
    const rig = at();
    const thread = await rig.thread();
    await rig.slack.server.close();
    const posted = rig.adapter.post(thread, partOf(rig, say('one')), 'k1');
    await expect(posted).rejects.toMatchObject({ code: 'unavailable', certain: true });
    await rig.slack.server.reopen();
  });

  it.each([
    ['token_revoked', 'auth'],
    ['missing_scope', 'auth'],
    ['not_in_channel', 'no-access'],
    ['is_archived', 'no-access'],
    ['restricted_action_thread_locked', 'no-access'],
    ['message_not_found', 'message-gone'],
    ['msg_too_long', 'rejected'],
  ])('%s is %s, with the remedy where there is one', async (error, code) => {
    const rig = at();
    const thread = await rig.thread();
    rig.slack.server.faults.arm({ kind: { error } });
    const posted = rig.adapter.post(thread, partOf(rig, say('one')), 'k1');
    await expect(posted).rejects.toMatchObject({ code, certain: true });
    if (code === 'auth' || code === 'no-access')
      await expect(posted).rejects.toMatchObject({ userMessage: expect.stringContaining(error) });
  });

  it('the real server’s refusals: archived, locked, kicked, revoked', async () => {
    const rig = at();
    const { people } = rig.slack;
    const thread = await rig.thread();
    const tryIt = (key: string) => rig.adapter.post(thread, partOf(rig, say(key)), key);
    await tryIt('k0');
    people.lock(CHANNEL, thread.thread);
    await expect(tryIt('k1')).rejects.toMatchObject({ code: 'no-access' });
    people.archive(CHANNEL);
    await expect(tryIt('k2')).rejects.toMatchObject({ code: 'no-access' });
    people.unarchive(CHANNEL);
    people.kick(CHANNEL);
    await expect(tryIt('k3')).rejects.toMatchObject({ code: 'no-access' });
    people.revoke();
    await expect(tryIt('k4')).rejects.toMatchObject({ code: 'auth' });
  });

  it('R18 what comes after its thread was deleted does not stay in the channel', async () => {
    const rig = at();
    const thread = await rig.thread();
    rig.slack.people.delete(CHANNEL, thread.thread);
    const posted = rig.adapter.post(thread, partOf(rig, say('stray')), 'k1');
    await expect(posted).rejects.toMatchObject({ code: 'thread-gone', certain: true });
    expect(rig.slack.server.world.messages.filter((m) => !m.isDeleted)).toEqual([]);
  });

  it('a deleted head that has replies keeps its thread', async () => {
    const rig = at();
    const thread = await rig.thread();
    await rig.adapter.post(thread, partOf(rig, say('one')), 'k1');
    rig.slack.people.delete(CHANNEL, thread.thread);
    await rig.adapter.post(thread, partOf(rig, say('two')), 'k2');
    expect(readSlackThread(rig.slack, thread).slice(1).map(readSlack)).toEqual(['one', 'two']);
  });

  it('P06 a form that Slack refuses goes as text rather than not at all', async () => {
    const rig = at();
    const thread = await rig.thread();
    rig.slack.server.faults.arm({ kind: { error: 'invalid_blocks' } });
    await rig.adapter.post(thread, partOf(rig, say('**one** & <two>')), 'k1');
    const message = readSlackThread(rig.slack, thread).at(-1);
    expect(message && readSlack(message)).toBe('one &amp; &lt;two&gt;');
  });

  it('a file whose answer was lost is found by place, name and size, not an equal one before it', async () => {
    const rig = at();
    const thread = await rig.thread();
    const file = { type: 'file', name: 'a.md', summary: 'sum', content: 'x' } as const;
    const first = await rig.adapter.upload(thread, partOf(rig, file), 'f1');
    const later = rig.make();
    const method = 'files.completeUploadExternal';
    rig.slack.server.faults.arm({ kind: 'lost', method });
    await expect(later.upload(thread, partOf(rig, file), 'f2')).rejects.toMatchObject({
      certain: false,
    });
    const found = await later.findSent(thread, partOf(rig, file), 'f2', first);
    expect(found?.message).not.toBe(first.message);
    expect(found).toBeDefined();
    expect(readSlackThread(rig.slack, thread)).toHaveLength(3);
  });

  it('an edit that has become too long takes the whole along as a file (P3)', async () => {
    const rig = at();
    const thread = await rig.thread();
    const ref = await rig.adapter.post(thread, partOf(rig, say('short')), 'k1');
    const long = 'much longer '.repeat(3_000);
    rig.slack.server.faults.arm({ kind: 'lost', method: 'chat.update' });
    await expect(rig.adapter.edit(ref, partOf(rig, say(long)))).rejects.toMatchObject({
      certain: false,
    });
    await rig.adapter.edit(ref, partOf(rig, say(long)));
    const { world } = rig.slack.server;
    const files = world.message(CHANNEL, ref.message)?.files ?? [];
    expect(files.map((file) => String(world.files.get(file)?.content))).toEqual([long]);
    expect(readSlackThread(rig.slack, thread)).toHaveLength(2);
  });

  it('marks of an earlier process go when a new one comes; those of people stay (D3)', async () => {
    const rig = at();
    const { thread } = await rig.thread();
    const { people, server } = rig.slack;
    await rig.start();
    const ts = people.say({ user: 'U0ALICE', channel: CHANNEL, thread, text: 'do it' });
    people.react('U0BOB', CHANNEL, ts, 'white_check_mark');
    const ref = { thread: { ...(await rig.thread()), thread }, message: ts };
    await rig.adapter.receipt(ref, '🕓');
    const later = rig.make();
    await rig.start(later);
    await later.receipt(ref, '✅');
    await later.receipt(ref, '✅');
    const reactions = server.world.message(CHANNEL, ts)?.reactions;
    expect([...(reactions ?? [])].map(([name, by]) => [name, [...by].sort()])).toEqual([
      ['white_check_mark', ['U0BOB', 'U0BOT']],
    ]);
  });

  it('own posts, edits, deletions and reactions are no events (trap 14)', async () => {
    const rig = at();
    const thread = await rig.thread();
    await rig.start();
    const ref = await rig.adapter.post(thread, partOf(rig, say('one')), 'k1');
    await rig.adapter.edit(ref, partOf(rig, say('two')));
    await rig.adapter.receipt(ref, '✅');
    await rig.adapter.remove(ref);
    const text = 'a person';
    rig.slack.people.say({ user: 'U0ALICE', channel: CHANNEL, thread: thread.thread, text });
    await expect
      .poll(() => rig.given.map((e) => e.body.type), { timeout: 5_000 })
      .toEqual(['reply']);
  });
});
