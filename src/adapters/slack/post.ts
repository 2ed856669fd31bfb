import { BoundedMap } from '../../bridge/model/bounded-map.ts';
import type { EncodedPart, MessageRef, ThreadRef } from '../../bridge/model/chat.ts';
import { BridgeError } from '../../bridge/model/errors.ts';
import type { ChannelId } from '../../bridge/model/ids.ts';
import type { IdempotencyKey } from '../../bridge/ports/chat-adapter.ts';
import type { Log } from '../../bridge/ports/log.ts';
import { platformErrorOf } from './classify.ts';
import type { SlackPart } from './encode.ts';
import type { SentFinder } from './find-sent.ts';
import { channelOf, messageRef } from './ids.ts';
import { uploadUnshared } from './upload.ts';
import type { Json, SlackWeb } from './web.ts';

export interface PostDeps {
  readonly web: SlackWeb;
  readonly finder: SentFinder;
  readonly log: Log;
}

/** `event_type` of the metadata that our posts carry; its payload is the key alone, no secret. */
export const METADATA = 'afk_bridge';

// Only our own encode makes these texts.
const partOf = (part: EncodedPart): SlackPart => JSON.parse(part.data) as SlackPart;

const quiet = { unfurl_links: false, unfurl_media: false } as const;

const FORM_REFUSED = new Set(['invalid_blocks', 'invalid_blocks_format', 'msg_blocks_too_long']);

/** Posts, edits and removes; a key that may have been posted is looked for before it goes again. */
export class Poster {
  readonly #deps: PostDeps;
  readonly #posted = new BoundedMap<MessageRef>(2_000);
  readonly #uncertain = new BoundedMap<true>(2_000);
  /** Roots that a person deleted: what is posted there stands alone in the channel. */
  readonly #goneRoots = new BoundedMap<true>(1_000);

  constructor(deps: PostDeps) {
    this.#deps = deps;
  }

  /** Thread roots of our own posts, by ts; absent: not known in this process. */
  rootOf(ts: string): string | undefined {
    return this.#posted.values().find((ref) => ref.message === ts)?.thread.thread;
  }

  rootIsGone(channel: string, root: string): void {
    this.#goneRoots.set(`${channel} ${root}`, true);
  }

  async open(
    channel: ChannelId,
    head: EncodedPart,
    key: IdempotencyKey,
  ): Promise<{ thread: ThreadRef; head: MessageRef }> {
    const known =
      this.#posted.get(key) ??
      (this.#uncertain.get(key) && (await this.#deps.finder.inChannel(channel, key)));
    const ref =
      known ??
      (await this.#once(key, async () => {
        const answer = await this.#send(channelOf(channel), head, { metadata: metadataOf(key) });
        const ts = String(answer['ts']);
        return messageRef(channelOf(channel), ts, ts);
      }));
    this.#posted.set(key, ref);
    return { thread: ref.thread, head: ref };
  }

  async post(thread: ThreadRef, part: EncodedPart, key: IdempotencyKey): Promise<MessageRef> {
    const known =
      this.#posted.get(key) ??
      (this.#uncertain.get(key) &&
        (await this.#deps.finder.inThread(thread, part, key, undefined)));
    const ref = known ?? (await this.#once(key, () => this.#postNew(thread, part, key)));
    this.#posted.set(key, ref);
    return ref;
  }

  /** As `post`, by other means. */
  async upload(
    thread: ThreadRef,
    part: EncodedPart,
    key: IdempotencyKey,
    run: () => Promise<MessageRef>,
  ): Promise<MessageRef> {
    const known =
      this.#posted.get(key) ??
      (this.#uncertain.get(key) &&
        (await this.#deps.finder.inThread(thread, part, key, undefined)));
    const ref = known ?? (await this.#once(key, run));
    this.#posted.set(key, ref);
    return ref;
  }

  /** Remembers that it is not known whether a try had its effect. */
  async #once(key: IdempotencyKey, run: () => Promise<MessageRef>): Promise<MessageRef> {
    try {
      return await run();
    } catch (error) {
      if (error instanceof BridgeError && !error.certain) this.#uncertain.set(key, true);
      throw error;
    }
  }

  async #postNew(thread: ThreadRef, part: EncodedPart, key: IdempotencyKey): Promise<MessageRef> {
    const channel = channelOf(thread.channel);
    if (this.#goneRoots.get(`${channel} ${thread.thread}`) === true) throw threadGone();
    const more = { thread_ts: thread.thread, metadata: metadataOf(key) };
    const answer = await this.#send(channel, part, more);
    const ts = String(answer['ts']);
    const root = (answer['message'] as Json | undefined)?.['thread_ts'];
    if (root !== thread.thread) {
      // Its thread is gone and Slack put it right into the channel, where it means nothing.
      this.rootIsGone(channel, thread.thread);
      await this.#deps.web.call('chat.delete', { channel, ts });
      throw threadGone();
    }
    return messageRef(channel, thread.thread, ts);
  }

  async #send(channel: string, part: EncodedPart, more: Json): Promise<Json> {
    const { text, blocks } = partOf(part);
    const args = { channel, ...quiet, ...more };
    try {
      return await this.#deps.web.call('chat.postMessage', { ...args, text, blocks });
    } catch (error) {
      if (!FORM_REFUSED.has(platformErrorOf(error) ?? '')) throw error;
      // Nothing was posted: better plain than not at all.
      this.#deps.log.warn({ err: error }, 'Slack refused the form of a message; it goes as text');
      return this.#deps.web.call('chat.postMessage', { ...args, text });
    }
  }

  async edit(ref: MessageRef, part: EncodedPart): Promise<void> {
    const { text, blocks } = partOf(part);
    const channel = channelOf(ref.thread.channel);
    const { web } = this.#deps;
    // A message that has grown beyond its size takes the whole along as a file.
    const files =
      part.file === undefined ? {} : { file_ids: [await uploadUnshared(web, part.file)] };
    // Always both: text alone takes the blocks away. Metadata stays when it is not named.
    await web.call('chat.update', { channel, ts: ref.message, text, blocks, ...files });
  }

  async remove(ref: MessageRef): Promise<void> {
    const channel = channelOf(ref.thread.channel);
    await this.#deps.web.call('chat.delete', { channel, ts: ref.message });
  }

  async whisper(thread: ThreadRef, user: string, part: EncodedPart): Promise<void> {
    const { text, blocks } = partOf(part);
    const channel = channelOf(thread.channel);
    const place = { channel, thread_ts: thread.thread, user };
    await this.#deps.web.call('chat.postEphemeral', { ...place, text, blocks });
  }
}

const metadataOf = (key: string): Json => ({ event_type: METADATA, event_payload: { key } });

const threadGone = (): BridgeError =>
  new BridgeError('thread-gone', 'Slack: the first message of the thread was deleted', {
    certain: true,
  });
