import { dirname, join } from 'node:path';
import { parseAccess } from '../bridge/config-access.ts';
import type { ChainLink } from '../bridge/model/chain-link.ts';
import type { Validate } from './asker.ts';
import type { CliDeps } from './cli-deps.ts';
import { brokenWords } from './init-check.ts';
import type { PlatformPlan } from './init-file.ts';
import { discordApi, type Gathered, type InitOptions, slackApi } from './init-flags.ts';
import type { NewFile } from './init-write.ts';

const listOf = (text: string): readonly string[] =>
  text.split(/[\s,]+/).filter((one) => one !== '');

const each =
  (isRight: (one: string) => boolean, sentence: string, least: 0 | 1 = 1): Validate =>
  (value) => {
    const entries = listOf(value);
    const wrong = entries.find((one) => !isRight(one));
    if (wrong !== undefined) return `${wrong} ${sentence}`;
    return entries.length < least ? 'at least one is needed' : undefined;
  };

const SLACK_CHANNEL = /^[CG][A-Z0-9]+$/;
const DISCORD_CHANNEL = /^\d{15,25}$/;

/** Asks until what was given holds, or the person wants it all the same. */
const untilItHolds = async <T>(
  ask: () => Promise<T>,
  check: (given: T) => Promise<readonly ChainLink[]>,
  { asker }: CliDeps,
): Promise<T> => {
  for (;;) {
    const given = await ask();
    const links = await check(given);
    const broken = brokenWords(links);
    if (broken === undefined) {
      const said = links.map(({ name, says }) => `${name}: ${says}`).join('\n');
      if (said !== '') asker.tell('Checked', said);
      return given;
    }
    asker.tell('That does not work yet', broken);
    if (!(await asker.confirm('Give it again? (no: keep it as it is)'))) return given;
  }
};

type Tokens = Readonly<Record<'appToken' | 'botToken', string>>;

/** The rest was looked at with the tokens. */
const ofChannels = (links: readonly ChainLink[]): readonly ChainLink[] =>
  links.filter(({ name }) => / (channel|permissions)$/.test(name));

interface Prepared {
  readonly plan: PlatformPlan;
  readonly files: readonly NewFile[];
}

const askSlack = async (options: InitOptions, dir: string, deps: CliDeps): Promise<Prepared> => {
  const { asker, platforms } = deps;
  const { apiUrl, written } = slackApi(options);
  asker.tell(
    'Slack: an app of your own',
    '1. https://api.slack.com/apps, Create New App, From a manifest: paste what stands below.\n2. Install App, Install to Workspace.\n3. Basic Information, App-Level Tokens: generate one with connections:write.',
  );
  // Outside the frame: a person copies it.
  deps.terminal.print(platforms.slackManifest());
  const askTokens = async () => ({
    appToken: await asker.secret('App-level token (xapp-…)', (value) =>
      value.startsWith('xapp-') ? undefined : 'it begins with xapp-',
    ),
    botToken: await asker.secret('Bot token (xoxb-…; OAuth & Permissions)', (value) =>
      value.startsWith('xoxb-') ? undefined : 'it begins with xoxb-',
    ),
  });
  const check = (tokens: Tokens, channels: readonly string[]) =>
    platforms.slack({ ...tokens, apiUrl, channels, isBridgeRunning: false });
  const tokens = await untilItHolds(askTokens, (given) => check(given, []), deps);
  const askChannels = () =>
    asker.text('Channel ids, the bot invited to each (channel, View details, at the end)', {
      validate: each((one) => SLACK_CHANNEL.test(one), 'does not look like C0AGENTS'),
    });
  const channels = await untilItHolds(
    async () => listOf(await askChannels()),
    async (given) => ofChannels(await check(tokens, given)),
    deps,
  );
  const [botFile, appFile] = [join(dir, 'slack-bot-token'), join(dir, 'slack-app-token')];
  return {
    plan: {
      tokens: { botToken: { file: botFile }, appToken: { file: appFile } },
      apiUrl: written,
      channels,
    },
    files: [
      { path: botFile, content: `${tokens.botToken}\n` },
      { path: appFile, content: `${tokens.appToken}\n` },
    ],
  };
};

