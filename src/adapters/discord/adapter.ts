import { type APIUser, Routes } from 'discord.js';
import type {
  ChatFile,
  EncodedPart,
  MessageRef,
  OutboundMessage,
  ReceiptMark,
  ThreadRef,
} from '../../bridge/model/chat.ts';
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
  Receipts,
  SentMessageFinder,
  ThreadOpener,
  Whispers,
} from '../../bridge/ports/chat-adapter.ts';
import type { Clock } from '../../bridge/ports/clock.ts';
import type { Log } from '../../bridge/ports/log.ts';
import { encode } from './encode.ts';
import { fetchFile } from './files.ts';
import { Finder, type Opened } from './find.ts';
import { budgets } from './limits.ts';
import { Listening } from './listening.ts';
import { channelNumber, discordId, Places } from './places.ts';
import { Poster } from './post.ts';
import { ReceiptMarks } from './receipts.ts';
import { DiscordRest } from './rest.ts';
import { type DiscordTiming, realTiming } from './timing.ts';
import { Whisperer } from './whisper.ts';

/** The platform's part of the configuration; the configuration's own type fits. */
export interface DiscordOptions {
  readonly botToken: string;
  /** Without version and final slash. */
  readonly apiUrl: string;
  readonly channels: readonly { readonly id: ChannelId }[];
}

export interface DiscordDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Only tests shorten it. */
  readonly timing?: Partial<DiscordTiming>;
}

export type DiscordAdapter = ChatAdapter &
  ThreadOpener &
  SentMessageFinder &
  Receipts &
  Attachments &
  Whispers &
  Budgeted &
  HistoryReader &
  FileReader;

/** Discord as a chat platform. Nothing is contacted before the first call or `start`. */
export const createDiscordAdapter = (options: DiscordOptions, deps: DiscordDeps): DiscordAdapter =>
  new Discord(options, deps);

const refusedWords =
  'Discord refuses the bot token: reset it in the Developer Portal (Bot, Reset Token) and put the new one into the configuration.';

class Discord implements DiscordAdapter {
  readonly platform = discordId;
  readonly budgets = budgets;
  readonly #rest: DiscordRest;
  readonly #poster: Poster;
  readonly #finder: Finder;
  readonly #receipts: ReceiptMarks;
  readonly #whisperer: Whisperer;
  readonly #timing: DiscordTiming;
  readonly #listening: Listening;
  #self: Promise<string> | undefined;
  #isTokenRefused = false;

  constructor({ botToken: token, apiUrl, channels }: DiscordOptions, deps: DiscordDeps) {
    const { clock, log } = deps;
    const timing: DiscordTiming = { ...realTiming, ...deps.timing };
    const rest = new DiscordRest({
      token,
      apiUrl,
      clock,
      timeoutMs: timing.callTimeout,
      authPauseMs: timing.authPause,
      onAuth: (isAccepted) => {
        this.#isTokenRefused = !isAccepted;
      },
    });
    const places = new Places(
      rest,
      channels.map((channel) => channelNumber(channel.id)),
    );
    const self = () => this.#ownId();
    this.#timing = timing;
    this.#rest = rest;
    this.#finder = new Finder({ rest, places, self });
    this.#poster = new Poster({
      rest,
      places,
      log,
      finder: this.#finder,
      onPosted: () => this.#listening.posted(),
    });
    this.#receipts = new ReceiptMarks({ rest, places, poster: this.#poster });
    this.#whisperer = new Whisperer({ rest, clock });
    this.#listening = new Listening({
      token,
      apiUrl,
      clock,
      log,
      timing,
      rest,
      places,
      self,
      whisperer: this.#whisperer,
    });
  }

  encode(message: OutboundMessage): readonly EncodedPart[] {
    return encode(message);
  }

  start(sink: ChatEventSink, signal: AbortSignal): Promise<void> {
    return this.#listening.start(sink, signal);
  }

  async stop(): Promise<void> {
    await this.#listening.stop();
    this.#rest.stop();
  }

  health(): AdapterHealth {
    if (this.#isTokenRefused) return { isConnected: false, detail: refusedWords };
    return this.#listening.health();
  }

  follow(threads: () => readonly FollowedThread[]): void {
    this.#listening.follow(threads);
  }

  open(channel: ChannelId, head: EncodedPart, key: string): Promise<Opened> {
    return this.#poster.open(channel, head, key);
  }

  post(thread: ThreadRef, part: EncodedPart, key: string): Promise<MessageRef> {
    return this.#poster.post(thread, part, key);
  }

  upload(thread: ThreadRef, part: EncodedPart, key: string): Promise<MessageRef> {
    return this.#poster.post(thread, part, key);
  }

  edit(ref: MessageRef, part: EncodedPart): Promise<void> {
    return this.#poster.edit(ref, part);
  }

  remove(ref: MessageRef): Promise<void> {
    return this.#poster.remove(ref);
  }

  findSent(
    thread: ThreadRef,
    part: EncodedPart,
    key: string,
    after: MessageRef | undefined,
  ): Promise<MessageRef | undefined> {
    return this.#finder.findSent(thread, part, key, after);
  }

  findThread(channel: ChannelId, head: EncodedPart, key: string): Promise<Opened | undefined> {
    return this.#finder.findThread(channel, head, key);
  }

  receipt(ref: MessageRef, mark: ReceiptMark): Promise<void> {
    return this.#receipts.show(ref, mark);
  }

  whisper(thread: ThreadRef, actor: ActorId, part: EncodedPart): Promise<void> {
    return this.#whisperer.whisper(thread, actor, part);
  }

  fetchFile(file: ChatFile, mostBytes: number): Promise<Uint8Array> {
    return fetchFile(this.#rest, file, mostBytes, this.#timing.callTimeout);
  }

  #ownId(): Promise<string> {
    this.#self ??= this.#rest.call<APIUser>('get', Routes.user()).then(
      ({ id }) => id,
      (error: unknown) => {
        this.#self = undefined;
        throw error;
      },
    );
    return this.#self;
  }
}
