import { describe, expect, onTestFinished, test } from 'vitest';
import type { Actor, ChatEventBody } from '../../../../src/bridge/model/chat.ts';
import type { DialogItem, Item } from '../../../../src/bridge/model/conversation.ts';
import {
  type ActorId,
  type ChannelId,
  id,
  type PlatformId,
  type ThreadId,
} from '../../../../src/bridge/model/ids.ts';
import type { RunSummary } from '../../../../src/bridge/model/run-state.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { FakeHost } from '../../../fakes/fake-link.ts';
import { anObservation, aRun } from '../../../fakes/fake-provider.ts';
import { tempDir } from '../../../fakes/temp-dir.ts';
import { dialog, OTHER, RUN, startChatSide } from './chat-side.ts';

const PLATFORMS = ['slack', 'discord'] as const;
type Platform = (typeof PLATFORMS)[number];

/** Who stands in `access`, per platform; everybody else has to be granted something. */
const LISTED = {
  slack: { owner: 'U0OWNER', driver: 'U0DRIVER' },
  discord: { owner: '100000000000000001', driver: '100000000000000002' },
};
const HOME = { slack: 'T0HOME', discord: '900' };

const person = (
  platform: Platform,
  user: string,
  more: Partial<Actor> = {},
  team = HOME[platform],
): Actor => ({
  id: id<ActorId>(`${platform}:${team}/user:${user}`),
  displayName: user,
  groups: [],
  isBot: false,
  isGuest: false,
  ...more,
});

const content = {
  type: 'question',
  questions: [
    {
      header: 'Colour',
      question: 'Which?',
      multiSelect: false,
      options: [{ label: 'red' }, { label: 'blue' }],
    },
  ],
} as unknown as DialogItem['content'];

const summary = (state: RunSummary['state'], isAsking: boolean): RunSummary => ({
  ...anObservation(aRun({ id: RUN })).run,
  title: 'the till',
  lastActivityAt: 1,
  state,
  ...(isAsking && { pendingDialog: { id: dialog, content, since: 1, isAnswerable: true } }),
});

const asked = {
  kind: 'text',
  role: 'user',
  origin: 'person',
  status: 'sent',
  text: 'mend the till',
} as Item;

const stage = async (platform: Platform) => {
  const clock = new FakeClock();
  const host = new FakeHost(() => clock.now());
  const side = startChatSide(tempDir(), clock, host, {
    owners: [{ platform, team: HOME[platform], kind: 'user', id: LISTED[platform].owner }],
    drivers: [{ platform, team: HOME[platform], kind: 'user', id: LISTED[platform].driver }],
  });
  onTestFinished(side.stop);
  const ref = (thread: string) => ({
    platform: id<PlatformId>(platform),
    channel: id<ChannelId>(`${platform}:C0`),
    thread,
  });
  for (const [name, run] of [
    ['mine', RUN],
    ['theirs', OTHER],
  ] as const) {
    side.threads.threads.create(
      {
        id: id<ThreadId>(name),
        channel: ref(name).channel,
        platform: ref(name).platform,
        ref: ref(name),
        run,
        state: 'open',
        headEditedAt: 0,
        notify: [],
      },
      clock.now(),
    );
  }
  side.run.now = summary({ name: 'working' }, true);
  side.run.items = [asked];
  let n = 0;
  const act = async (actor: Actor, body: ChatEventBody, thread = 'mine') => {
    const key = `${platform}:${n++}`;
    await side.inbox.sink({
      key,
      platform: id<PlatformId>(platform),
      actor,
      target: { thread: ref(thread) },
      at: clock.now(),
      body,
    });
    await clock.advance(0);
    return side.receipts
      .filter((receipt) => receipt.key.includes(key) || receipt.actor === actor.id)
      .at(-1);
  };
  const messageRef = { thread: ref('mine'), message: 'm1' };
  const say = (actor: Actor, text: string, thread = 'mine') =>
    act(
      actor,
      { type: 'reply', text, messageRef: { thread: ref(thread), message: `s${n}` } },
      thread,
    );
  const owner = person(platform, LISTED[platform].owner);
  const driver = person(platform, LISTED[platform].driver);
  return {
    clock,
    host,
    side,
    act,
    say,
    messageRef,
    owner,
    driver,
    settings: () => side.threads.threads.find(id<ThreadId>('mine')),
  };
};

