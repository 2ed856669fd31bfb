import { type ChannelId, id } from '../../src/bridge/model/ids.ts';
import type { Budgeted, ChatAdapter } from '../../src/bridge/ports/chat-adapter.ts';
import { systemClock } from '../../src/bridge/system-clock.ts';
import { MemoryAdapter, overHttp } from '../conformance/memory-adapter.ts';
import { silentLog } from '../fakes/silent-log.ts';

export type PostingPlatformName = 'memory' | 'slack' | 'discord';

interface Made {
  readonly adapter: ChatAdapter;
  readonly channel: ChannelId;
}

const deps = { clock: systemClock, log: silentLog };

/** Nothing is held back: what is tried here is when it dies, not how fast it goes. */
const withoutBudgets = (adapter: ChatAdapter & Partial<Budgeted>): ChatAdapter =>
  new Proxy(adapter, {
    get: (target, name) => {
      const value: unknown = name === 'budgets' ? {} : Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

// Each SDK takes seconds to load, and a child that is killed loads it anew: only the one it needs.
const make: { readonly [name in PostingPlatformName]: (url: string) => Promise<Made> } = {
  memory: async (url) => ({
    adapter: new MemoryAdapter({ call: overHttp(url), timeoutMs: 3_000 }),
    channel: id<ChannelId>('memory:c'),
  }),
  slack: async (apiUrl) => {
    const { createSlackAdapter } = await import('../../src/adapters/slack/adapter.ts');
    const channel = id<ChannelId>('slack:C0AGENTS');
    const tokens = { botToken: 'xoxb-dummy-bot-token', appToken: 'xapp-dummy-app-token' };
    const channels = [{ id: channel }];
    return { channel, adapter: createSlackAdapter({ ...tokens, apiUrl, channels }, deps) };
  },
  discord: async (apiUrl) => {
    const { createDiscordAdapter } = await import('../../src/adapters/discord/adapter.ts');
    const { discordToken } = await import('../fakes/discord-server.ts');
    const { textChannel: channel } = await import('../fakes/discord-stage.ts');
    const options = { botToken: discordToken, apiUrl, channels: [{ id: channel }] };
    return { channel, adapter: createDiscordAdapter(options, deps) };
  },
};

export const adapterFor = async (name: PostingPlatformName, url: string): Promise<Made> => {
  const { adapter, channel } = await make[name](url);
  return { adapter: withoutBudgets(adapter), channel };
};
