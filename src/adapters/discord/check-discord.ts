import { Routes } from 'discord.js';
import { z } from 'zod';
import type { Clock } from '../../bridge/ports/clock.ts';
import type { Log } from '../../bridge/ports/log.ts';
import type { DiscordOptions } from './adapter.ts';
import { checkGateway } from './check-gateway.ts';
import { classify } from './classify.ts';
import { applicationOf, channelTypes, inviteLink, isForumType } from './limits.ts';
import { missingPermissions, permissionsIn } from './limits-permissions.ts';
import { channelNumber } from './places.ts';
import { DiscordRest } from './rest.ts';
import { realTiming } from './timing.ts';

/** One link of the chain to Discord, and in one sentence what it is or what to do. */
export interface DiscordCheck {
  readonly name:
    | 'token'
    | 'bot'
    | 'Message Content'
    | 'channel'
    | 'permissions'
    | 'Gateway'
    | 'only consumer';
  readonly isOk: boolean;
  readonly sentence: string;
}

export interface CheckDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** An answer takes no longer, ms. Default 10,000. */
  readonly timeoutMs?: number;
}

const userShape = z.object({ id: z.string(), username: z.string() });
const applicationShape = z.object({ id: z.string(), flags: z.number().default(0) });
const channelShape = z.object({
  id: z.string(),
  type: z.number(),
  name: z.string().nullish(),
  guild_id: z.string().optional(),
  permission_overwrites: z
    .array(z.object({ id: z.string(), allow: z.string(), deny: z.string() }))
    .default([]),
});
const rolesShape = z.array(z.object({ id: z.string(), permissions: z.string() }));
const memberShape = z.object({ roles: z.array(z.string()) });

/** Bits of an application: the switch is on, or on for a bot in fewer than a hundred servers. */
const contentFlags = (1 << 18) | (1 << 19);

const wordsOf = (error: unknown): string => {
  const known = classify(error);
  return known.userMessage ?? `${known.message}.`;
};

const ok = (name: DiscordCheck['name'], sentence: string): DiscordCheck => ({
  name,
  isOk: true,
  sentence,
});
const no = (name: DiscordCheck['name'], sentence: string): DiscordCheck => ({
  name,
  isOk: false,
  sentence,
});

const checkContent = async (rest: DiscordRest): Promise<DiscordCheck> => {
  try {
    const { flags } = applicationShape.parse(await rest.call('get', '/applications/@me'));
    return (flags & contentFlags) === 0
      ? no(
          'Message Content',
          'Switch on "Message Content Intent" in the Developer Portal (Bot, Privileged Gateway Intents): without it the bot reads empty messages.',
        )
      : ok('Message Content', 'The bot may read what people write.');
  } catch (error) {
    return no('Message Content', wordsOf(error));
  }
};

const isShowable = (type: number): boolean =>
  type === channelTypes.text || type === channelTypes.announcement || isForumType(type);

const checkChannel = async (
  rest: DiscordRest,
  id: string,
  bot: string,
  invite: string,
): Promise<readonly DiscordCheck[]> => {
  try {
    const channel = channelShape.parse(await rest.call('get', Routes.channel(id)));
    const name = `#${channel.name ?? id}`;
    if (!isShowable(channel.type) || channel.guild_id === undefined)
      return [no('channel', `${name} can show no threads: name a text or a forum channel.`)];
    const kind = isForumType(channel.type) ? 'forum: a post for each run' : 'threads';
    const guild = channel.guild_id;
    const guildRoles = rolesShape.parse(await rest.call('get', Routes.guildRoles(guild)));
    const { roles } = memberShape.parse(await rest.call('get', Routes.guildMember(guild, bot)));
    const overwrites = channel.permission_overwrites;
    const missing = missingPermissions(
      permissionsIn({ guild, bot, roles, guildRoles, overwrites }),
    );
    return [
      ok('channel', `The bot is in ${name} (${kind}).`),
      missing.length === 0
        ? ok('permissions', `The bot may do in ${name} what it needs.`)
        : no(
            'permissions',
            `The bot lacks in ${name}: ${missing.join(', ')}. Give it these there, or invite it anew: ${invite}`,
          ),
    ];
  } catch (error) {
    return [no('channel', `${id}: ${wordsOf(error)} ${invite}`)];
  }
};

/** Proves each link of the chain to Discord, in the order in which they build on each other; never rejects. */
export const checkDiscord = async (
  options: DiscordOptions,
  { clock, log, timeoutMs = 10_000 }: CheckDeps,
): Promise<readonly DiscordCheck[]> => {
  const { botToken: token, apiUrl, channels } = options;
  const application = applicationOf(token);
  if (application === undefined)
    return [
      no(
        'token',
        'discord.botToken is no bot token (three parts with dots between): copy it from the Developer Portal (Bot, Reset Token), not the client secret or the public key.',
      ),
    ];
  const timing = { ...realTiming, callTimeout: timeoutMs, connectTimeout: timeoutMs };
  const rest = new DiscordRest({
    token,
    apiUrl,
    clock,
    timeoutMs,
    authPauseMs: 0,
    onAuth: () => undefined,
  });
  try {
    const bot = userShape.parse(await rest.call('get', Routes.user()));
    const content = await checkContent(rest);
    const checks = [ok('bot', `The bot is ${bot.username}.`), content];
    for (const { id } of channels)
      checks.push(
        ...(await checkChannel(rest, channelNumber(id), bot.id, inviteLink(application))),
      );
    return [...checks, ...(await checkGateway({ token, apiUrl, rest, clock, log, timing }))];
  } catch (error) {
    return [no('bot', wordsOf(error))];
  } finally {
    rest.stop();
  }
};
