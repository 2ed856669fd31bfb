import { describe, expect, onTestFinished, test } from 'vitest';
import type { Clock } from '../../src/bridge/ports/clock.ts';
import { systemClock } from '../../src/bridge/system-clock.ts';
import { silentLog } from '../fakes/silent-log.ts';
import {
  type DiscordUnderLoad,
  discordUnderLoad,
  type LoadPlatform,
  type SlackUnderLoad,
  slackUnderLoad,
} from './load-platforms.ts';
import { loadRig } from './load-rig.ts';

const noLimit = 1_000;
const within = { timeout: 30_000, interval: 50 };

/** What waits for an operator is tried again each half minute: here the bridge's time runs ahead. */
const faster = (times: number): Clock => {
  const from = Date.now();
  return {
    now: () => from + (Date.now() - from) * times,
    sleep: (ms, signal) => systemClock.sleep(ms / times, signal),
  };
};

const marks = (platform: LoadPlatform, run: number): readonly string[] =>
  platform.posted().flatMap(({ text }) => text.match(new RegExp(`<r${run}\\.\\d+>`, 'g')) ?? []);

const setUp = async <P extends LoadPlatform>(make: (factor: number) => Promise<P>) => {
  const platform = await make(noLimit);
  const told: string[] = [];
  const tell = (_: object, sentence: string): void => void told.push(sentence);
  const log = { ...silentLog, info: tell, warn: tell };
  const rig = loadRig(platform, 2, noLimit, { clock: faster(20), log });
  onTestFinished(() => rig.stop());
  const drained = () => expect.poll(() => rig.isDrained(), within).toBe(true);
  for (const run of [0, 1]) await rig.say(run, `<r${run}.1>`);
  await drained();
  const thread = rig.store.threads.all().find(({ run }) => run === 'r0')?.ref?.thread ?? '';
  return { platform, rig, told, drained, thread };
};

interface Trouble<P> {
  readonly name: string;
  readonly begin: (platform: P, thread: string) => void;
  readonly end: (platform: P, thread: string) => void;
  readonly words: RegExp;
}

const channel = 'C0AGENTS';
const manageThreads = 1n << 34n;
const sendInThreads = 1n << 38n;

const ofSlack: readonly Trouble<SlackUnderLoad>[] = [
  {
    name: 'the channel is archived',
    begin: ({ slack }) => slack.people.archive(channel),
    end: ({ slack }) => slack.people.unarchive(channel),
    words: /Unarchive the channel/,
  },
  {
    name: 'the bot is kicked',
    begin: ({ slack }) => slack.people.kick(channel),
    end: ({ slack }) => slack.people.invite(channel),
    words: /Invite the bot/,
  },
  {
    name: 'the thread is locked',
    begin: ({ slack }, thread) => slack.people.lock(channel, thread),
    end: ({ slack }, thread) => {
      for (const root of slack.server.world.messages) if (root.ts === thread) root.isLocked = false;
    },
    words: /Unlock the thread/,
  },
  {
    name: 'the token is revoked',
    begin: ({ slack }) => slack.server.botTokens.clear(),
    end: ({ slack }) => slack.server.botTokens.add('xoxb-dummy-bot-token'),
    words: /new bot token/,
  },
];

const ofDiscord: readonly Trouble<DiscordUnderLoad>[] = [
  {
    name: 'the thread is locked',
    begin: ({ server }, thread) => {
      server.world.botPermissions &= ~manageThreads;
      server.people.archive(thread, true);
    },
    end: ({ server }, thread) => server.people.unlock(thread),
    words: /thread is locked|lacks a permission/,
  },
  {
    name: 'a permission is taken',
    begin: ({ server }) => {
      server.world.botPermissions &= ~sendInThreads;
    },
    end: ({ server }) => {
      server.world.botPermissions |= sendInThreads;
    },
    words: /lacks a permission/,
  },
  {
    name: 'the bot is kicked',
    begin: ({ server }) => server.people.kickBot(),
    end: ({ server }) => server.people.inviteBot(),
    words: /invite it/,
  },
  {
    name: 'the token is revoked',
    begin: ({ server }) => server.revokeToken(),
    end: ({ server }) => server.restoreToken(),
    words: /bot token/,
  },
];

const describeTroubles = <P extends LoadPlatform>(
  name: string,
  make: (factor: number) => Promise<P>,
  troubles: readonly Trouble<P>[],
): void => {
  describe(`L2 ${name}`, () => {
    test.each(troubles)(
      '$name for a while: told once, kept, and shown once when it is over',
      async ({ begin, end, words }) => {
        const { platform, rig, told, drained, thread } = await setUp(make);
        begin(platform, thread);
        await rig.say(0, '<r0.2>');
        await rig.say(0, '<r0.3>');
        await rig.say(1, '<r1.2>');
        const tries = () => Math.max(...rig.store.outbox.waiting().map((row) => row.attempts));
        await expect.poll(tries, within).toBeGreaterThanOrEqual(2);
        expect(rig.troubles()).toMatchObject([{ why: expect.stringMatching(words) }]);
        expect(told).toEqual([expect.stringMatching(words)]);
        end(platform, thread);
        await drained();
        expect(marks(platform, 0)).toEqual(['<r0.1>', '<r0.2>', '<r0.3>']);
        expect(marks(platform, 1)).toEqual(['<r1.1>', '<r1.2>']);
        expect(rig.troubles()).toEqual([]);
        expect(told).toEqual([told[0], expect.stringMatching(/^over: /)]);
      },
    );
  });
};

describeTroubles('Slack', slackUnderLoad, ofSlack);
describeTroubles('Discord', discordUnderLoad, ofDiscord);

describe('L2 Discord', () => {
  test('a deleted thread is told once and costs no other', async () => {
    const { platform, rig, told, drained, thread } = await setUp(discordUnderLoad);
    platform.server.people.deleteChannel(thread);
    for (const n of [2, 3, 4]) for (const run of [0, 1]) await rig.say(run, `<r${run}.${n}>`);
    await drained();
    expect(rig.store.threads.all().find(({ run }) => run === 'r0')).toMatchObject({
      state: 'gone',
    });
    expect(marks(platform, 1)).toEqual(['<r1.1>', '<r1.2>', '<r1.3>', '<r1.4>']);
    expect(told).toEqual(['a message cannot be shown']);
  });

  test('an archived thread is opened again, for posts and for edits', async () => {
    const { platform, rig, told, drained, thread } = await setUp(discordUnderLoad);
    const end = await rig.call(0);
    await drained();
    platform.server.people.archive(thread);
    await end();
    await expect.poll(() => rig.store.outbox.waiting(), within).toEqual([]);
    platform.server.people.archive(thread);
    await rig.say(0, '<r0.2>');
    await drained();
    expect(marks(platform, 0)).toEqual(['<r0.1>', '<r0.2>']);
    expect(told).toEqual([]);
  });
});
