import { createSlackAdapter } from '../../src/adapters/slack/adapter.ts';
import type { MessageRef } from '../../src/bridge/model/chat.ts';
import type { ChannelId } from '../../src/bridge/model/ids.ts';
import type {
  Attachments,
  ChatAdapter,
  ThreadOpener,
} from '../../src/bridge/ports/chat-adapter.ts';
import type { Log } from '../../src/bridge/ports/log.ts';
import { systemClock } from '../../src/bridge/system-clock.ts';
import { setUpDiscord, textChannel } from '../fakes/discord-stage.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { startFakeSlack } from '../fakes/slack-fake.ts';
import { type Json, nowOf } from '../fakes/slack-world.ts';

/** A message as a person reads it: everything in order, where its links lead, and its file. */
export interface ReadBack {
  readonly text: string;
  /** Text of its code blocks. */
  readonly codes: readonly string[];
  readonly file?: string;
}

export interface MixedPlatform {
  readonly adapter: ChatAdapter & ThreadOpener & Attachments;
  readonly channel: ChannelId;
  read(ref: MessageRef): ReadBack | undefined;
  /** Messages of ours in all. */
  count(): number;
  /** Who was called, which links became cards, what the adapter complained of. */
  harm(): readonly string[];
  stop(): Promise<void>;
}

const complaining = (to: string[]): Log => ({
  ...silentLog,
  warn: (_, sentence) => void to.push(sentence),
  error: (_, sentence) => void to.push(sentence),
});

const textIn = (node: unknown): string => {
  if (Array.isArray(node)) return node.map(textIn).join('');
  if (typeof node !== 'object' || node === null) return '';
  const { type, text, url, elements } = node as Json;
  if (type === 'link') return `${text === undefined ? '' : `${String(text)} `}${String(url)}`;
  if (typeof text === 'string') return text;
  return `${textIn(elements)}${String(type).startsWith('rich_text_') ? '\n' : ''}`;
};

const codesIn = (node: unknown): readonly string[] => {
  if (Array.isArray(node)) return node.flatMap(codesIn);
  if (typeof node !== 'object' || node === null) return [];
  const { type, elements } = node as Json;
  return type === 'rich_text_preformatted' ? [textIn(elements)] : codesIn(elements);
};

export const mixedSlack = async (): Promise<MixedPlatform> => {
  const slack = await startFakeSlack();
  const { world } = slack.server;
  const complaints: string[] = [];
  const adapter = createSlackAdapter(slack.config, {
    clock: systemClock,
    log: complaining(complaints),
  });
  const byTs = new Map<string, (typeof world.messages)[number]>();
  return {
    adapter,
    channel: slack.channel,
    read: ({ message }) => {
      if (byTs.size !== world.messages.length)
        for (const each of world.messages) byTs.set(each.ts, each);
      const found = byTs.get(message);
      if (found === undefined || found.isDeleted) return undefined;
      const { blocks } = nowOf(found);
      const file = world.files.get(found.files[0] ?? '');
      return {
        text: textIn(blocks),
        codes: codesIn(blocks),
        ...(file !== undefined && { file: String(file.content) }),
      };
    },
    count: () => world.messages.length,
    harm: () => [
      ...world.pings.map(({ whom }) => `called ${whom}`),
      ...world.unfurled.map((ts) => `a card in ${ts}`),
      ...complaints,
    ],
    stop: () => slack.stop(),
  };
};

const fences = /^[ >]*```[^\n]*\n([\s\S]*?)\n?[ >]*```$/gm;

export const mixedDiscord = async (): Promise<MixedPlatform> => {
  const complaints: string[] = [];
  const { server, adapter, stop } = await setUpDiscord({
    timing: { callTimeout: 10_000 },
    log: complaining(complaints),
  });
  const { world } = server;
  const byId = new Map<string, (typeof world.messages)[number]>();
  return {
    adapter,
    channel: textChannel,
    read: ({ message }) => {
      if (byId.size !== world.messages.length)
        for (const each of world.messages) byId.set(each.id, each);
      const found = byId.get(message);
      if (found === undefined || found.isDeleted) return undefined;
      const [file] = found.attachments;
      return {
        text: found.content,
        codes: [...found.content.matchAll(fences)].map(([, code = '']) => code),
        ...(file !== undefined && { file: file.text }),
      };
    },
    count: () => world.messages.filter((m) => m.author.id === world.bot.id && m.type === 0).length,
    harm: () => [
      ...world.pings.map(({ who }) => `called ${who}`),
      ...world.unfurls.map((message) => `a card in ${message}`),
      ...complaints,
    ],
    stop,
  };
};
