import { describe, expect, it } from 'vitest';
import { isFileReader, isHistoryReader } from '../../../../src/bridge/ports/chat-adapter.ts';
import { slackThread } from '../../../fakes/slack-fake.ts';
import { CHANNEL, slackRig, until } from './rig.ts';

const replies = (rig: ReturnType<ReturnType<typeof slackRig>>) =>
  rig.events.flatMap(({ body }) => (body.type === 'reply' ? [body.text] : []));

describe('what people write in Slack', () => {
  const at = slackRig();

  it('arrives with its author, team and thread', async () => {
    const rig = at();
    const thread = await rig.thread();
    await rig.start();
    const ts = rig.slack.people.say({
      user: 'U0ALICE',
      channel: CHANNEL,
      thread: thread.thread,
      text: 'a < b && c > d',
    });
    await until(() => expect(rig.events).toHaveLength(1));
    expect(rig.events[0]).toMatchObject({
      key: `message:${CHANNEL}:${ts}`,
      platform: 'slack',
      actor: {
        id: 'slack:T0TEAM/user:U0ALICE',
        displayName: 'Alice',
        isBot: false,
        isGuest: false,
      },
      target: { thread },
      body: { type: 'reply', text: 'a < b && c > d', messageRef: { thread, message: ts } },
    });
    expect(Math.abs((rig.events[0]?.at ?? 0) - Date.now())).toBeLessThan(10_000);
  });

  it('A03 guests, strangers, bots and webhooks are told apart (A1)', async () => {
    const rig = at();
    const { thread } = await rig.thread();
    await rig.start();
    const { people } = rig.slack;
    people.say({ user: 'U0GUEST', channel: CHANNEL, thread, text: 'guest' });
    people.say({ user: 'U0ELSE', channel: CHANNEL, thread, text: 'stranger' });
    people.sayAsBot({ channel: CHANNEL, thread, text: 'bot' });
    people.sayAsBot({ channel: CHANNEL, thread, text: 'hook', isWebhook: true });
    await until(() => expect(rig.events).toHaveLength(4));
    const by = (text: string) =>
      rig.events.find(({ body }) => body.type === 'reply' && body.text === text)?.actor;
    expect(by('guest')).toMatchObject({ isGuest: true, isBot: false });
    expect(by('stranger')).toMatchObject({
      id: 'slack:T0OTHER/user:U0ELSE',
      isGuest: true,
      isExternal: true,
    });
    expect(by('bot')).toMatchObject({ isBot: true });
    expect(by('hook')).toMatchObject({ isBot: true, isWebhook: true });
  });

  it('usergroups of the configuration are groups of their members (A1)', async () => {
    const rig = at();
    rig.slack.server.world.usergroups.set('S0TEAM', ['U0BOB']);
    const adapter = rig.make({ usergroups: ['S0TEAM'] });
    const { thread } = await rig.thread();
    await rig.start(adapter);
    rig.slack.people.say({ user: 'U0BOB', channel: CHANNEL, thread, text: 'hello' });
    await until(() => expect(rig.events).toHaveLength(1));
    expect(rig.events[0]?.actor.groups).toEqual(['slack:T0TEAM/usergroup:S0TEAM']);
  });

  it('threads of others and the channel itself are not listened to', async () => {
    const rig = at();
    const { thread } = await rig.thread();
    await rig.start();
    const { people } = rig.slack;
    const root = people.say({ user: 'U0ALICE', channel: CHANNEL, text: 'lunch?' });
    people.say({ user: 'U0BOB', channel: CHANNEL, thread: root, text: 'yes' });
    people.say({ user: 'U0ALICE', channel: CHANNEL, thread, text: 'to the agent' });
    await until(() => expect(replies(rig)).toEqual(['to the agent']));
  });

  it('a mention comes twice and is one reply, without the call', async () => {
    const rig = at();
    const { thread } = await rig.thread();
    await rig.start();
    rig.slack.people.say({
      user: 'U0ALICE',
      channel: CHANNEL,
      thread,
      text: '<@U0BOT> please go on',
      isRaw: true,
    });
    await until(() => expect(rig.given).toHaveLength(2));
    expect(replies(rig)).toEqual(['please go on']);
  });

  it('edits and deletions arrive by their own keys; a card under a link is neither (D7)', async () => {
    const rig = at();
    const { thread } = await rig.thread();
    await rig.start();
    const { people } = rig.slack;
    const ts = people.say({ user: 'U0ALICE', channel: CHANNEL, thread, text: 'one' });
    people.unfurl(CHANNEL, ts);
    people.edit(CHANNEL, ts, 'two & three');
    people.delete(CHANNEL, ts);
    await until(() =>
      expect(rig.events.map((e) => e.body.type)).toEqual(['reply', 'edit', 'delete']),
    );
    expect(rig.events[1]?.body).toMatchObject({ text: 'two & three', messageRef: { message: ts } });
    expect(rig.events[2]?.body).toMatchObject({ messageRef: { message: ts } });
  });

  it('P14 P15 a snippet is the reply itself; other files come along and can be fetched (D7)', async () => {
    const rig = at();
    const { thread } = await rig.thread();
    await rig.start();
    const { people } = rig.slack;
    const long = 'line <&>\n'.repeat(2_000);
    const snippet = { name: 'Untitled', content: long, mode: 'snippet' as const };
    people.say({ user: 'U0ALICE', channel: CHANNEL, thread, text: '', files: [snippet] });
    const files = [
      { name: 'a.png', content: 'PNG', mimetype: 'image/png' },
      { name: 'b.png', content: 'PNG2', mimetype: 'image/png' },
    ];
    people.say({ user: 'U0ALICE', channel: CHANNEL, thread, text: 'look', files });
    await until(() => expect(rig.events).toHaveLength(2));
    expect(replies(rig)).toContain(long);
    const body = rig.events.map((e) => e.body).find((b) => b.type === 'reply' && b.text === 'look');
    if (body?.type !== 'reply' || !isFileReader(rig.adapter)) throw new Error('no reply');
    expect(body.files?.map((f) => f.name)).toEqual(['a.png', 'b.png']);
    const [first] = body.files ?? [];
    if (first === undefined) throw new Error('no file');
    expect(String(Buffer.from(await rig.adapter.fetchFile(first, 1_000)))).toBe('PNG');
    await expect(rig.adapter.fetchFile(first, 2)).rejects.toMatchObject({ code: 'rejected' });
    const elsewhere = { ...first, source: 'http://127.0.0.1:9/steal' };
    await expect(rig.adapter.fetchFile(elsewhere, 10)).rejects.toMatchObject({ code: 'rejected' });
  });

  it('the interrupt reaction arrives by every name and skin tone, others do not (I1)', async () => {
    const rig = at();
    const { thread } = await rig.thread();
    const adapter = rig.make({ reactions: ['🛑', ':raised_hand:'] });
    await rig.start(adapter);
    const { people } = rig.slack;
    people.react('U0BOB', CHANNEL, thread, 'tada');
    people.react('U0BOB', CHANNEL, thread, 'octagonal_sign');
    people.react('U0BOB', CHANNEL, thread, 'hand::skin-tone-3');
    people.unreact('U0BOB', CHANNEL, thread, 'octagonal_sign');
    await until(() => expect(rig.events).toHaveLength(3));
    expect(rig.events.map(({ body }) => body)).toMatchObject([
      { type: 'reaction', emoji: '🛑', isAdded: true, messageRef: { message: thread } },
      { type: 'reaction', emoji: '✋', isAdded: true },
      { type: 'reaction', emoji: '🛑', isAdded: false },
    ]);
  });

  it('what was said while nobody listened is read back, once, and clicks and reactions are not (L2)', async () => {
    const rig = at();
    const { thread } = await rig.thread();
    const { people } = rig.slack;
    people.say({ user: 'U0ALICE', channel: CHANNEL, thread, text: 'before us' });
    const since = Date.now();
    await until(() => expect(Date.now()).toBeGreaterThan(since + 1));
    rig.slack.server.sockets.times.redeliverAfterMs = [];
    for (let n = 0; n < 250; n++)
      people.say({ user: 'U0ALICE', channel: CHANNEL, thread, text: `missed ${n}` });
    people.react('U0BOB', CHANNEL, thread, 'octagonal_sign');
    if (!isHistoryReader(rig.adapter)) throw new Error('the capability went');
    rig.adapter.follow(() => [{ thread: slackThread(thread), since }]);
    await rig.start();
    await until(() => expect(replies(rig)).toHaveLength(250));
    expect(replies(rig)[249]).toBe('missed 249');
    expect(rig.events.every((e) => e.body.type === 'reply' && e.body.isFromHistory)).toBe(true);
  });
});
