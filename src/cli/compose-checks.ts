import { checkDiscord } from '../adapters/discord/check-discord.ts';
import { applicationOf, inviteLink } from '../adapters/discord/limits.ts';
import { checkSlack } from '../adapters/slack/check-slack.ts';
import { manifest } from '../adapters/slack/manifest.ts';
import type { ChainLink } from '../bridge/model/chain-link.ts';
import { type ChannelId, id } from '../bridge/model/ids.ts';
import type { Clock } from '../bridge/ports/clock.ts';
import type { Log } from '../bridge/ports/log.ts';
import type { PlatformChecks } from './platform-links.ts';

const nothing = (): void => undefined;
/** A check answers with a sentence; there is nobody else to tell. */
const log: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };

interface Check {
  readonly name: string;
  readonly isOk: boolean;
  readonly sentence: string;
}

/** Neither platform says who else is there for certain: connections that ended just now are counted too. */
const UNCERTAIN = 'only consumer';

const linkOf =
  (platform: string) =>
  ({ name, isOk, sentence }: Check): ChainLink => ({
    name: `${platform} ${name}`,
    status: isOk ? 'ok' : name === UNCERTAIN ? 'note' : 'broken',
    says: sentence.trim().replace(/\.$/, ''),
  });

const channelsOf = (platform: string, channels: readonly string[]) =>
  channels.map((channel) => ({ id: id<ChannelId>(`${platform}:${channel}`) }));

/** The platforms' own APIs. */
export const platformChecks = (clock: Clock): PlatformChecks => ({
  slack: async ({ isBridgeRunning, channels, ...tokens }) => {
    const config = { ...tokens, channels: channelsOf('slack', channels), reactions: [] };
    return (await checkSlack(config, { clock, log, isBridgeRunning })).map(linkOf('Slack'));
  },
  discord: async ({ channels, ...token }) => {
    const options = { ...token, channels: channelsOf('discord', channels) };
    return (await checkDiscord(options, { clock, log })).map(linkOf('Discord'));
  },
  slackManifest: () => JSON.stringify(manifest(), null, 2),
  discordInvite: (of) => {
    const application = /^\d{15,25}$/.test(of) ? of : applicationOf(of);
    return application === undefined ? undefined : inviteLink(application);
  },
});
