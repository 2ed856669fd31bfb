import { eventually } from '../e2e/page-client.ts';
import type { FakeMessage } from '../fakes/discord-model.ts';
import { DiscordServer, discordToken } from '../fakes/discord-server.ts';
import { ids } from '../fakes/discord-world.ts';
import { type FakeSlack, readSlack, startFakeSlack } from '../fakes/slack-fake.ts';
import { BOT_USER } from '../fakes/slack-world.ts';

const CHANNEL = 'C0AGENTS';
const SLACK_BOB = 'U0BOB';
const SLACK_STRANGER = 'U0EVE';

/** A message of a thread as a person reads it. */
export interface Shown {
  readonly id: string;
  readonly text: string;
  /** Written by the bridge. */
  readonly isOurs: boolean;
  readonly marks: readonly string[];
  /** What can be pressed now. */
  readonly buttons: readonly string[];
}

/** One platform with the run's only thread on it, and what people do there. */
export interface Side {
  readonly name: 'slack' | 'discord';
  /** The thread without its head; none while there is no thread. */
  posts(): readonly Shown[];
  head(): string | undefined;
  /** Bob, who may drive, or somebody who may not, writes into the thread. */
  say(text: string, by?: 'driver' | 'stranger'): string;
  press(message: string, label: string): Promise<unknown>;
  /** Presses a button that opens a form, and sends the form off with this text. */
  fillIn(message: string, label: string, text: string): Promise<unknown>;
  /** Everyone whom a message of the bridge notified. */
  pings(): number;
}

/** Both platforms, listening on loopback, and the configuration that joins them. */
export interface Team {
  readonly slack: Side;
  readonly discord: Side;
  readonly config: Readonly<Record<string, unknown>>;
  readonly fakes: { readonly slack: FakeSlack; readonly discord: DiscordServer };
  stop(): Promise<void>;
}

const slackSide = (fake: FakeSlack): Side => {
  const { world } = fake.server;
  const root = () =>
    world.messages.find((m) => m.channel === CHANNEL && m.threadTs === undefined && m.botId);
  const thread = (): string => root()?.ts ?? '';
  return {
    name: 'slack',
    head: () => {
      const head = root();
      return head && readSlack(head);
    },
    posts: () =>
      (root() === undefined ? [] : world.thread(CHANNEL, thread()).slice(1)).map((m) => ({
        id: m.ts,
        text: readSlack(m),
        isOurs: m.user === BOT_USER || m.botId !== undefined,
        marks: [...m.reactions].filter(([, by]) => by.size > 0).map(([name]) => name),
        buttons: fake.people.buttons(CHANNEL, m.ts).map((b) => b.label),
      })),
    say: (text, by = 'driver') => {
      const user = by === 'driver' ? SLACK_BOB : SLACK_STRANGER;
      return fake.people.say({ user, channel: CHANNEL, thread: thread(), text });
    },
    press: (message, label) => fake.people.click(SLACK_BOB, CHANNEL, message, label),
    fillIn: async (message, label, text) => {
      const before = new Set(world.views.keys());
      await fake.people.click(SLACK_BOB, CHANNEL, message, label);
      const view = await eventually('a form', () =>
        [...world.views.keys()].find((each) => !before.has(each)),
      );
      return fake.people.submit(SLACK_BOB, view, text);
    },
    pings: () => world.pings.length,
  };
};

const discordSide = (server: DiscordServer): Side => {
  const { world, people } = server;
  const root = () => world.messages.find((m) => m.channel_id === ids.text && !m.isDeleted);
  const inThread = (): readonly FakeMessage[] =>
    world.messages.filter((m) => m.channel_id === root()?.id && !m.isDeleted);
  return {
    name: 'discord',
    head: () => root()?.content,
    posts: () =>
      inThread().map((m) => ({
        id: m.id,
        text: m.content,
        isOurs: m.author.id === ids.bot,
        marks: [...m.reactions.keys()],
        buttons: people.components(m).flatMap((c) => (c.disabled === true ? [] : (c.label ?? []))),
      })),
    say: (text, by = 'driver') =>
      people.say(root()?.id ?? '', text, { by: by === 'driver' ? ids.bob : ids.alice }).id,
    press: async (message, label) => {
      const found = inThread().find((m) => m.id === message);
      if (found === undefined) throw new Error(`no message ${message}`);
      return people.click(found, label, ids.bob);
    },
    fillIn: async (message, label, text) => {
      const found = inThread().find((m) => m.id === message);
      if (found === undefined) throw new Error(`no message ${message}`);
      return people.submit(await people.click(found, label, ids.bob), text, ids.bob);
    },
    pings: () => world.pings.length,
  };
};

/** A post of the bridge with this text, once it is there. */
export const shown = (side: Side, text: string, withinMs?: number): Promise<Shown> =>
  eventually(
    `${side.name} shows ${text}`,
    () => side.posts().find((m) => m.isOurs && m.text.includes(text)),
    withinMs,
  );

export const openTeam = async (): Promise<Team> => {
  const slack = await startFakeSlack();
  const discord = await DiscordServer.start();
  const { botToken, appToken, apiUrl } = slack.config;
  return {
    slack: slackSide(slack),
    discord: discordSide(discord),
    config: {
      slack: { botToken, appToken, apiUrl, channels: [{ id: CHANNEL, all: true }] },
      discord: {
        botToken: discordToken,
        apiUrl: discord.apiUrl,
        channels: [{ id: ids.text, all: true }],
      },
      access: { drivers: [`slack:${SLACK_BOB}`, `discord:${ids.bob}`] },
    },
    fakes: { slack, discord },
    stop: async () => {
      await slack.stop();
      await discord.stop();
    },
  };
};
