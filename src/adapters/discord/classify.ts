import { DiscordAPIError, HTTPError, RateLimitError } from 'discord.js';
import { BridgeError, type PlatformErrorCode } from '../../bridge/model/errors.ts';

/** What the call was about: the same code of Discord means different things. */
export type Subject = 'thread' | 'channel' | 'message';

const operatorWords: Readonly<Record<number, string>> = {
  30013: 'This Discord server has too many channels.',
  50001: 'The bot cannot see this channel: invite it, or give it View Channels there.',
  50013:
    'The bot lacks a permission in this channel: `afk-bridge doctor` names it; invite it anew with the link of `afk-bridge init`.',
  160005: 'This thread is locked: give the bot Manage Threads, or unlock it.',
  160006:
    'This Discord server has as many active threads as Discord allows (1,000): archive some that are done.',
};

const codeOf = (error: DiscordAPIError, subject: Subject): PlatformErrorCode => {
  if (error.status === 401) return 'auth';
  switch (error.code) {
    case 10003:
      return subject === 'channel' ? 'channel-gone' : 'thread-gone';
    case 10004:
      return 'channel-gone';
    case 10008:
      return 'message-gone';
    case 50001:
    case 50013:
    case 160005:
    // Nothing is wrong with the message: it goes once somebody made room.
    case 160006:
      return 'no-access';
    // Twenty kinds of reactions stand there, or its author has blocked the bot: no operator can help.
    case 30010:
    case 90001:
      return 'rejected';
    // Too many edits of an old message: not now.
    case 30046:
      return 'rate-limited';
    default:
  }
  if (error.status === 403) return 'no-access';
  return error.status === 429 ? 'rate-limited' : 'rejected';
};

const authWords =
  'Discord no longer accepts the bot token: reset it in the Developer Portal (Bot, Reset Token) and put the new one into the configuration.';

const oldEditPause = 60_000;

const fromApi = (error: DiscordAPIError, subject: Subject): BridgeError => {
  const code = codeOf(error, subject);
  const words = code === 'auth' ? authWords : operatorWords[Number(error.code)];
  return new BridgeError(code, `Discord ${error.code}: ${error.message}`, {
    certain: true,
    cause: error,
    ...(code === 'rate-limited' && { retryAfterMs: oldEditPause }),
    ...(words !== undefined && { userMessage: words }),
  });
};

/** Trying it again soon would give the same. */
export const isLasting = (error: unknown): boolean =>
  error instanceof BridgeError &&
  ['thread-gone', 'channel-gone', 'message-gone', 'no-access', 'rejected'].includes(error.code);

/** Nothing of these calls ever left. */
const never = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

const systemCode = (error: unknown): string | undefined => {
  for (let at: unknown = error; at instanceof Error; at = at.cause)
    if ('code' in at && typeof at.code === 'string') return at.code;
  return undefined;
};

/** The one place where errors of the SDK become ours. */
export const classify = (error: unknown, subject: Subject = 'thread'): BridgeError => {
  if (error instanceof BridgeError) return error;
  if (error instanceof RateLimitError) {
    // Refused before it went, or by Discord: it did not happen. Without a time Discord gave none.
    const retryAfterMs = Math.max(error.retryAfter, error.sublimitTimeout) || 1_000;
    return new BridgeError('rate-limited', `Discord: wait ${Math.ceil(retryAfterMs)} ms`, {
      certain: true,
      retryAfterMs: Math.ceil(retryAfterMs),
      cause: error,
    });
  }
  if (error instanceof DiscordAPIError) return fromApi(error, subject);
  if (error instanceof HTTPError)
    return new BridgeError('unavailable', `Discord answers ${error.status}`, {
      certain: false,
      cause: error,
    });
  const system = systemCode(error);
  const text = error instanceof Error ? error.message : String(error);
  return new BridgeError('unavailable', `Discord cannot be reached: ${text}`, {
    certain: system !== undefined && never.has(system),
    cause: error,
  });
};
