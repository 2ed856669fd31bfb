import { type APIMessage, type APIThreadChannel, type APIThreadList, Routes } from 'discord.js';
import type { EncodedPart, MessageRef, ThreadRef } from '../../bridge/model/chat.ts';
import { BridgeError } from '../../bridge/model/errors.ts';
import type { ChannelId } from '../../bridge/model/ids.ts';
import { partData } from './encode.ts';
import { nonceOf, threadBody, threadNameOf } from './encode-body.ts';
import { headIdOf } from './encode-custom-id.ts';
import { isAfter, limits } from './limits.ts';
import { channelNumber, type Places, threadRef } from './places.ts';
import type { DiscordRest } from './rest.ts';

export interface FindDeps {
  readonly rest: DiscordRest;
  readonly places: Places;
  /** The bot's own user id. */
  readonly self: () => Promise<string>;
}

export interface Opened {
  readonly thread: ThreadRef;
  readonly head: MessageRef;
}

const mostPages = 10;
/** Posts of a forum whose first message is looked at. */
const mostPosts = 25;
const threadExists = 160004;

const isOurs = (message: APIMessage, self: string): boolean =>
  message.author.id === self && (message.type === 0 || message.type === 19);

const hasHeadId = (message: APIMessage, customId: string): boolean =>
  JSON.stringify(message.components ?? []).includes(JSON.stringify(customId));

/** Makes the thread of a head in a text channel; its id is the head's. Made before: as good as made. */
export const startThread = async (
  rest: DiscordRest,
  channel: string,
  message: string,
  part: EncodedPart,
): Promise<Opened> => {
  try {
    await rest.call('post', Routes.threads(channel, message), {
      body: threadBody(partData(part)),
      subject: 'channel',
    });
  } catch (error) {
    const isThere =
      error instanceof BridgeError &&
      (error.cause as { code?: unknown } | undefined)?.code === threadExists;
    if (!isThere) throw error;
  }
  const thread = threadRef(channel, message);
  return { thread, head: { thread, message } };
};

/** Looks for posts of ours whose answer was lost: by place and content, and by the nonce where Discord still tells it. */
export class Finder {
  readonly #deps: FindDeps;

  constructor(deps: FindDeps) {
    this.#deps = deps;
  }

  async findSent(
    thread: ThreadRef,
    part: EncodedPart,
    key: string,
    after: MessageRef | undefined,
  ): Promise<MessageRef | undefined> {
    const self = await this.#deps.self();
    const { content } = partData(part);
    const nonce = nonceOf(key);
    const isIt = (message: APIMessage): boolean => {
      if (!isOurs(message, self)) return false;
      if (message.nonce !== undefined) return String(message.nonce) === nonce;
      const file = message.attachments[0]?.filename;
      return message.content === content && (file === undefined) === (part.file === undefined);
    };
    let from = after?.message ?? thread.thread;
    for (let n = 0; n < mostPages; n++) {
      const page = await this.#page(thread.thread, { after: from });
      const found = page.find(isIt);
      if (found !== undefined) return { thread, message: found.id };
      const last = page.at(-1);
      if (last === undefined || page.length < limits.pageOfMessages) return undefined;
      from = last.id;
    }
    return undefined;
  }

  async findThread(
    channel: ChannelId,
    head: EncodedPart,
    key: string,
  ): Promise<Opened | undefined> {
    const number = channelNumber(channel);
    const forum = await this.#deps.places.forum(number);
    return forum === undefined
      ? this.#findHead(number, head, key)
      : this.#findPost(number, head, key);
  }

  async #findHead(channel: string, head: EncodedPart, key: string): Promise<Opened | undefined> {
    const self = await this.#deps.self();
    const customId = headIdOf(key);
    let before: string | undefined;
    for (let n = 0; n < mostPages; n++) {
      const page = await this.#page(channel, before === undefined ? {} : { before });
      const found = page.find((m) => isOurs(m, self) && hasHeadId(m, customId));
      if (found !== undefined) return startThread(this.#deps.rest, channel, found.id, head);
      const [oldest] = page;
      if (oldest === undefined || page.length < limits.pageOfMessages) return undefined;
      before = oldest.id;
    }
    return undefined;
  }

  async #findPost(channel: string, head: EncodedPart, key: string): Promise<Opened | undefined> {
    const { rest } = this.#deps;
    const self = await this.#deps.self();
    const name = threadNameOf(partData(head));
    const customId = headIdOf(key);
    const { guild_id: guild } = await rest.call<{ guild_id: string }>(
      'get',
      Routes.channel(channel),
      { subject: 'channel' },
    );
    const isIt = (thread: APIThreadChannel): boolean =>
      thread.parent_id === channel && thread.owner_id === self && thread.name === name;
    const active = await rest.call<APIThreadList>('get', Routes.guildActiveThreads(guild));
    const archived = await rest.call<APIThreadList>(
      'get',
      Routes.channelThreads(channel, 'public'),
      { subject: 'channel' },
    );
    const posts = ([...active.threads, ...archived.threads] as APIThreadChannel[])
      .filter(isIt)
      .sort((a, b) => (isAfter(a.id, b.id) ? -1 : 1));
    for (const post of posts.slice(0, mostPosts)) {
      const first = await this.#message(post.id, post.id);
      if (first === undefined || !hasHeadId(first, customId)) continue;
      const thread = threadRef(channel, post.id);
      return { thread, head: { thread, message: post.id } };
    }
    return undefined;
  }

  async #message(channel: string, message: string): Promise<APIMessage | undefined> {
    try {
      return await this.#deps.rest.call<APIMessage>(
        'get',
        Routes.channelMessage(channel, message),
        { subject: 'message' },
      );
    } catch (error) {
      if (error instanceof BridgeError && error.code === 'message-gone') return undefined;
      throw error;
    }
  }

  /** Oldest first. */
  async #page(channel: string, range: Record<string, string>): Promise<readonly APIMessage[]> {
    const page = await this.#deps.rest.call<APIMessage[]>('get', Routes.channelMessages(channel), {
      query: { limit: String(limits.pageOfMessages), ...range },
    });
    return [...page].sort((a, b) => (isAfter(a.id, b.id) ? 1 : -1));
  }
}
