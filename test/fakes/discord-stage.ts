import { createDiscordAdapter, type DiscordAdapter } from '../../src/adapters/discord/adapter.ts';
import type { DiscordTiming } from '../../src/adapters/discord/timing.ts';
import type { ChatEvent } from '../../src/bridge/model/chat.ts';
import { type ChannelId, id } from '../../src/bridge/model/ids.ts';
import type { Log } from '../../src/bridge/ports/log.ts';
import { systemClock } from '../../src/bridge/system-clock.ts';
import { DiscordServer, discordToken } from './discord-server.ts';
import { ids } from './discord-world.ts';
import { silentLog } from './silent-log.ts';

export const textChannel = id<ChannelId>(`discord:${ids.text}`);
export const forumChannel = id<ChannelId>(`discord:${ids.forum}`);

/** Short enough for tests, long enough for a busy machine. */
export const shortTiming: Partial<DiscordTiming> = {
  callTimeout: 900,
  authPause: 50,
  connectTimeout: 3_000,
  firstPause: 50,
  longestPause: 200,
  operatorPause: 150,
  echoWithin: 700,
  heartbeatWithin: 60_000,
  watchEvery: 50,
  identifyPause: 0,
  stopWithin: 500,
};

export interface StageOptions {
  readonly timing?: Partial<DiscordTiming>;
  readonly log?: Log;
  readonly token?: string;
  readonly apiUrl?: string;
}

/** An adapter under the real SDK on a loopback Discord, and what it told the bridge. */
export interface DiscordStage {
  readonly server: DiscordServer;
  readonly adapter: DiscordAdapter;
  readonly events: ChatEvent[];
  /** Another adapter on the same Discord, as after a restart of the bridge. */
  readonly another: (options?: StageOptions) => DiscordAdapter;
  /** Begins to listen. @param sink default: keeps the event. */
  readonly listen: (sink?: (event: ChatEvent) => Promise<void>) => Promise<void>;
  readonly stop: () => Promise<void>;
}

export const setUpDiscord = async (options: StageOptions = {}): Promise<DiscordStage> => {
  const server = await DiscordServer.start();
  const aborted = new AbortController();
  const events: ChatEvent[] = [];
  const made: DiscordAdapter[] = [];
  const another = (more: StageOptions = {}): DiscordAdapter => {
    const adapter = createDiscordAdapter(
      {
        botToken: more.token ?? discordToken,
        apiUrl: more.apiUrl ?? server.apiUrl,
        channels: [{ id: textChannel }, { id: forumChannel }],
      },
      {
        clock: systemClock,
        log: more.log ?? silentLog,
        timing: { ...shortTiming, ...more.timing },
      },
    );
    made.push(adapter);
    return adapter;
  };
  const adapter = another(options);
  return {
    server,
    adapter,
    events,
    another,
    listen: (sink) =>
      adapter.start(sink ?? (async (event) => void events.push(event)), aborted.signal),
    stop: async () => {
      aborted.abort();
      await Promise.all(made.map((one) => one.stop()));
      await server.stop();
    },
  };
};
