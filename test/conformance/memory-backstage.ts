import { type ChannelId, id } from '../../src/bridge/model/ids.ts';
import type { MemoryPlatform } from '../fakes/memory-platform.ts';
import type { Backstage } from './backstage.ts';
import { MemoryAdapter, type MemoryCall } from './memory-adapter.ts';

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

export const memoryBackstage = (
  platform: MemoryPlatform,
  call: MemoryCall,
  timeoutMs: number,
): Backstage => {
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
