import { z } from 'zod';
import { BridgeError } from '../../bridge/model/errors.ts';
import type { Clock } from '../../bridge/ports/clock.ts';
import type { Log } from '../../bridge/ports/log.ts';
import type { SlackAdapterConfig } from './adapter.ts';
import { tokenTroubles } from './checks.ts';
import { classify } from './classify.ts';
import { channelOf } from './ids.ts';
import { Socket } from './socket.ts';
import { SlackWeb } from './web.ts';
import { missingScopes } from './who-am-i.ts';

/** One link of the chain to Slack, and in one sentence what it is or what to do. */
export interface SlackCheck {
  readonly name: 'tokens' | 'bot token' | 'scopes' | 'channel' | 'Socket Mode' | 'only consumer';
  readonly isOk: boolean;
  readonly sentence: string;
}

export interface CheckDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** A bridge of this machine runs with these tokens: its socket is no stranger. */
  readonly isBridgeRunning: boolean;
  /** An answer takes no longer, ms. Default 10,000. */
  readonly timeoutMs?: number;
}

const whoSchema = z.looseObject({
  team: z.string().optional(),
  user: z.string().optional(),
  response_metadata: z.looseObject({ scopes: z.array(z.string()).optional() }).optional(),
});

const channelSchema = z.looseObject({
  channel: z.looseObject({
    name: z.string().optional(),
    is_member: z.boolean().optional(),
    is_archived: z.boolean().optional(),
  }),
});

const wordsOf = (error: unknown): string => {
  const known = classify(error);
  return known.userMessage ?? `${known.message}.`;
};

const checkToken = async (web: SlackWeb): Promise<readonly SlackCheck[]> => {
  try {
    const who = whoSchema.parse(await web.call('auth.test'));
    const missing = missingScopes(who.response_metadata?.scopes);
    const bot = `The bot is ${who.user ?? 'known'} in ${who.team ?? 'its workspace'}.`;
    return [
      { name: 'bot token', isOk: true, sentence: bot },
      missing.length === 0
        ? { name: 'scopes', isOk: true, sentence: 'The app has every scope that it needs.' }
        : {
            name: 'scopes',
            isOk: false,
            sentence: `The app lacks ${missing.join(', ')}: update it from the manifest and install it again.`,
          },
    ];
  } catch (error) {
    return [{ name: 'bot token', isOk: false, sentence: wordsOf(error) }];
  }
};

const checkChannel = async (web: SlackWeb, id: string): Promise<SlackCheck> => {
  const no = (sentence: string): SlackCheck => ({ name: 'channel', isOk: false, sentence });
  try {
    const answer = await web.call('conversations.info', { channel: id });
    const { channel } = channelSchema.parse(answer);
    const name = `#${channel.name ?? id}`;
    if (channel.is_archived === true) return no(`${name} is archived: unarchive it, or remove it.`);
    if (channel.is_member !== true)
      return no(`The bot is not in ${name}: invite it with /invite @afk-bridge.`);
    return { name: 'channel', isOk: true, sentence: `The bot is in ${name}.` };
  } catch (error) {
    return no(`${id}: ${wordsOf(error)}`);
  }
};

const checkSocket = async (
  config: SlackAdapterConfig,
  deps: CheckDeps,
): Promise<readonly SlackCheck[]> => {
  const { clock, log, timeoutMs = 10_000, isBridgeRunning } = deps;
  const notHere = new BridgeError('unavailable', 'this is only a check', { certain: true });
  const socket = new Socket({
    appToken: config.appToken,
    apiUrl: config.apiUrl,
    timeoutMs,
    pongWithinMs: 5_000,
    clock,
    log,
    // Not acknowledged: Slack sends it again, to whoever listens in earnest.
    onEvent: () => Promise.reject(notHere),
    onEventsLost: () => undefined,
  });
  try {
    await socket.open(new AbortController().signal);
  } catch (error) {
    return [{ name: 'Socket Mode', isOk: false, sentence: wordsOf(error) }];
  }
  const others = socket.connections - 1 - (isBridgeRunning ? 1 : 0);
  socket.close();
  return [
    { name: 'Socket Mode', isOk: true, sentence: 'Slack opens a socket for the app token.' },
    others <= 0
      ? { name: 'only consumer', isOk: true, sentence: 'No other program uses the app token.' }
      : {
          name: 'only consumer',
          isOk: false,
          sentence: `${others} more ${others === 1 ? 'connection uses' : 'connections use'} the app token and take part of the messages: stop that program, or give each its own app. (One that was just stopped is counted for a minute or two.)`,
        },
  ];
};

/** Proves each link of the chain to Slack, in the order in which they build on each other; never rejects. */
export const checkSlack = async (
  config: SlackAdapterConfig,
  deps: CheckDeps,
): Promise<readonly SlackCheck[]> => {
  const wrong = tokenTroubles(config).map(
    (sentence): SlackCheck => ({ name: 'tokens', isOk: false, sentence }),
  );
  if (wrong.length > 0) return wrong;
  const { timeoutMs = 10_000, log } = deps;
  const web = new SlackWeb({ token: config.botToken, apiUrl: config.apiUrl, timeoutMs, log });
  const token = await checkToken(web);
  const channels: SlackCheck[] = [];
  if (token.every(({ name, isOk }) => name !== 'bot token' || isOk))
    for (const { id } of config.channels) channels.push(await checkChannel(web, channelOf(id)));
  return [...token, ...channels, ...(await checkSocket(config, deps))];
};
