import { type ChannelId, id } from '../../src/bridge/model/ids.ts';
import { MemoryPlatform } from '../fakes/memory-platform.ts';
import { serveMemoryPlatform } from '../fakes/memory-server.ts';
import { type Backstage, describeChatAdapter } from './chat-adapter.suite.ts';
import { inProcess, MemoryAdapter, type MemoryCall, overHttp } from './memory-adapter.ts';

const faults = {
  'lost-answer': 'lost',
  hang: 'hang-after',
  'server-error': 'broken',
  'rate-limited': 'rate-limited',
  rejected: 'rejected',
} as const;

const textOf = (data: string): string => {
  try {
    return (JSON.parse(data) as { text: string }).text;
  } catch {
    return data;
  }
};

const backstage = (platform: MemoryPlatform, call: MemoryCall, timeoutMs: number): Backstage => {
  const make = () => new MemoryAdapter({ call, timeoutMs });
  const adapter = make();
  const find = (message: string) => platform.messages.find((m) => m.id === message);
  return {
    adapter,
    channel: id<ChannelId>('memory:c'),
    restarted: make,
    read: async (thread) =>
      platform.thread(thread.thread).map((m) => ({
        text: textOf(m.history.at(-1) ?? ''),
        ...(m.file !== undefined && { file: m.file.content }),
      })),
    history: async (message) => find(message)?.history ?? [],
    marks: async (message) => find(message)?.marks ?? [],
    failNext: (how) => platform.fail({ method: 'any', kind: faults[how], retryAfterMs: 1_000 }),
    say: async (thread, actor, text) => platform.say(thread.channel, thread.thread, actor, text),
    limit: 2_000,
    sizeOf: (part) => textOf(part.data).length,
    stop: () => adapter.stop(),
  };
};

describeChatAdapter('the memory adapter', async () => {
  const platform = new MemoryPlatform();
  return backstage(platform, inProcess(platform), 60);
});

describeChatAdapter('the memory adapter over HTTP', async () => {
  const { platform, url, close } = await serveMemoryPlatform();
  const stage = backstage(platform, overHttp(url), 600);
  return {
    ...stage,
    stop: async () => {
      await stage.stop();
      await close();
    },
  };
});
