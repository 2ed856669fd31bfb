import type {
  EncodedPart,
  MessageRef,
  OutboundMessage,
  ReceiptMark,
  ThreadRef,
} from '../../src/bridge/model/chat.ts';
import { BridgeError } from '../../src/bridge/model/errors.ts';
import { type ActorId, type ChannelId, id, type PlatformId } from '../../src/bridge/model/ids.ts';
import type {
  AdapterHealth,
  Attachments,
  Budgeted,
  ChatAdapter,
  ChatEventSink,
  Receipts,
  SentMessageFinder,
  ThreadOpener,
  Whispers,
} from '../../src/bridge/ports/chat-adapter.ts';
import { splitMarkdown } from '../../src/bridge/text/split.ts';
import type {
  Fault,
  MemoryCalls,
  MemoryMethod,
  MemoryPlatform,
  PersonSaid,
} from '../fakes/memory-platform.ts';
import { PlatformFault } from '../fakes/memory-platform.ts';

export type MemoryCall = <M extends MemoryMethod>(
  method: M,
  args: MemoryCalls[M],
) => Promise<unknown>;

export const memoryPlatformId = id<PlatformId>('memory');

export interface MemoryOptions {
  readonly call: MemoryCall;
  /** Most characters of a part. */
  readonly limit?: number;
  readonly timeoutMs?: number;
  readonly budgets?: Budgeted['budgets'];
}

export const inProcess = (platform: MemoryPlatform): MemoryCall => platform.call.bind(platform);

/** The platform in another process: see `serveMemoryPlatform`. */
export const overHttp =
  (url: string): MemoryCall =>
  async (method, args) => {
    const response = await fetch(url, { method: 'POST', body: JSON.stringify({ method, args }) });
    const body = (await response.json()) as { kind: Fault['kind']; retryAfterMs?: number };
    if (!response.ok) throw new PlatformFault(body.kind, body.retryAfterMs);
    return body;
  };

