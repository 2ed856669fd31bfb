import type { Config } from '../bridge/config.ts';
import type { ChainLink } from '../bridge/model/chain-link.ts';

/** Tokens and channels to ask a platform about. */
export interface Asked {
  readonly botToken: string;
  /** Root of the API, as the configuration has it. */
  readonly apiUrl: string;
  /** By the platform's own ids. */
  readonly channels: readonly string[];
}

export interface SlackAsked extends Asked {
  readonly appToken: string;
  /** The bridge of this machine is connected with these tokens. */
  readonly isBridgeRunning: boolean;
}

/** What `doctor` and `init` ask of the platforms themselves. Nothing is posted, and nothing rejects. */
export interface PlatformChecks {
  slack(asked: SlackAsked): Promise<readonly ChainLink[]>;
  discord(asked: Asked): Promise<readonly ChainLink[]>;
  /** The app that the checks expect, as JSON. */
  slackManifest(): string;
  /** Adds the bot to a Discord server. @param of a bot token or an application id; undefined: it is neither. */
  discordInvite(of: string): string | undefined;
}

const ownIds = (channels: readonly { readonly id: string }[]): readonly string[] =>
  channels.map(({ id }) => id.replace(/^[a-z]+:/, ''));

/** The links from the bridge to the channels that the configuration names. */
export const platformLinks = async (
  { slack, discord }: Config,
  checks: PlatformChecks,
  isBridgeRunning: boolean,
): Promise<readonly ChainLink[]> => [
  ...(slack === undefined
    ? []
    : await checks.slack({ ...slack, channels: ownIds(slack.channels), isBridgeRunning })),
  ...(discord === undefined
    ? []
    : await checks.discord({ ...discord, channels: ownIds(discord.channels) })),
];
