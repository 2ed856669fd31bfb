import { Client, Options } from 'discord.js';
import { CalmShardingStrategy } from './calm-shard.ts';
import { intents } from './limits.ts';
import type { DiscordTiming } from './timing.ts';

export interface ClientParts {
  readonly client: Client;
  /** From now on it opens no connection any more: `destroy` alone does not stop one that is about to be made. */
  readonly retire: () => void;
}

const keepsNothing = {
  MessageManager: 0,
  ReactionManager: 0,
  ReactionUserManager: 0,
  GuildMemberManager: 0,
  UserManager: 0,
  PresenceManager: 0,
  VoiceStateManager: 0,
  ThreadMemberManager: 0,
};

/**
 * A client that listens. It is never used to write, and caches nothing that people write.
 * @param onBroken it may never connect again by itself.
 */
export const makeClient = (
  apiUrl: string,
  timing: DiscordTiming,
  onBroken: (error: unknown) => void,
): ClientParts => {
  let isRetired = false;
  const never = new Promise<never>(() => undefined);
  const client = new Client({
    intents,
    allowedMentions: { parse: [] },
    rest: {
      api: apiUrl,
      retries: 0,
      timeout: timing.callTimeout,
      rejectOnRateLimit: () => true,
    },
    makeCache: Options.cacheWithLimits({ ...Options.DefaultMakeCacheSettings, ...keepsNothing }),
    ws: {
      buildStrategy: (manager) => {
        const ask = manager.options.retrieveSessionInfo;
        // Asked right before each connection is made.
        manager.options.retrieveSessionInfo = (shard) => (isRetired ? never : ask(shard));
        return new CalmShardingStrategy({ manager, onError: onBroken });
      },
      ...(timing.identifyPause !== undefined && {
        buildIdentifyThrottler: async () => ({ waitForIdentify: async () => undefined }),
      }),
    },
  });
  return {
    client,
    retire: () => {
      isRetired = true;
    },
  };
};