const classify = (error: unknown): BridgeError => {
  if (!(error instanceof PlatformFault))
    return new BridgeError('unavailable', String(error), { certain: false, cause: error });
  const { kind, retryAfterMs, message } = error;
  if (kind === 'lost' || kind === 'broken' || kind === 'broken-after')
    return new BridgeError('unavailable', message, { certain: false });
  return new BridgeError(kind, message, {
    certain: true,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
};

const textOf = (message: OutboundMessage): string => {
  switch (message.type) {
    case 'head':
      return [message.title, ...message.lines].join('\n');
    case 'activity':
      return [...message.lines, ...(message.details === undefined ? [] : [message.details])].join(
        '\n',
      );
    case 'file':
      return message.summary;
    default:
      return message.markdown;
  }
};

/** ChatAdapter of the memory platform, with every optional capability. */
export class MemoryAdapter
  implements ChatAdapter, ThreadOpener, SentMessageFinder, Receipts, Attachments, Whispers, Budgeted
{
  readonly platform = memoryPlatformId;
  readonly budgets: Budgeted['budgets'];
  readonly #options: MemoryOptions;
  /** What was posted by this process; a repeated post of the same key is answered from here. */
  readonly #posted = new Map<string, MessageRef>();
  readonly #uncertain = new Set<string>();
  #listening: Promise<void> | undefined;
  #stop = new AbortController();

  constructor(options: MemoryOptions) {
    this.#options = options;
    this.budgets = options.budgets ?? {};
  }

  encode(message: OutboundMessage): readonly EncodedPart[] {
    const extra =
      message.type === 'dialog' || message.type === 'notice'
        ? { buttons: message.buttons.map((button) => button.label) }
        : {};
    const text = textOf(message);
    const split = splitMarkdown(text, { limit: this.#options.limit ?? 2_000 });
    const part = (markdown: string): EncodedPart => ({
      data: JSON.stringify({ type: message.type, text: markdown, ...extra }),
    });
    if (split.type === 'file')
      return [{ ...part(split.preview), file: { name: 'whole.md', content: text } }];
    const parts = split.parts.map(part);
    if (message.type !== 'file') return parts;
    return parts.map((p) => ({ ...p, file: { name: message.name, content: message.content } }));
  }

  async start(sink: ChatEventSink, signal: AbortSignal): Promise<void> {
    this.#stop = new AbortController();
    const { next } = (await this.#call('events', { after: 0 })) as { next: number };
    this.#listening = this.#listen(sink, next, AbortSignal.any([signal, this.#stop.signal]));
  }

  async #listen(sink: ChatEventSink, from: number, signal: AbortSignal): Promise<void> {
    let after = from;
    while (!signal.aborted) {
      const { events } = (await this.#call('events', { after })) as { events: PersonSaid[] };
      for (const said of events) {
        const thread = this.#thread(said.channel, said.thread);
        const messageRef = { thread, message: said.message };
        const actor = { displayName: said.actor, groups: [], isBot: false, isGuest: false };
        await sink({
          key: `message:${said.channel}:${said.message}`,
          platform: this.platform,
          actor: { id: said.actor, ...actor },
          target: { thread },
          at: Date.now(),
          body: { type: 'reply', text: said.text, messageRef },
        });
        after++;
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#listening;
  }

  health(): AdapterHealth {
    return { isConnected: this.#listening !== undefined, detail: 'in memory' };
  }

  async open(channel: ChannelId, head: EncodedPart, key: string) {
    const found = this.#uncertain.has(key) ? await this.findThread(channel, head, key) : undefined;
    const known = found?.head ?? this.#posted.get(key);
    if (known !== undefined) return { thread: known.thread, head: known };
    const made = (await this.#once(key, 'open', { channel, key, data: head.data })) as {
      thread: string;
      message: string;
    };
    const thread = this.#thread(channel, made.thread);
    const ref = { thread, message: made.message };
    this.#posted.set(key, ref);
    return { thread, head: ref };
  }

  async post(thread: ThreadRef, part: EncodedPart, key: string): Promise<MessageRef> {
    const found = this.#uncertain.has(key) ? await this.findSent(thread, part, key) : undefined;
    const known = found ?? this.#posted.get(key);
    if (known !== undefined) return known;
    const { channel, thread: name } = thread;
    const file = part.file === undefined ? {} : { file: part.file };
    const args = { channel, thread: name, key, data: part.data, ...file };
    const { message } = (await this.#once(key, 'post', args)) as { message: string };
    const ref = { thread, message };
    this.#posted.set(key, ref);
    return ref;
  }

  upload(thread: ThreadRef, part: EncodedPart, key: string): Promise<MessageRef> {
    return this.post(thread, part, key);
  }

  async edit(ref: MessageRef, part: EncodedPart): Promise<void> {
    await this.#call('edit', { message: ref.message, data: part.data });
  }

  async remove(ref: MessageRef): Promise<void> {
    await this.#call('remove', { message: ref.message });
  }

  async receipt(ref: MessageRef, mark: ReceiptMark): Promise<void> {
    await this.#call('mark', { message: ref.message, mark });
  }

  async whisper(thread: ThreadRef, actor: ActorId, part: EncodedPart): Promise<void> {
    const { channel, thread: name } = thread;
    await this.#call('whisper', { channel, thread: name, actor, data: part.data });
  }

  async findSent(
    thread: ThreadRef,
    _part: EncodedPart,
    key: string,
  ): Promise<MessageRef | undefined> {
    const args = { channel: thread.channel, thread: thread.thread, key };
    const { message } = (await this.#call('find', args)) as { message?: string };
    return message === undefined ? undefined : { thread, message };
  }

  async findThread(channel: ChannelId, _head: EncodedPart, key: string) {
    const found = (await this.#call('find', { channel, key })) as {
      message?: string;
      thread?: string;
    };
    if (found.message === undefined || found.thread === undefined) return undefined;
    const thread = this.#thread(channel, found.thread);
    return { thread, head: { thread, message: found.message } };
  }

  #thread(channel: string, thread: string): ThreadRef {
    return { platform: this.platform, channel: id<ChannelId>(channel), thread };
  }

  async #once<M extends MemoryMethod>(key: string, method: M, args: MemoryCalls[M]) {
    try {
      return await this.#call(method, args);
    } catch (error) {
      if (error instanceof BridgeError && !error.certain) this.#uncertain.add(key);
      throw error;
    }
  }

  async #call<M extends MemoryMethod>(method: M, args: MemoryCalls[M]): Promise<unknown> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('no answer')), this.#options.timeoutMs ?? 2_000);
    });
    try {
      return await Promise.race([this.#options.call(method, args), late]);
    } catch (error) {
      throw classify(error);
    } finally {
      clearTimeout(timer);
    }
  }
}
