import type {
  ChatFile,
  EncodedPart,
  MessageRef,
  OutboundMessage,
  ReceiptMark,
  ThreadRef,
} from '../../bridge/model/chat.ts';
import { BridgeError } from '../../bridge/model/errors.ts';
import type { ActorId, ChannelId } from '../../bridge/model/ids.ts';
import type {
  AdapterHealth,
  Attachments,
  Budgeted,
  ChatAdapter,
  ChatEventSink,
  FileReader,
  FollowedThread,
  HistoryReader,
  IdempotencyKey,
  Receipts,
  SentMessageFinder,
  ThreadOpener,
  Whispers,
} from '../../bridge/ports/chat-adapter.ts';
import type { Clock } from '../../bridge/ports/clock.ts';
import type { Log } from '../../bridge/ports/log.ts';
import { encode } from './encode.ts';
import { SentFinder } from './find-sent.ts';
import { slackId, userOf } from './ids.ts';
import { Marks } from './marks.ts';
import { Poster } from './post.ts';
import { Session } from './session.ts';
import { uploadFile } from './upload.ts';
import { SlackWeb } from './web.ts';

/** What the bridge's configuration says about Slack. */
export interface SlackAdapterConfig {
  readonly botToken: string;
  readonly appToken: string;
  /** With a final slash. */
  readonly apiUrl: string;
  readonly channels: readonly { readonly id: ChannelId }[];
  /** Ids of usergroups that `access` names. */
  readonly usergroups?: readonly string[];
  /** Reactions that are handed on (`interrupt.reactions`). */
  readonly reactions?: readonly string[];
}

export interface SlackAdapterDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** An answer to a call takes no longer, ms. Default 10,000. */
  readonly timeoutMs?: number;
  /** A socket without a pong for so long is dead, ms. Default 5,000. */
  readonly pongWithinMs?: number;
  /** A socket is followed by a fresh one after so long, ms. Default half an hour. */
  readonly renewAfterMs?: number;
}

export type SlackAdapter = ChatAdapter &
  ThreadOpener &
  SentMessageFinder &
  Receipts &
  Attachments &
  Whispers &
  Budgeted &
  HistoryReader &
  FileReader;

const timeout = 10_000;
const pongWithin = 5_000;
const renewAfter = 30 * 60_000;

/** Documented rates; bursts are assumed and kept small. compat/slack/compat.md has the sources. */
const budgets: Budgeted['budgets'] = {
  open: { burst: 3, perMinute: 60, per: 'channel', sharedAs: 'chat.postMessage' },
  post: { burst: 3, perMinute: 60, per: 'channel', sharedAs: 'chat.postMessage' },
  edit: { burst: 8, perMinute: 50, per: 'platform' },
  remove: { burst: 5, perMinute: 50, per: 'platform' },
  receipt: { burst: 10, perMinute: 20, per: 'platform' },
  whisper: { burst: 10, perMinute: 100, per: 'platform' },
};

class Slack implements SlackAdapter {
  readonly platform = slackId;
  readonly budgets = budgets;
  readonly #web: SlackWeb;
  readonly #finder: SentFinder;
  readonly #poster: Poster;
  readonly #marks: Marks;
  readonly #session: Session;
  readonly #clock: Clock;
  #threads: () => readonly FollowedThread[] = () => [];

  constructor(config: SlackAdapterConfig, deps: SlackAdapterDeps) {
    const { clock, log, timeoutMs = timeout, pongWithinMs = pongWithin } = deps;
    const { renewAfterMs = renewAfter } = deps;
    const { botToken, apiUrl } = config;
    this.#clock = clock;
    this.#web = new SlackWeb({ token: botToken, apiUrl, timeoutMs, log });
    const self = (): string | undefined => this.#session.identity?.botUser;
    this.#finder = new SentFinder(this.#web, self);
    this.#poster = new Poster({ web: this.#web, finder: this.#finder, log });
    this.#marks = new Marks(this.#web, self);
    this.#session = new Session(config, {
      clock,
      log,
      timeoutMs,
      pongWithinMs,
      renewAfterMs,
      web: this.#web,
      poster: this.#poster,
      threads: () => this.#threads(),
    });
  }

  encode(message: OutboundMessage): readonly EncodedPart[] {
    return encode(message);
  }

  follow(threads: () => readonly FollowedThread[]): void {
    this.#threads = threads;
  }

  start(sink: ChatEventSink, signal: AbortSignal): Promise<void> {
    return this.#session.start(sink, signal);
  }

  stop(): Promise<void> {
    return this.#session.stop();
  }

  health(): AdapterHealth {
    return this.#session.health();
  }

  open(channel: ChannelId, head: EncodedPart, key: IdempotencyKey) {
    return this.#poster.open(channel, head, key);
  }

  post(thread: ThreadRef, part: EncodedPart, key: IdempotencyKey): Promise<MessageRef> {
    return this.#poster.post(thread, part, key);
  }

  edit(ref: MessageRef, part: EncodedPart): Promise<void> {
    return this.#poster.edit(ref, part);
  }

  remove(ref: MessageRef): Promise<void> {
    return this.#poster.remove(ref);
  }

  upload(thread: ThreadRef, part: EncodedPart, key: IdempotencyKey): Promise<MessageRef> {
    const deps = { web: this.#web, finder: this.#finder, clock: this.#clock };
    return this.#poster.upload(thread, part, key, () => uploadFile(deps, thread, part, key));
  }

  receipt(ref: MessageRef, mark: ReceiptMark): Promise<void> {
    return this.#marks.show(ref, mark);
  }

  async whisper(thread: ThreadRef, actor: ActorId, part: EncodedPart): Promise<void> {
    const user = userOf(actor);
    if (user === undefined)
      throw new BridgeError('rejected', 'no person to whisper to', { certain: true });
    await this.#poster.whisper(thread, user, part);
  }

  findSent(
    thread: ThreadRef,
    part: EncodedPart,
    key: IdempotencyKey,
    after: MessageRef | undefined,
  ): Promise<MessageRef | undefined> {
    return this.#finder.inThread(thread, part, key, after);
  }

  async findThread(channel: ChannelId, _head: EncodedPart, key: IdempotencyKey) {
    const head = await this.#finder.inChannel(channel, key);
    return head === undefined ? undefined : { thread: head.thread, head };
  }

  async fetchFile(file: ChatFile, mostBytes: number): Promise<Uint8Array> {
    const { bytes, type } = await this.#web.get(file.source, mostBytes);
    if (type.startsWith('text/html') && !file.mimeType.startsWith('text/html')) {
      const sentence = 'Slack gives no file to this app: the scope files:read is missing.';
      throw new BridgeError('no-access', sentence, { certain: true, userMessage: sentence });
    }
    return bytes;
  }
}

/** Slack as a chat platform: Bolt's Socket Mode for what comes in, one try of one call for what goes out. */
export const createSlackAdapter = (
  config: SlackAdapterConfig,
  deps: SlackAdapterDeps,
): SlackAdapter => new Slack(config, deps);
