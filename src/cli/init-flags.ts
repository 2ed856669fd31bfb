import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseConfig } from '../bridge/config-parse.ts';
import type { CliDeps, GlobalOptions } from './cli-deps.ts';
import { CliError } from './exit-codes.ts';
import { demand } from './init-check.ts';
import { type InitPlan, initFile, type PlatformPlan, type TokenSource } from './init-file.ts';
import type { NewFile } from './init-write.ts';

export interface InitOptions extends GlobalOptions {
  readonly yes?: boolean;
  readonly replace?: boolean;
  readonly slackChannel?: readonly string[];
  readonly slackBotTokenFile?: string;
  readonly slackAppTokenFile?: string;
  readonly slackApiUrl?: string;
  readonly discordChannel?: readonly string[];
  readonly discordBotTokenFile?: string;
  readonly discordApiUrl?: string;
  readonly shows?: string;
  readonly owner?: readonly string[];
  readonly driver?: readonly string[];
  readonly slackManifest?: boolean;
  readonly discordInvite?: string;
}

/** What is to be written. */
export interface Gathered {
  readonly plan: InitPlan;
  /** Token files, beside the configuration. */
  readonly files: readonly NewFile[];
}

const SLACK_API = 'https://slack.com/api/';
const DISCORD_API = 'https://discord.com/api';

/** The root to ask, and what of it the file has to say. */
export const slackApi = ({ slackApiUrl }: InitOptions) => ({
  apiUrl: (slackApiUrl ?? SLACK_API).replace(/\/*$/, '/'),
  written: slackApiUrl,
});
export const discordApi = ({ discordApiUrl }: InitOptions) => ({
  apiUrl: (discordApiUrl ?? DISCORD_API).replace(/\/+$/, ''),
  written: discordApiUrl,
});

interface Token {
  readonly token: string;
  readonly source: TokenSource;
}

const tokenOf = (
  name: string,
  from: { readonly file: string | undefined; readonly option: string; readonly env: string },
  deps: CliDeps,
): Token => {
  if (from.file !== undefined) {
    const file = resolve(deps.cwd, from.file);
    try {
      return { token: readFileSync(file, 'utf8').trim(), source: { file } };
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? String(error);
      throw new CliError('usage', `${from.option}: ${file} cannot be read (${code})`);
    }
  }
  const token = deps.env[from.env];
  if (token !== undefined && token !== '') return { token, source: { env: from.env } };
  throw new CliError(
    'usage',
    `the ${name} is missing: set $${from.env}, or name its file with ${from.option}`,
  );
};

const slackFrom = (options: InitOptions, channels: readonly string[], deps: CliDeps) => {
  const { apiUrl, written } = slackApi(options);
  const bot = tokenOf(
    'bot token of Slack',
    {
      file: options.slackBotTokenFile,
      option: '--slack-bot-token-file',
      env: 'SLACK_BOT_TOKEN',
    },
    deps,
  );
  const app = tokenOf(
    'app-level token of Slack',
    {
      file: options.slackAppTokenFile,
      option: '--slack-app-token-file',
      env: 'SLACK_APP_TOKEN',
    },
    deps,
  );
  const plan: PlatformPlan = {
    tokens: { botToken: bot.source, appToken: app.source },
    apiUrl: written,
    channels,
  };
  const check = async (): Promise<void> => {
    const tokens = { botToken: bot.token, appToken: app.token };
    const isBridgeRunning = false;
    demand(await deps.platforms.slack({ ...tokens, apiUrl, channels, isBridgeRunning }));
  };
  return { plan, check };
};

const discordFrom = (options: InitOptions, channels: readonly string[], deps: CliDeps) => {
  const { apiUrl, written } = discordApi(options);
  const bot = tokenOf(
    'bot token of Discord',
    {
      file: options.discordBotTokenFile,
      option: '--discord-bot-token-file',
      env: 'DISCORD_BOT_TOKEN',
    },
    deps,
  );
  const plan: PlatformPlan = {
    tokens: { botToken: bot.source, appToken: undefined },
    apiUrl: written,
    channels,
  };
  const check = async (): Promise<void> => {
    demand(await deps.platforms.discord({ botToken: bot.token, apiUrl, channels }));
  };
  return { plan, check };
};

/** What the options and the environment say, checked. Nobody is asked. Throws CliError. */
export const gatherFromOptions = async (options: InitOptions, deps: CliDeps): Promise<Gathered> => {
  const { slackChannel = [], discordChannel = [] } = options;
  const slack = slackChannel.length === 0 ? undefined : slackFrom(options, slackChannel, deps);
  const discord =
    discordChannel.length === 0 ? undefined : discordFrom(options, discordChannel, deps);
  const plan: InitPlan = {
    slack: slack?.plan,
    discord: discord?.plan,
    shows: options.shows,
    owners: options.owner ?? [],
    drivers: options.driver ?? [],
  };
  // What is written wrong is said before anybody else is asked.
  const parsed = parseConfig(initFile(plan), deps.env);
  if (!parsed.ok)
    throw new CliError('usage', parsed.problems.map(({ message }) => message).join('\n'));
  await slack?.check();
  await discord?.check();
  return { plan, files: [] };
};
