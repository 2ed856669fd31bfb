import { type APIChannel, type APIThreadChannel, Routes } from 'discord.js';
import { BoundedMap } from '../../bridge/model/bounded-map.ts';
import type { MessageRef, ThreadRef } from '../../bridge/model/chat.ts';
import { type ChannelId, id, type PlatformId } from '../../bridge/model/ids.ts';
import { isLasting } from './classify.ts';
import { isForumType } from './limits.ts';
import type { DiscordRest } from './rest.ts';

export const discordId = id<PlatformId>('discord');
const prefix = 'discord:';

/** Discord's own id of a channel of ours. */
export const channelNumber = (channel: ChannelId): string => channel.slice(prefix.length);
export const threadRef = (channel: string, thread: string): ThreadRef => ({
  platform: discordId,
  channel: id<ChannelId>(prefix + channel),
  thread,
});

export interface ForumTag {
  readonly id: string;
  readonly name: string;
  readonly moderated: boolean;
}
export interface Forum {
  readonly tags: readonly ForumTag[];
  readonly needsTag: boolean;
}

const needsTagFlag = 1 << 4;

/** What a channel or thread tells of itself. */
export interface ChannelSeen {
  readonly type: number;
  readonly guild_id?: string | undefined;
  readonly available_tags?: readonly ForumTag[] | undefined;
  readonly flags?: number | undefined;
}
interface ChannelKnown {
  readonly forum: Forum | undefined;
  readonly guild: string;
}

/** What is known of channels and threads: asked for once, kept up to date by what the Gateway tells. */
export class Places {
  readonly #rest: DiscordRest;
  readonly #channels = new Map<string, ChannelKnown>();
  readonly #parents = new BoundedMap<string>(5_000);
  readonly #own: ReadonlySet<string>;

  /** @param own the channels that the configuration names, by Discord's ids. */
  constructor(rest: DiscordRest, own: readonly string[]) {
    this.#rest = rest;
    this.#own = new Set(own);
  }

  isOwn(channel: string): boolean {
    return this.#own.has(channel);
  }

  /** A channel or thread that the Gateway told of. */
  learn(
    channel: { readonly id: string; readonly parent_id?: string | null | undefined } & ChannelSeen,
  ): void {
    if (this.#own.has(channel.id)) this.#channels.set(channel.id, this.#seen(channel));
    const parent = channel.parent_id ?? '';
    // What is none of ours is remembered as well: it need not be asked for.
    this.#parents.set(channel.id, this.#own.has(parent) ? parent : '');
  }

  /** The forum that a channel is; undefined: a text channel. */
  async forum(channel: string): Promise<Forum | undefined> {
    return (await this.#known(channel)).forum;
  }

  /** The guild of a thread. */
  async guildOf(thread: ThreadRef): Promise<string> {
    return (await this.#known(channelNumber(thread.channel))).guild;
  }

  async #known(channel: string): Promise<ChannelKnown> {
    const known = this.#channels.get(channel);
    if (known !== undefined) return known;
    const asked = await this.#rest.call<APIChannel>('get', Routes.channel(channel), {
      subject: 'channel',
    });
    const seen = this.#seen(asked as ChannelSeen);
    this.#channels.set(channel, seen);
    return seen;
  }

  /** The thread that a channel id stands for; undefined: none in a channel of ours. */
  async threadOf(channelId: string): Promise<ThreadRef | undefined> {
    if (this.#own.has(channelId)) return undefined;
    const known = this.#parents.get(channelId);
    if (known !== undefined) return known === '' ? undefined : threadRef(known, channelId);
    const asked = await this.#ask(channelId);
    if (asked === undefined) return undefined;
    this.learn(asked);
    const parent = asked.parent_id ?? '';
    return this.#own.has(parent) ? threadRef(parent, channelId) : undefined;
  }

  /** Where a message stands: the first one of a thread in a text channel stands in the channel. */
  async channelOf({ thread, message }: MessageRef): Promise<string> {
    if (message !== thread.thread) return thread.thread;
    const channel = channelNumber(thread.channel);
    return (await this.forum(channel)) === undefined ? channel : thread.thread;
  }

  /** Undefined: it is gone, or not for us to see; not kept, since that may change. */
  async #ask(channel: string): Promise<APIThreadChannel | undefined> {
    try {
      return await this.#rest.call<APIThreadChannel>('get', Routes.channel(channel));
    } catch (error) {
      if (isLasting(error)) return undefined;
      throw error;
    }
  }

  #seen(channel: ChannelSeen): ChannelKnown {
    const forum: Forum = {
      tags: channel.available_tags ?? [],
      needsTag: ((channel.flags ?? 0) & needsTagFlag) !== 0,
    };
    return {
      forum: isForumType(channel.type) ? forum : undefined,
      guild: channel.guild_id ?? '',
    };
  }
}