const askDiscord = async (options: InitOptions, dir: string, deps: CliDeps): Promise<Prepared> => {
  const { asker, platforms } = deps;
  const { apiUrl, written } = discordApi(options);
  asker.tell(
    'Discord: an application of your own',
    '1. https://discord.com/developers/applications, New Application.\n2. Bot: switch Message Content Intent on, save; Reset Token, copy it.',
  );
  const bot = await untilItHolds(
    () =>
      asker.secret('Bot token', (value) =>
        platforms.discordInvite(value) === undefined ? 'it has three parts with dots' : undefined,
      ),
    (botToken) => platforms.discord({ botToken, apiUrl, channels: [] }),
    deps,
  );
  const invite = platforms.discordInvite(bot);
  if (invite !== undefined) {
    asker.tell(
      'Invite the bot into your server',
      'Open the link below, choose the server, authorize.',
    );
    deps.terminal.print(invite);
  }
  const ask = () =>
    asker.text('Channel ids (Settings, Advanced, Developer Mode; then Copy Channel ID)', {
      validate: each((one) => DISCORD_CHANNEL.test(one), 'is no channel id (digits)'),
    });
  const channels = await untilItHolds(
    async () => listOf(await ask()),
    async (given) =>
      ofChannels(await platforms.discord({ botToken: bot, apiUrl, channels: given })),
    deps,
  );
  const file = join(dir, 'discord-bot-token');
  return {
    plan: { tokens: { botToken: { file }, appToken: undefined }, apiUrl: written, channels },
    files: [{ path: file, content: `${bot}\n` }],
  };
};

const isEntry = (one: string): boolean => parseAccess(one) !== undefined;
const ENTRY = 'is not platform:[team/]kind:id, for example slack:U0BOB or discord:role:9000';

/** Asks the person at the terminal and checks each answer as it comes. @param path of the configuration. */
export const gatherByAsking = async (
  options: InitOptions,
  path: string,
  deps: CliDeps,
): Promise<Gathered> => {
  const { asker } = deps;
  const dir = dirname(path);
  const chosen = await asker.choose(
    'Where shall runs be shown, besides the web page? (space chooses, Enter goes on)',
    ['Slack', 'Discord'],
  );
  const slack = chosen.includes('Slack') ? await askSlack(options, dir, deps) : undefined;
  const discord = chosen.includes('Discord') ? await askDiscord(options, dir, deps) : undefined;
  const none = { shows: undefined, owners: [], drivers: [] };
  if (slack === undefined && discord === undefined)
    return { plan: { slack, discord, ...none }, files: [] };
  const shows = await asker.text(
    'Which runs do these channels show? (all, or a glob over directories)',
    {
      initial: options.shows ?? 'all',
      validate: (value) =>
        value === 'all' || /^(\/|~\/|~$|\*\*)/.test(value)
          ? undefined
          : 'all, or a glob from / or ~/, for example ~/work/**',
    },
  );
  const whose = 'Slack: profile, Copy member ID; Discord: Copy User ID';
  const owners = await asker.text(`Owners, who may do everything (${whose})`, {
    initial: (options.owner ?? []).join(' '),
    validate: each(isEntry, ENTRY, 0),
  });
  const drivers = await asker.text('Drivers, who may reply, answer and interrupt', {
    initial: (options.driver ?? []).join(' '),
    validate: each(isEntry, ENTRY, 0),
  });
  return {
    plan: {
      slack: slack?.plan,
      discord: discord?.plan,
      shows: shows === 'all' ? undefined : shows,
      owners: listOf(owners),
      drivers: listOf(drivers),
    },
    files: [...(slack?.files ?? []), ...(discord?.files ?? [])],
  };
};
