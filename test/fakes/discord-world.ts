import {
  channelType,
  DiscordFault,
  type FakeChannel,
  type FakeMember,
  type FakeMessage,
  type FakePing,
  type FakeUser,
  invitedWith,
  messageFlags,
  permission,
  snowflakeAt,
} from './discord-model.ts';
import type { MessageBody } from './discord-validate.ts';
import { channelOnWire, isThread, memberOnWire, messageOnWire } from './discord-wire.ts';

export interface Dispatch {
  readonly t: string;
  readonly d: object;
  /** Written by a person: the privileged intent is needed to read it. */
  readonly isPrivileged?: boolean;
}

const user = (id: string, username: string, isBot = false): FakeUser => ({
  id,
  username,
  global_name: isBot ? null : username.charAt(0).toUpperCase() + username.slice(1),
  bot: isBot,
  discriminator: '0',
  avatar: null,
});

export const ids = {
  guild: '500000000000000001',
  bot: '700000000000000001',
  text: '600000000000000001',
  forum: '600000000000000002',
  alice: '800000000000000001',
  bob: '800000000000000002',
  drivers: '900000000000000001',
} as const;

/** One guild with a text channel, a forum and two people; everything that happens is told to `onDispatch`. */
export class DiscordWorld {
  readonly bot = user(ids.bot, 'afk-bridge', true);
  readonly channels = new Map<string, FakeChannel>();
  readonly members = new Map<string, FakeMember>();
  readonly messages: FakeMessage[] = [];
  /** Everyone whom a message of the bot notified. */
  readonly pings: FakePing[] = [];
  /** Messages of the bot that showed a link's card. */
  readonly unfurls: string[] = [];
  readonly nonces = new Map<string, { readonly message: string; readonly at: number }>();
  nonceWindowMs = 180_000;
  botPermissions = invitedWith;
  /** The switch in the portal, as the application's flags show it. */
  isContentFlagged = true;
  isKicked = false;
  areDirectMessagesClosed = false;
  mostActiveThreads = 1_000;
  onDispatch: (dispatch: Dispatch) => void = () => undefined;
  #count = 0;

