import { Routes } from 'discord.js';
import { z } from 'zod';
import type { Clock } from '../../bridge/ports/clock.ts';
import type { Log } from '../../bridge/ports/log.ts';
import type { DiscordCheck } from './check-discord.ts';
import { classify } from './classify.ts';
import { Gateway } from './gateway.ts';
import type { DiscordRest } from './rest.ts';
import type { DiscordTiming } from './timing.ts';

export interface GatewayCheckDeps {
  readonly token: string;
  readonly apiUrl: string;
  readonly rest: DiscordRest;
  readonly clock: Clock;
  readonly log: Log;
  readonly timing: DiscordTiming;
}

const startsShape = z.object({
  session_start_limit: z.object({ total: z.number(), remaining: z.number() }),
});

/** So many connections in a day are more than one bridge makes. */
const many = 200;

const startsLeft = async (rest: DiscordRest) =>
  startsShape.parse(await rest.call('get', Routes.gatewayBot())).session_start_limit;

/** Connects once, as the bridge does, and counts who else did. */
export const checkGateway = async (deps: GatewayCheckDeps): Promise<readonly DiscordCheck[]> => {
  const { rest } = deps;
  try {
    const before = await startsLeft(rest);
    const gateway = new Gateway({
      ...deps,
      onPacket: () => undefined,
      onNewSession: () => undefined,
    });
    await gateway.start(new AbortController().signal);
    const { isConnected, detail } = gateway.health();
    await gateway.stop();
    if (!isConnected) return [{ name: 'Gateway', isOk: false, sentence: detail }];
    const { total, remaining } = await startsLeft(rest);
    const others = before.remaining - remaining - 1;
    const used = total - remaining;
    const isAlone = others <= 0 && used < many;
    return [
      { name: 'Gateway', isOk: true, sentence: 'Discord takes the connection and its intents.' },
      {
        name: 'only consumer',
        isOk: isAlone,
        sentence: isAlone
          ? `No sign of another program with this bot token (${used} connections today).`
          : `The bot token has connected ${used} times today: another program uses it too, or something connects again and again. Give this bridge a bot of its own. (Discord does not say who is connected; the bridge tells in its health when clicks are answered by somebody else.)`,
      },
    ];
  } catch (error) {
    const known = classify(error);
    const sentence = known.userMessage ?? `${known.message}.`;
    return [{ name: 'Gateway', isOk: false, sentence }];
  }
};
