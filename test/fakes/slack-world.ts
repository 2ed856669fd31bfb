/** Whatever travels as JSON. */
export type Json = Readonly<Record<string, unknown>>;

/** What the server answers with `ok: false`. */
export class SlackRefusal extends Error {
  readonly error: string;
  readonly messages: readonly string[];
  constructor(error: string, messages: readonly string[] = []) {
    super(error);
    this.error = error;
    this.messages = messages;
  }
}

export interface SlackUser {
  readonly id: string;
  readonly name: string;
  readonly teamId: string;
  readonly isBot?: boolean;
  readonly isRestricted?: boolean;
  readonly isUltraRestricted?: boolean;
  isDeactivated?: boolean;
}

export interface SlackChannel {
  readonly id: string;
  readonly name: string;
  readonly isPrivate: boolean;
  isArchived: boolean;
  isDeleted: boolean;
  readonly members: Set<string>;
}

export interface SlackVersion {
  readonly text: string;
  readonly blocks: readonly Json[];
}

export interface SlackFile {
  readonly id: string;
  readonly name: string;
  readonly mimetype: string;
  readonly mode: 'snippet' | 'hosted';
  readonly content: Buffer;
  readonly user: string;
  title?: string;
}

/** A message as Slack keeps it; `versions` has everything it ever said, newest last. */
export interface SlackMessage {
  readonly ts: string;
  readonly channel: string;
  readonly user?: string;
  readonly botId?: string;
  readonly subtype?: string;
  readonly threadTs?: string;
  readonly versions: SlackVersion[];
  metadata?: Json;
  readonly reactions: Map<string, Set<string>>;
  files: readonly string[];
  editedTs?: string;
  isDeleted: boolean;
  /** A root that was deleted while it had replies stays as one. */
  isTombstone: boolean;
  isLocked: boolean;
}

/** Somebody was notified because of a message of the app. */
export interface SlackPing {
  readonly ts: string;
  readonly whom: string;
}

export interface SlackWhisper {
  readonly channel: string;
  readonly user: string;
  readonly threadTs?: string;
  readonly version: SlackVersion;
}

export const TEAM = 'T0TEAM';
export const BOT_USER = 'U0BOT';
export const BOT_ID = 'B0BOT';
export const APP_ID = 'A0APP';

/** One workspace with the app installed; all of it in memory. */
export class SlackWorld {
  readonly users = new Map<string, SlackUser>();
  readonly channels = new Map<string, SlackChannel>();
  readonly usergroups = new Map<string, readonly string[]>();
  readonly files = new Map<string, SlackFile>();
  readonly messages: SlackMessage[] = [];
  readonly whispers: SlackWhisper[] = [];
  readonly pings: SlackPing[] = [];
  /** Messages of the app whose links were unfurled. */
  readonly unfurled: string[] = [];
  /** Modals that the app opened, by view id. */
  readonly views = new Map<string, Json>();
  readonly triggers = new Map<string, number>();
  #lastMicros = 0;
  #next = 1;

  constructor() {
    this.addUser({ id: BOT_USER, name: 'afk-bridge', teamId: TEAM, isBot: true });
    this.addUser({ id: 'U0ALICE', name: 'Alice', teamId: TEAM });
    this.addUser({ id: 'U0BOB', name: 'Bob', teamId: TEAM });
    this.addUser({ id: 'U0GUEST', name: 'Gus Guest', teamId: TEAM, isRestricted: true });
    this.addUser({ id: 'U0ELSE', name: 'Eve Elsewhere', teamId: 'T0OTHER' });
    this.addChannel('C0AGENTS', 'agents');
  }

  addUser(user: SlackUser): void {
    this.users.set(user.id, user);
  }

  addChannel(id: string, name: string, isPrivate = false): SlackChannel {
    const members = new Set(this.users.keys());
    const channel = { id, name, isPrivate, isArchived: false, isDeleted: false, members };
    this.channels.set(id, channel);
    return channel;
  }

  /** Unique and growing, in seconds with six digits. */
  newTs(): string {
    this.#lastMicros = Math.max(this.#lastMicros + 1, Date.now() * 1000);
    const text = String(this.#lastMicros);
    return `${text.slice(0, -6)}.${text.slice(-6)}`;
  }

  newId(prefix: string): string {
    return `${prefix}${String(this.#next++).padStart(6, '0')}`;
  }

  channel(id: unknown): SlackChannel {
    const channel = this.channels.get(String(id));
    if (channel === undefined || channel.isDeleted) throw new SlackRefusal('channel_not_found');
    return channel;
  }

  /** A channel that the bot may act in. */
  joined(id: unknown): SlackChannel {
    const channel = this.channel(id);
    if (!channel.members.has(BOT_USER))
      throw new SlackRefusal(channel.isPrivate ? 'channel_not_found' : 'not_in_channel');
    if (channel.isArchived) throw new SlackRefusal('is_archived');
    return channel;
  }

  message(channel: unknown, ts: unknown): SlackMessage | undefined {
    return this.messages.find((m) => m.channel === channel && m.ts === ts && !m.isDeleted);
  }

  /** What stands in a thread now, its root first. */
  thread(channel: string, root: string): readonly SlackMessage[] {
    return this.messages.filter(
      (m) => m.channel === channel && !m.isDeleted && (m.ts === root || m.threadTs === root),
    );
  }

  store(
    from: Pick<SlackMessage, 'channel' | 'versions'> &
      Partial<Pick<SlackMessage, 'user' | 'botId' | 'subtype' | 'threadTs' | 'metadata' | 'files'>>,
  ): SlackMessage {
    const { files = [], ...rest } = from;
    const message: SlackMessage = {
      ...rest,
      ts: this.newTs(),
      files,
      reactions: new Map(),
      isDeleted: false,
      isTombstone: false,
      isLocked: false,
    };
    this.messages.push(message);
    return message;
  }

  remove(message: SlackMessage): void {
    const hasReplies = this.messages.some((m) => m.threadTs === message.ts && !m.isDeleted);
    if (hasReplies) message.isTombstone = true;
    else message.isDeleted = true;
  }
}

export const nowOf = (message: SlackMessage): SlackVersion =>
  message.versions.at(-1) ?? { text: '', blocks: [] };
