import { setUpDiscord, textChannel } from '../fakes/discord-stage.ts';
import type { MemoryPlatform } from '../fakes/memory-platform.ts';
import { serveMemoryPlatform } from '../fakes/memory-server.ts';
import { readBlocks, readSlack, startFakeSlack } from '../fakes/slack-fake.ts';
import { BOT_ID } from '../fakes/slack-world.ts';
import type { PostingPlatformName } from './posting-adapters.ts';

/** A message of the bridge as it stands on a platform. */
export interface Seen {
  readonly isHead: boolean;
  readonly first: string;
  readonly now: string;
  readonly file?: { readonly name: string; readonly content: string };
}

/** A platform in the test's own process: it outlives the bridge that is killed. */
export interface PostingPlatform {
  readonly name: PostingPlatformName;
  readonly url: string;
  /** In the order in which they came. */
  seen(): readonly Seen[];
  close(): Promise<void>;
}

const textIn = (data: string | undefined): string =>
  (JSON.parse(data ?? '{"text":""}') as { text: string }).text;

export const memoryPlatform = async (): Promise<
  PostingPlatform & { readonly platform: MemoryPlatform }
> => {
  const { platform, url, close } = await serveMemoryPlatform();
  platform.latencyMs = 4;
  return {
    platform,
    name: 'memory',
    url,
    close,
    seen: () =>
      platform.messages
        .filter((m) => m.key !== undefined && !m.isDeleted)
        .map(({ history, file }) => ({
          isHead: history[0]?.includes('"head"') === true,
          first: textIn(history[0]),
          now: textIn(history.at(-1)),
          ...(file !== undefined && { file }),
        })),
  };
};

const slackPlatform = async (): Promise<PostingPlatform> => {
  const slack = await startFakeSlack();
  const { world } = slack.server;
  return {
    name: 'slack',
    url: slack.server.apiUrl,
    close: () => slack.stop(),
    seen: () =>
      world.messages
        .filter((m) => m.botId === BOT_ID && !m.isDeleted)
        .map((m) => {
          const file = world.files.get(m.files[0] ?? '');
          return {
            isHead: m.threadTs === undefined,
            first: readBlocks(m.versions[0]?.blocks ?? []),
            now: readSlack(m),
            ...(file !== undefined && {
              file: { name: file.name, content: String(file.content) },
            }),
          };
        }),
  };
};

const discordPlatform = async (): Promise<PostingPlatform> => {
  const { server, stop } = await setUpDiscord();
  const { world } = server;
  return {
    name: 'discord',
    url: server.apiUrl,
    close: stop,
    seen: () =>
      world.messages
        .filter((m) => m.author.id === world.bot.id && m.type === 0 && !m.isDeleted)
        .map((m) => {
          const [file] = m.attachments;
          return {
            isHead: textChannel.endsWith(m.channel_id),
            first: m.history[0] ?? m.content,
            now: m.content,
            ...(file !== undefined && { file: { name: file.filename, content: file.text } }),
          };
        }),
  };
};

export const realPlatforms = [
  ['Slack', slackPlatform],
  ['Discord', discordPlatform],
] as const;
