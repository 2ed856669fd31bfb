import type { SlackAdapterConfig } from '../../src/adapters/slack/adapter.ts';
import type { ThreadRef } from '../../src/bridge/model/chat.ts';
import { type ChannelId, id, type PlatformId } from '../../src/bridge/model/ids.ts';
import { SlackPeople } from './slack-people.ts';
import { SlackServer } from './slack-server.ts';
import { type Json, nowOf, type SlackMessage } from './slack-world.ts';

/** A loopback Slack with people in it. */
export interface FakeSlack {
  readonly server: SlackServer;
  readonly people: SlackPeople;
  /** Channel of the bridge: `slack:C0AGENTS`. */
  readonly channel: ChannelId;
  /** Tokens and address for an adapter. */
  readonly config: SlackAdapterConfig;
  stop(): Promise<void>;
}

export const startFakeSlack = async (): Promise<FakeSlack> => {
  const server = new SlackServer();
  await server.listen();
  const channel = id<ChannelId>('slack:C0AGENTS');
  return {
    server,
    people: new SlackPeople(server),
    channel,
    config: {
      botToken: 'xoxb-dummy-bot-token',
      appToken: 'xapp-dummy-app-token',
      apiUrl: server.apiUrl,
      channels: [{ id: channel }],
      reactions: ['🛑'],
    },
    stop: () => server.stop(),
  };
};

const textIn = (node: unknown): string => {
  if (Array.isArray(node)) return node.map(textIn).join('');
  if (typeof node !== 'object' || node === null) return '';
  const { type, text, url, elements, user_id, accessory } = node as Json;
  if (type === 'button') return '';
  if (typeof text === 'string') return text;
  if (type === 'link') return String(url);
  if (type === 'user') return `@${String(user_id)}`;
  const inner = textIn(elements ?? text) + textIn(accessory);
  return String(type).startsWith('rich_text_') ? `${inner}\n` : inner;
};

/** What a person reads in a message's blocks, without its buttons. */
export const readBlocks = (blocks: readonly Json[]): string => blocks.map(textIn).join('\n').trim();

/** What a person reads in a message now. */
export const readSlack = (message: SlackMessage): string => {
  const { text, blocks } = nowOf(message);
  return blocks.length > 0 ? readBlocks(blocks) : text;
};

/** A thread as it stands, its root first. */
export const readSlackThread = (slack: FakeSlack, thread: ThreadRef): readonly SlackMessage[] =>
  slack.server.world.thread(thread.channel.replace('slack:', ''), thread.thread);

export const slackThread = (root: string, channel = 'C0AGENTS'): ThreadRef => ({
  platform: id<PlatformId>('slack'),
  channel: id<ChannelId>(`slack:${channel}`),
  thread: root,
});