type Stage = Awaited<ReturnType<typeof stage>>;

const drives: Readonly<Record<string, (s: Stage, who: Actor) => Promise<unknown>>> = {
  'a reply': (s, who) => s.say(who, 'go on'),
  '!answer': (s, who) => s.say(who, '!answer green'),
  '!interrupt': (s, who) => s.say(who, '!interrupt'),
  '!continue': (s, who) => s.say(who, '!continue'),
  '!cmd': (s, who) => s.say(who, '!cmd /compact'),
  'a typo of a command': (s, who) => s.say(who, '!stauts'),
  'a click on an answer': (s, who) =>
    s.act(who, { type: 'answer', dialog, answer: { type: 'choose', choices: [[0]] } }),
  'a click on Interrupt': (s, who) => s.act(who, { type: 'interrupt', turn: undefined }),
  'a click on Continue': (s, who) => s.act(who, { type: 'continue' }),
  'the stop reaction': (s, who) =>
    s.act(who, { type: 'reaction', messageRef: s.messageRef, emoji: '🛑', isAdded: true }),
};
const owns: typeof drives = Object.fromEntries(
  [
    '!quiet',
    '!normal',
    '!full',
    '!ignore',
    '!grant U0EVIL',
    '!grant 100000000000000009',
    '!revoke U0DRIVER',
  ].map((text) => [text, (s: Stage, who: Actor) => s.say(who, text)]),
);

const strangers = (platform: Platform): readonly (readonly [string, Actor])[] => [
  ['a stranger', person(platform, '55')],
  ['a guest', person(platform, '56', { isGuest: true })],
  [
    'a member of another workspace',
    person(platform, LISTED[platform].driver, { isExternal: true }, 'T9OTHER'),
  ],
  ['a bot', person(platform, '57', { isBot: true })],
  ['a webhook', person(platform, '58', { isBot: true, isWebhook: true })],
];

