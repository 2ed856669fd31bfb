import { type APIMessage, type APIThreadChannel, type RawFile, Routes } from 'discord.js';
import { BoundedMap } from '../../bridge/model/bounded-map.ts';
import type { EncodedPart, MessageRef, ThreadRef } from '../../bridge/model/chat.ts';
import { BridgeError } from '../../bridge/model/errors.ts';
import type { ChannelId } from '../../bridge/model/ids.ts';
import type { Log } from '../../bridge/ports/log.ts';
import { partData } from './encode.ts';
import { editBody, forumPostBody, headBody, postBody, tagsOf } from './encode-body.ts';
import { type Finder, type Opened, startThread } from './find.ts';
import { channelNumber, type Forum, type Places, threadRef } from './places.ts';
import type { DiscordRest } from './rest.ts';

export interface PosterDeps {
  readonly rest: DiscordRest;
  readonly places: Places;
  readonly finder: Finder;
  readonly log: Log;
  /** Told of each message that Discord has taken. */
  readonly onPosted: (message: string) => void;
}

const archived = 50083;
const remembered = 2_000;

const discordCode = (error: unknown): unknown =>
  error instanceof BridgeError ? (error.cause as { code?: unknown } | undefined)?.code : undefined;

const rawFiles = (part: EncodedPart): RawFile[] | undefined =>
  part.file === undefined
    ? undefined
    : [{ name: part.file.name, data: Buffer.from(part.file.content), contentType: 'text/plain' }];

/** Half of it happened: the next try has to look for that half first. */
const asUncertain = (error: unknown): unknown =>
  error instanceof BridgeError && error.certain
    ? new BridgeError(error.code, error.message, {
        certain: false,
        cause: error.cause,
        ...(error.retryAfterMs !== undefined && { retryAfterMs: error.retryAfterMs }),
        ...(error.userMessage !== undefined && { userMessage: error.userMessage }),
      })
    : error;

/** Writes messages: each key once, an archived thread is opened again where Discord asks for it. */
export class Poster {
  readonly #deps: PosterDeps;
  readonly #posted = new BoundedMap<MessageRef>(remembered);
  readonly #opened = new BoundedMap<Opened>(remembered);
  /** Heads whose thread is still to be made, by key. */
  readonly #heads = new BoundedMap<string>(remembered);
  readonly #uncertain = new BoundedMap<true>(remembered);
  /** The state that a post's tags show. */
  readonly #tags = new BoundedMap<string>(remembered);

  constructor(deps: PosterDeps) {
    this.#deps = deps;
  }

  async post(thread: ThreadRef, part: EncodedPart, key: string): Promise<MessageRef> {
    const known = this.#posted.get(key);
    if (known !== undefined) return known;
    const message = await this.#create(thread.thread, postBody(partData(part), key), part, {
      subject: 'thread',
    });
    const ref = { thread, message: message.id };
    this.#posted.set(key, ref);
    return ref;
  }

  async open(channel: ChannelId, head: EncodedPart, key: string): Promise<Opened> {
    const known =
      this.#opened.get(key) ??
      (this.#uncertain.has(key)
        ? await this.#deps.finder.findThread(channel, head, key)
        : undefined);
    const opened = known ?? (await this.#openNew(channelNumber(channel), head, key));
    this.#opened.set(key, opened);
    this.#uncertain.delete(key);
    return opened;
  }

  async edit(ref: MessageRef, part: EncodedPart): Promise<void> {
    const { rest, places } = this.#deps;
    const channel = await places.channelOf(ref);
    const data = partData(part);
    const files = rawFiles(part);
    await this.opened(ref.thread, () =>
      rest.call('patch', Routes.channelMessage(channel, ref.message), {
        body: editBody(data, part.file?.name),
        ...(files !== undefined && { files }),
        subject: 'thread',
      }),
    );
    if (data.head?.state !== undefined) await this.#tag(ref.thread, data.head.state);
  }

  async remove(ref: MessageRef): Promise<void> {
    const { rest, places } = this.#deps;
    const channel = await places.channelOf(ref);
    await this.opened(ref.thread, () =>
      rest.call('delete', Routes.channelMessage(channel, ref.message), { subject: 'thread' }),
    );
  }

  /** Does something in a thread; where it is archived, it is opened again for it, once. */
  async opened<T>(thread: ThreadRef, act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      if (discordCode(error) !== archived) throw error;
      await this.#deps.rest.call('patch', Routes.channel(thread.thread), {
        body: { archived: false },
      });
      return act();
    }
  }

  async #openNew(channel: string, head: EncodedPart, key: string): Promise<Opened> {
    try {
      const forum = await this.#deps.places.forum(channel);
      return forum === undefined
        ? await this.#openThread(channel, head, key)
        : await this.#openPost(channel, forum, head, key);
    } catch (error) {
      if (error instanceof BridgeError && !error.certain) this.#uncertain.set(key, true);
      throw error;
    }
  }

  async #openThread(channel: string, head: EncodedPart, key: string): Promise<Opened> {
    const message =
      this.#heads.get(key) ??
      (
        await this.#create(channel, headBody(partData(head), key), head, {
          subject: 'channel',
        })
      ).id;
    this.#heads.set(key, message);
    try {
      return await startThread(this.#deps.rest, channel, message, head);
    } catch (error) {
      throw asUncertain(error);
    }
  }

  async #openPost(channel: string, forum: Forum, head: EncodedPart, key: string): Promise<Opened> {
    const data = partData(head);
    const made = await this.#deps.rest.call<{ id: string }>('post', Routes.threads(channel), {
      body: forumPostBody(data, key, forum),
      subject: 'channel',
    });
    this.#deps.onPosted(made.id);
    if (data.head?.state !== undefined) this.#tags.set(made.id, data.head.state);
    const thread = threadRef(channel, made.id);
    return { thread, head: { thread, message: made.id } };
  }

  async #create(
    channel: string,
    body: object,
    part: EncodedPart,
    detail: { readonly subject: 'thread' | 'channel' },
  ): Promise<APIMessage> {
    const files = rawFiles(part);
    const made = await this.#deps.rest.call<APIMessage>('post', Routes.channelMessages(channel), {
      body,
      ...(files !== undefined && { files }),
      ...detail,
    });
    this.#deps.onPosted(made.id);
    return made;
  }

  /** Tags show the state where the forum has them; a tag that cannot be set takes nothing from the head. */
  async #tag(thread: ThreadRef, state: string): Promise<void> {
    if (this.#tags.get(thread.thread) === state) return;
    const { rest, places, log } = this.#deps;
    try {
      const forum = await places.forum(channelNumber(thread.channel));
      if (forum === undefined) return;
      const now = await rest.call<APIThreadChannel>('get', Routes.channel(thread.thread));
      const before = now.applied_tags ?? [];
      const after = tagsOf(forum, state, before);
      if (after.join() !== before.join())
        await rest.call('patch', Routes.channel(thread.thread), { body: { applied_tags: after } });
      this.#tags.set(thread.thread, state);
    } catch (error) {
      log.debug({ err: error, thread: thread.thread }, 'the tags of a post stay as they are');
    }
  }
}
