import { partData } from '../../src/adapters/discord/encode.ts';
import type { ChannelId } from '../../src/bridge/model/ids.ts';
import type { RestFaultKind } from '../fakes/discord-faults.ts';
import { forumChannel, setUpDiscord, textChannel } from '../fakes/discord-stage.ts';
import { type Backstage, describeChatAdapter } from './chat-adapter.suite.ts';

const faults: { readonly [how in Parameters<Backstage['failNext']>[0]]: RestFaultKind } = {
  'lost-answer': 'lost',
  hang: 'hang-after',
  'server-error': 'broken',
  'rate-limited': 'rate-limited',
  rejected: 'rejected',
};

const setUp = async (channel: ChannelId): Promise<Backstage> => {
  const { server, adapter, another, stop } = await setUpDiscord();
  const { world, people } = server;
  const find = (message: string) => world.messages.find((m) => m.id === message);
  return {
    adapter,
    channel,
    restarted: another,
    read: async (thread) =>
      world.messages
        .filter((m) => m.channel_id === thread.thread && !m.isDeleted)
        .map((m) => ({
          text: m.content,
          ...(m.attachments[0] !== undefined && { file: m.attachments[0].text }),
        })),
    history: async (message) => find(message)?.history ?? [],
    marks: async (message) => [...(find(message)?.reactions.keys() ?? [])],
    failNext: (how) => server.fail({ kind: faults[how] }),
    say: async (thread, _actor, text) => people.say(thread.thread, text).id,
    limit: 2_000,
    sizeOf: (part) => partData(part).content.length,
    stop,
  };
};

describeChatAdapter('the Discord adapter in a text channel', () => setUp(textChannel));
describeChatAdapter('the Discord adapter in a forum', () => setUp(forumChannel));