describe.each(PLATFORMS)('I10 A1 who may do what on %s', (platform) => {
  test.each(strangers(platform))('%s moves nothing, ever', async (_, who) => {
    const s = await stage(platform);
    await s.say(s.driver, 'first');
    const before = JSON.stringify([s.side.views(), s.settings()]);
    const sent = s.host.commands.length;
    for (const does of Object.values({ ...drives, ...owns })) {
      const receipt = (await does(s, who)) as { isPrivate: boolean } | undefined;
      // A2: for their eyes only, or (a program) nothing at all.
      if (!who.isBot) expect(receipt?.isPrivate).toBe(true);
      else expect(receipt).toBeUndefined();
    }
    const edited = s.side.views()[0];
    await s.act(who, {
      type: 'edit',
      messageRef: { ...s.messageRef, message: 's0' },
      text: 'evil',
    });
    await s.act(who, { type: 'delete', messageRef: { ...s.messageRef, message: 's0' } });
    expect(edited?.text).toBe('first');
    expect(s.host.commands).toHaveLength(sent);
    expect(JSON.stringify([s.side.views(), s.settings()])).toBe(before);
    expect(s.side.threads.threads.grants(id<ThreadId>('mine'))).toEqual([]);
    expect(s.side.errors).toEqual([]);
  });

  test('an observer by grant reads, and drives nothing', async () => {
    const s = await stage(platform);
    const who = person(platform, platform === 'slack' ? 'U0READER' : '100000000000000007');
    const user = who.id.slice(who.id.lastIndexOf(':') + 1);
    await s.say(s.owner, `!grant ${user} observer`);
    for (const does of Object.values({ ...drives, ...owns })) {
      expect(await does(s, who)).toMatchObject({ isPrivate: true });
    }
    expect(s.host.commands).toEqual([]);
    expect((await s.say(who, '!status'))?.text).toContain('working');
  });

  test('a driver drives, but owns nothing', async () => {
    const s = await stage(platform);
    for (const [name, does] of Object.entries(owns)) {
      expect(await does(s, s.driver), name).toMatchObject({ isPrivate: true });
    }
    expect((await s.say(s.driver, '!quiet'))?.text).toContain('Only an owner');
    expect(s.host.commands).toEqual([]);
    await s.say(s.driver, 'go on');
    expect(s.host.typed).toEqual([`${RUN}: go on`]);
    await s.say(s.driver, '!answer green');
    expect(s.host.commands.at(-1)).toMatchObject({
      type: 'answer',
      dialog,
      answer: { text: 'green' },
    });
  });

  test('A04 a grant counts in its own thread, survives a new look at the store, and can be taken back', async () => {
    const s = await stage(platform);
    const who = person(platform, platform === 'slack' ? 'U0NEWBIE' : '100000000000000008');
    await s.say(s.owner, platform === 'slack' ? '!grant U0NEWBIE' : '!grant 100000000000000008');
    await s.say(who, 'hello');
    expect(s.host.typed).toEqual([`${RUN}: hello`]);
    expect(await s.say(who, 'hello', 'theirs')).toMatchObject({ isPrivate: true, mark: '⛔' });
    s.host.set(RUN, { status: 'held', reason: { why: 'starting' } });
    await s.say(who, 'held');
    await s.act(s.owner, { type: 'reply', text: '!revoke @newbie', mentions: [who.id] });
    s.host.set(RUN, { status: 'confirmed' });
    await s.clock.advance(5_000);
    await s.say(who, 'again');
    expect(s.host.typed).toEqual([`${RUN}: hello`]);
  });

  test('P2 P6 an owner sets what the thread shows, anyone whom it mentions', async () => {
    const s = await stage(platform);
    await s.say(s.owner, '!quiet');
    await s.say(s.driver, '!notify');
    expect(s.settings()).toMatchObject({ verbosity: 'quiet', notify: [s.driver.id] });
    await s.say(s.driver, '!notify off');
    expect(s.settings()).toMatchObject({ notify: [] });
    await s.say(s.owner, '!ignore');
    expect(s.settings()).toMatchObject({ state: 'ignored' });
    expect((await s.say(s.driver, 'hello'))?.text).toContain('!normal');
    expect(s.host.typed).toEqual([]);
    await s.say(s.owner, '!normal');
    expect(s.settings()).toMatchObject({ state: 'open', verbosity: 'normal' });
  });

  test.each([
    ['!interrupt', drives['!interrupt']],
    ['the reaction', drives['the stop reaction']],
  ])('I1 %s only asks, names the turn, and its button acts within the time', async (_, does) => {
    const s = await stage(platform);
    const question = (await does?.(s, s.driver)) as {
      text: string;
      buttons: readonly { action: ChatEventBody }[];
    };
    expect(question.text).toContain('mend the till');
    expect(s.host.commands).toEqual([]);
    const action = question.buttons[0]?.action;
    if (action === undefined) throw new Error('no button');
    expect(await s.act(person(platform, '55'), action)).toMatchObject({ isPrivate: true });
    expect(s.host.commands).toEqual([]);
    await s.act(s.driver, action);
    expect(s.host.commands.map(({ type }) => type)).toEqual(['interrupt']);
    await s.clock.advance(61_000);
    await s.act(s.driver, action);
    expect(s.host.commands).toHaveLength(1);
  });

  test('I2 where nothing runs there is no button', async () => {
    const s = await stage(platform);
    s.side.run.now = summary({ name: 'needs-input' }, false);
    const said = await s.say(s.driver, '!interrupt');
    expect(said).toMatchObject({ buttons: [] });
    expect(said?.text).toContain('Nothing to interrupt');
  });

  test('an unknown word is text; what looks like a command is asked about', async () => {
    const s = await stage(platform);
    await s.say(s.driver, '!ls -l');
    expect(s.host.typed).toEqual([`${RUN}: !ls -l`]);
    const doubt = await s.say(s.driver, '!stauts');
    expect(doubt?.text).toContain('!status');
    expect(s.host.typed).toHaveLength(1);
    const go = doubt?.buttons.find(({ label }) => label === 'Send')?.action;
    if (go === undefined) throw new Error('no button');
    await s.act(s.driver, go);
    expect(s.host.typed).toEqual([`${RUN}: !ls -l`, `${RUN}: !stauts`]);
  });
});