  constructor() {
    for (const [id, name] of [
      [ids.alice, 'alice'],
      [ids.bob, 'bob'],
    ] as const)
      this.members.set(id, { user: user(id, name), roles: [], nick: null, pending: false });
    this.members.set(ids.bot, { user: this.bot, roles: [], nick: null, pending: false });
    this.#addChannel({ id: ids.text, type: channelType.text, name: 'agents' });
    const tags = ['working', 'needs input', 'ended'].map((name) => ({
      id: this.newId(),
      name,
      moderated: false,
    }));
    this.#addChannel({
      id: ids.forum,
      type: channelType.forum,
      name: 'runs',
      available_tags: tags,
    });
  }

  /** @param at ms since the epoch; default now. */
  newId(at = Date.now()): string {
    return snowflakeAt(at, this.#count++);
  }

  get view() {
    return {
      guild: ids.guild,
      members: this.members,
      bot: this.bot,
      channelNamed: (id: string) => this.channels.get(id),
    };
  }

  onWire(message: FakeMessage): object {
    return messageOnWire(message, this.view);
  }

  guildOnWire(): object {
    const all = [...this.channels.values()].filter((c) => c.type !== channelType.dm);
    return {
      id: ids.guild,
      name: 'Guild',
      owner_id: ids.alice,
      unavailable: false,
      joined_at: new Date(0).toISOString(),
      large: false,
      member_count: this.members.size,
      features: [],
      roles: this.rolesOnWire(),
      emojis: [],
      stickers: [],
      channels: all.filter((c) => !isThread(c)).map((c) => channelOnWire(c, ids.guild)),
      threads: all
        .filter((c) => isThread(c) && !c.archived)
        .map((c) => channelOnWire(c, ids.guild)),
      members: [...this.members.values()].map(memberOnWire),
      presences: [],
      voice_states: [],
      stage_instances: [],
      guild_scheduled_events: [],
      soundboard_sounds: [],
    };
  }

  rolesOnWire(): readonly object[] {
    const role = (id: string, name: string, permissions: bigint) => ({
      id,
      name,
      permissions: String(permissions),
      position: 0,
      color: 0,
      hoist: false,
      managed: false,
      mentionable: false,
      flags: 0,
    });
    return [role(ids.guild, '@everyone', this.botPermissions), role(ids.drivers, 'drivers', 0n)];
  }

  #addChannel(channel: Partial<FakeChannel> & Pick<FakeChannel, 'id' | 'type' | 'name'>) {
    const made: FakeChannel = {
      archived: false,
      locked: false,
      autoArchive: 1440,
      applied_tags: [],
      available_tags: [],
      requiresTag: false,
      denied: 0n,
      ...channel,
    };
    this.channels.set(made.id, made);
    return made;
  }

  directChannel(recipient: string): FakeChannel {
    const known = [...this.channels.values()].find((c) => c.recipient === recipient);
    return (
      known ?? this.#addChannel({ id: this.newId(), type: channelType.dm, name: '', recipient })
    );
  }

  /** A channel that the bot may see. */
  channel(id: string): FakeChannel {
    const found = this.channels.get(id);
    if (found === undefined) throw new DiscordFault(404, 10003, 'Unknown Channel');
    if (found.type === channelType.dm) return found;
    if (this.isKicked) throw new DiscordFault(403, 50001, 'Missing Access');
    this.need(found, 'viewChannel', 50001);
    return found;
  }

  need(channel: FakeChannel, name: keyof typeof permission, code = 50013): void {
    if (channel.type === channelType.dm) return;
    const parent = this.channels.get(channel.parent_id ?? '');
    const denied = channel.denied | (parent?.denied ?? 0n);
    if ((this.botPermissions & ~denied & permission[name]) === 0n)
      throw new DiscordFault(403, code, code === 50001 ? 'Missing Access' : 'Missing Permissions');
  }

  message(channel: string, id: string): FakeMessage {
    const found = this.messages.find((m) => m.channel_id === channel && m.id === id);
    if (found === undefined || found.isDeleted)
      throw new DiscordFault(404, 10008, 'Unknown Message');
    return found;
  }

  addThread(
    parent: FakeChannel,
    name: string,
    owner: string,
    detail: { id?: string; tags?: string[]; autoArchive?: number; type?: number } = {},
  ): FakeChannel {
    const active = [...this.channels.values()].filter((c) => isThread(c) && !c.archived);
    if (active.length >= this.mostActiveThreads)
      throw new DiscordFault(400, 160006, 'Maximum number of active threads reached');
    const thread = this.#addChannel({
      id: detail.id ?? this.newId(),
      type: detail.type ?? channelType.publicThread,
      name,
      parent_id: parent.id,
      owner_id: owner,
      applied_tags: detail.tags ?? [],
      autoArchive: detail.autoArchive ?? 1440,
    });
    this.onDispatch({
      t: 'THREAD_CREATE',
      d: { ...channelOnWire(thread, ids.guild), newly_created: true },
    });
    return thread;
  }

  changeThread(thread: FakeChannel): void {
    this.onDispatch({ t: 'THREAD_UPDATE', d: channelOnWire(thread, ids.guild) });
  }

  /** Stores a message and tells everybody. */
  add(
    message: Partial<FakeMessage> & Pick<FakeMessage, 'channel_id' | 'author'>,
    at?: number,
  ): FakeMessage {
    const content = (message.content ?? '').trim();
    const made: FakeMessage = {
      id: this.newId(at),
      type: message.reference === undefined ? 0 : 19,
      embeds: [],
      components: [],
      attachments: [],
      flags: 0,
      editedAt: undefined,
      history: [content],
      reactions: new Map(),
      isDeleted: false,
      ...message,
      content,
    };
    this.messages.push(made);
    const channel = this.channels.get(made.channel_id);
    if (channel?.archived === true && !channel.locked) {
      channel.archived = false;
      this.changeThread(channel);
    }
    if (made.ephemeralFor === undefined) this.tell('MESSAGE_CREATE', made);
    return made;
  }

  tell(t: 'MESSAGE_CREATE' | 'MESSAGE_UPDATE', message: FakeMessage): void {
    const channel = this.channels.get(message.channel_id);
    if (channel?.type === channelType.dm) return;
    const nonce = message.nonce === undefined ? {} : { nonce: message.nonce };
    this.onDispatch({
      t,
      d: { ...this.onWire(message), ...nonce, guild_id: ids.guild },
      isPrivileged:
        message.author.id !== this.bot.id && !message.content.includes(`<@${this.bot.id}>`),
    });
  }

  /** What a message of the bot does to people: notifications, and the cards of its links. */
  noteEffects(message: FakeMessage, body: MessageBody): void {
    const { allowed_mentions: allowed } = body;
    const parse = allowed === undefined ? ['everyone', 'users', 'roles'] : (allowed.parse ?? []);
    const ping = (who: string) => this.pings.push({ message: message.id, who });
    if (parse.includes('everyone'))
      for (const [who] of message.content.matchAll(/@(?:everyone|here)\b/g)) ping(who);
    for (const [, kind = '', id = ''] of message.content.matchAll(/<@(&|!?)(\d+)>/g)) {
      const isRole = kind === '&';
      const listed = isRole ? allowed?.roles : allowed?.users;
      if (parse.includes(isRole ? 'roles' : 'users') || listed?.includes(id) === true)
        ping(isRole ? `role:${id}` : id);
    }
    const isSuppressed = (message.flags & messageFlags.suppressEmbeds) !== 0;
    if (!isSuppressed && /(?<!<)https?:\/\/\S+/.test(message.content))
      this.unfurls.push(message.id);
  }
}
