import {
  channelType,
  type FakeChannel,
  type FakeMember,
  type FakeMessage,
  type FakeUser,
  messageFlags,
} from './discord-model.ts';

/** How things look on the wire. */
export const time = (at: number): string => new Date(at).toISOString();

const createdAt = (id: string): string => time(Number((BigInt(id) >> 22n) + 1_420_070_400_000n));

export const userOnWire = (user: FakeUser): object => ({ ...user, public_flags: 0 });

export const memberOnWire = (member: FakeMember): object => ({
  user: userOnWire(member.user),
  nick: member.nick,
  avatar: null,
  roles: member.roles,
  joined_at: time(0),
  deaf: false,
  mute: false,
  flags: 0,
  pending: member.pending,
});

export const isThread = (channel: FakeChannel): boolean =>
  channel.type === channelType.publicThread || channel.type === channelType.privateThread;

export const channelOnWire = (channel: FakeChannel, guild: string): object => {
  const common = { id: channel.id, type: channel.type, name: channel.name };
  if (channel.type === channelType.dm)
    return { id: channel.id, type: 1, recipients: [{ id: channel.recipient }] };
  if (isThread(channel))
    return {
      ...common,
      guild_id: guild,
      parent_id: channel.parent_id,
      owner_id: channel.owner_id,
      applied_tags: channel.applied_tags,
      message_count: 0,
      member_count: 1,
      rate_limit_per_user: 0,
      flags: 0,
      thread_metadata: {
        archived: channel.archived,
        locked: channel.locked,
        auto_archive_duration: channel.autoArchive,
        archive_timestamp: createdAt(channel.id),
        create_timestamp: createdAt(channel.id),
      },
    };
  return {
    ...common,
    guild_id: guild,
    position: 0,
    permission_overwrites: [{ id: guild, type: 0, allow: '0', deny: String(channel.denied) }],
    parent_id: null,
    nsfw: false,
    flags: channel.requiresTag ? 1 << 4 : 0,
    ...(channel.type === channelType.forum && {
      available_tags: channel.available_tags.map((tag) => ({
        ...tag,
        emoji_id: null,
        emoji_name: null,
      })),
      default_reaction_emoji: null,
      default_sort_order: null,
      default_forum_layout: 0,
    }),
  };
};

export interface MessageView {
  readonly guild: string;
  readonly members: ReadonlyMap<string, FakeMember>;
  readonly bot: FakeUser;
  readonly channelNamed: (id: string) => FakeChannel | undefined;
}

export const messageOnWire = (message: FakeMessage, view: MessageView): object => {
  const member = view.members.get(message.author.id);
  const thread = message.thread === undefined ? undefined : view.channelNamed(message.thread);
  const mentioned = [...message.content.matchAll(/<@!?(\d+)>/g)].flatMap(([, id = '']) => {
    const found = view.members.get(id);
    return found === undefined ? [] : [found.user];
  });
  return {
    id: message.id,
    channel_id: message.channel_id,
    author: userOnWire(message.author),
    ...(message.webhook_id !== undefined && { webhook_id: message.webhook_id }),
    content: message.content,
    timestamp: createdAt(message.id),
    edited_timestamp: message.editedAt === undefined ? null : time(message.editedAt),
    tts: false,
    mention_everyone: false,
    mentions: mentioned.map(userOnWire),
    mention_roles: [],
    attachments: message.attachments.map(({ text: _text, ...rest }) => ({
      ...rest,
      proxy_url: rest.url,
    })),
    embeds: message.flags & messageFlags.suppressEmbeds ? [] : message.embeds,
    components: message.components,
    reactions: [...message.reactions].map(([name, who]) => ({
      emoji: { id: null, name },
      count: who.size,
      count_details: { burst: 0, normal: who.size },
      burst_colors: [],
      me_burst: false,
      me: who.has(view.bot.id),
    })),
    pinned: false,
    type: message.type,
    flags: message.flags | (message.thread === undefined ? 0 : messageFlags.hasThread),
    ...(message.reference !== undefined && {
      message_reference: { type: 0, guild_id: view.guild, ...message.reference },
    }),
    ...(thread !== undefined && { thread: channelOnWire(thread, view.guild) }),
    ...(member !== undefined && {
      member: { roles: member.roles, nick: member.nick, pending: member.pending },
    }),
  };
};

/** Without the privileged intent everything that people wrote is empty. */
export const withoutContent = (wire: object): object => ({
  ...wire,
  content: '',
  embeds: [],
  attachments: [],
  components: [],
});
