import {
  channelType,
  DiscordFault,
  type FakeAttachment,
  type FakeMessage,
} from './discord-model.ts';
import { checkMessage, checkThreadName, type MessageBody } from './discord-validate.ts';
import { channelOnWire, isThread, memberOnWire } from './discord-wire.ts';
import { type DiscordWorld, ids } from './discord-world.ts';

export interface Upload {
  readonly filename: string;
  readonly text: string;
  readonly type: string;
  readonly size: number;
}

export interface Call {
  readonly world: DiscordWorld;
  /** Where files are fetched from. */
  readonly cdn: string;
  readonly params: readonly string[];
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly files: readonly Upload[];
}

export type Route = readonly [RegExp, (call: Call) => object | undefined];

export const attach = (
  { world, cdn }: Pick<Call, 'world' | 'cdn'>,
  file: Upload,
): FakeAttachment => {
  const id = world.newId();
  return {
    id,
    filename: file.filename,
    size: file.size,
    content_type: file.type,
    url: `${cdn}/attachments/${id}/${file.filename}`,
    text: file.text,
  };
};

/** Refuses what an archived or locked thread does not take. */
const checkThread = (world: DiscordWorld, id: string, what: 'send' | 'change'): void => {
  const channel = world.channel(id);
  if (!isThread(channel)) return;
  if (channel.locked) world.need(channel, 'manageThreads');
  if (channel.archived && what === 'change')
    throw new DiscordFault(400, 50083, 'Thread is archived');
};

export const post = (call: Call, channelId: string): FakeMessage => {
  const { world, files } = call;
  const body = call.body as MessageBody;
  const channel = world.channel(channelId);
  if (channel.type === channelType.forum)
    throw new DiscordFault(400, 50008, 'Cannot send messages in a non-text channel');
  if (channel.type === channelType.dm && world.areDirectMessagesClosed)
    throw new DiscordFault(403, 50007, 'Cannot send messages to this user');
  world.need(channel, isThread(channel) ? 'sendInThreads' : 'sendMessages');
  if (files.length > 0) world.need(channel, 'attachFiles');
  checkThread(world, channelId, 'send');
  checkMessage(body, files, { content: '', files: 0, rows: 0 });
  const nonce = body.nonce === undefined ? undefined : String(body.nonce);
  if (nonce !== undefined && body.enforce_nonce === true) {
    const known = world.nonces.get(`${channelId} ${nonce}`);
    if (known !== undefined && Date.now() - known.at < world.nonceWindowMs)
      return world.message(channelId, known.message);
  }
  const made = world.add({
    channel_id: channelId,
    author: world.bot,
    content: body.content ?? '',
    embeds: [...(body.embeds ?? [])],
    components: [...(body.components ?? [])],
    flags: body.flags ?? 0,
    attachments: files.map((file) => attach(call, file)),
    ...(nonce !== undefined && { nonce }),
  });
  if (nonce !== undefined)
    world.nonces.set(`${channelId} ${nonce}`, { message: made.id, at: Date.now() });
  world.noteEffects(made, body);
  return made;
};

const edit = (call: Call, channelId: string, id: string): FakeMessage => {
  const { world, files } = call;
  const body = call.body as MessageBody;
  world.channel(channelId);
  const message = world.message(channelId, id);
  if (message.author.id !== world.bot.id)
    throw new DiscordFault(403, 50005, 'Cannot edit a message authored by another user');
  checkThread(world, channelId, 'change');
  const kept = message.attachments.filter(
    (a) => body.attachments?.some((b) => b.id === a.id) ?? true,
  );
  checkMessage(body, files, {
    content: message.content,
    files: kept.length,
    rows: message.components.length,
  });
  if (body.content !== undefined) message.content = (body.content ?? '').trim();
  if (body.components !== undefined) message.components = [...body.components];
  if (body.flags !== undefined) message.flags = body.flags;
  message.attachments = [...kept, ...files.map((file) => attach(call, file))];
  message.history.push(message.content);
  message.editedAt = Date.now();
  world.tell('MESSAGE_UPDATE', message);
  // Edits never notify, but a link may get its card.
  world.noteEffects(message, { allowed_mentions: { parse: [] } });
  return message;
};

const page = ({ world, query }: Call, channelId: string): readonly object[] => {
  const channel = world.channel(channelId);
  world.need(channel, 'readHistory');
  const limit = Number(query.get('limit') ?? '50');
  if (!(limit >= 1 && limit <= 100)) throw new DiscordFault(400, 50035, 'Invalid Form Body');
  const after = query.get('after');
  const before = query.get('before');
  const all = world.messages
    .filter((m) => m.channel_id === channelId && !m.isDeleted && m.ephemeralFor === undefined)
    .sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
  const newer = after === null ? all : all.filter((m) => BigInt(m.id) > BigInt(after));
  const older = before === null ? newer : newer.filter((m) => BigInt(m.id) < BigInt(before));
  const chosen = after === null ? older.slice(-limit) : older.slice(0, limit);
  return chosen.reverse().map((m) => world.onWire(m));
};

const react = ({ world, params }: Call, isAdded: boolean): undefined => {
  const [channelId = '', id = '', emoji = ''] = params;
  const channel = world.channel(channelId);
  const message = world.message(channelId, id);
  checkThread(world, channelId, 'change');
  if (isAdded) world.need(channel, 'addReactions');
  const name = decodeURIComponent(emoji);
  if (!/\p{Extended_Pictographic}/u.test(name)) throw new DiscordFault(400, 10014, 'Unknown Emoji');
  const who = message.reactions.get(name) ?? new Set<string>();
  if (isAdded && !message.reactions.has(name) && message.reactions.size >= 20)
    throw new DiscordFault(403, 30010, 'Maximum number of reactions reached (20)');
  if (isAdded) who.add(world.bot.id);
  else who.delete(world.bot.id);
  if (who.size === 0) message.reactions.delete(name);
  else message.reactions.set(name, who);
  world.onDispatch({
    t: isAdded ? 'MESSAGE_REACTION_ADD' : 'MESSAGE_REACTION_REMOVE',
    d: {
      user_id: world.bot.id,
      channel_id: channelId,
      message_id: id,
      guild_id: ids.guild,
      emoji: { id: null, name },
    },
  });
  return undefined;
};

const startThread = ({ world, params, body }: Call): object => {
  const [channelId = '', id = ''] = params;
  const channel = world.channel(channelId);
  world.need(channel, 'createThreads');
  const message = world.message(channelId, id);
  const asked = body as { name?: string; auto_archive_duration?: number };
  checkThreadName(asked.name);
  if (message.thread !== undefined)
    throw new DiscordFault(400, 160004, 'A thread has already been created for this message');
  const thread = world.addThread(channel, asked.name ?? '', world.bot.id, {
    id,
    autoArchive: asked.auto_archive_duration ?? 1440,
  });
  message.thread = thread.id;
  world.tell('MESSAGE_UPDATE', message);
  world.add({ channel_id: thread.id, author: world.bot, type: 21 });
  return channelOnWire(thread, ids.guild);
};

const startPost = (call: Call): object => {
  const { world, params, body } = call;
  const [channelId = ''] = params;
  const channel = world.channel(channelId);
  const asked = body as {
    name?: string;
    auto_archive_duration?: number;
    applied_tags?: string[];
    type?: number;
    message?: MessageBody;
  };
  checkThreadName(asked.name);
  if (channel.type !== channelType.forum) {
    world.need(channel, 'createThreads');
    const type = asked.type ?? channelType.privateThread;
    const thread = world.addThread(channel, asked.name ?? '', world.bot.id, { type });
    world.add({ channel_id: channelId, author: world.bot, type: 18, content: asked.name ?? '' });
    return channelOnWire(thread, ids.guild);
  }
  world.need(channel, 'sendMessages');
  const tags = asked.applied_tags ?? [];
  if (channel.requiresTag && tags.length === 0)
    throw new DiscordFault(400, 40067, 'A tag is required to create a forum post in this channel');
  if (tags.length > 5 || tags.some((t) => !channel.available_tags.some((a) => a.id === t)))
    throw new DiscordFault(400, 50035, 'Invalid Form Body', { applied_tags: 'unknown' });
  const message = asked.message ?? {};
  checkMessage(message, call.files, { content: '', files: 0, rows: 0 });
  const thread = world.addThread(channel, asked.name ?? '', world.bot.id, {
    tags,
    autoArchive: asked.auto_archive_duration ?? 1440,
  });
  const made = world.add({
    id: thread.id,
    channel_id: thread.id,
    author: world.bot,
    content: message.content ?? '',
    components: [...(message.components ?? [])],
    flags: message.flags ?? 0,
    attachments: call.files.map((file) => attach(call, file)),
  });
  world.noteEffects(made, message);
  return { ...channelOnWire(thread, ids.guild), message: world.onWire(made) };
};

const changeChannel = ({ world, params, body }: Call): object => {
  const channel = world.channel(params[0] ?? '');
  const asked = body as {
    name?: string;
    archived?: boolean;
    locked?: boolean;
    applied_tags?: string[];
  };
  if (isThread(channel)) {
    const isOwn = channel.owner_id === world.bot.id;
    if (channel.locked || asked.locked !== undefined || !isOwn)
      world.need(channel, 'manageThreads');
    const isOnlyUnarchived = asked.archived === false;
    if (channel.archived && !isOnlyUnarchived)
      throw new DiscordFault(400, 50083, 'Thread is archived');
  }
  if (asked.name !== undefined) checkThreadName(asked.name);
  if (asked.name !== undefined) channel.name = asked.name;
  if (asked.archived !== undefined) channel.archived = asked.archived;
  if (asked.locked !== undefined) channel.locked = asked.locked;
  if (asked.applied_tags !== undefined) {
    if (asked.applied_tags.length > 5) throw new DiscordFault(400, 50035, 'Invalid Form Body');
    channel.applied_tags = asked.applied_tags;
  }
  world.changeThread(channel);
  return channelOnWire(channel, ids.guild);
};

const remove = ({ world, params }: Call): undefined => {
  const [channelId = '', id = ''] = params;
  world.channel(channelId);
  const message = world.message(channelId, id);
  checkThread(world, channelId, 'change');
  message.isDeleted = true;
  world.onDispatch({
    t: 'MESSAGE_DELETE',
    d: { id, channel_id: channelId, guild_id: ids.guild },
  });
  return undefined;
};

const threadsOf = (world: DiscordWorld, isArchived: boolean, parent?: string): object => ({
  threads: [...world.channels.values()]
    .filter(
      (c) => isThread(c) && c.archived === isArchived && (parent ?? c.parent_id) === c.parent_id,
    )
    .reverse()
    .map((c) => channelOnWire(c, ids.guild)),
  members: [],
  has_more: false,
});

const n = '(\\d+)';
const route = (pattern: string) => new RegExp(`^${pattern}$`);

export const routes: readonly Route[] = [
  [route('GET /users/@me'), ({ world }) => ({ ...world.bot })],
  [
    route('GET /applications/@me'),
    ({ world }) => ({
      id: world.bot.id,
      name: 'afk-bridge',
      flags: world.isContentFlagged ? 1 << 19 : 0,
      bot_public: true,
    }),
  ],
  [
    route('POST /users/@me/channels'),
    ({ world, body }) => {
      const { recipient_id: recipient } = body as { recipient_id: string };
      return channelOnWire(world.directChannel(recipient), ids.guild);
    },
  ],
  [route(`GET /guilds/${n}/threads/active`), ({ world }) => threadsOf(world, false)],
  [route(`GET /guilds/${n}/roles`), ({ world }) => [...world.rolesOnWire()]],
  [
    route(`GET /guilds/${n}/members/${n}`),
    ({ world, params }) => {
      const member = world.members.get(params[1] ?? '');
      if (member === undefined) throw new DiscordFault(404, 10007, 'Unknown Member');
      return memberOnWire(member);
    },
  ],
  [
    route(`GET /channels/${n}/threads/archived/public`),
    ({ world, params }) => threadsOf(world, true, params[0]),
  ],
  [
    route(`GET /channels/${n}`),
    ({ world, params }) => channelOnWire(world.channel(params[0] ?? ''), ids.guild),
  ],
  [route(`PATCH /channels/${n}`), changeChannel],
  [route(`GET /channels/${n}/messages`), (call) => [...page(call, call.params[0] ?? '')]],
  [
    route(`GET /channels/${n}/messages/${n}`),
    ({ world, params: [channel = '', id = ''] }) => {
      world.channel(channel);
      return world.onWire(world.message(channel, id));
    },
  ],
  [
    route(`POST /channels/${n}/messages`),
    (call) => {
      const made = post(call, call.params[0] ?? '');
      return { ...call.world.onWire(made), ...(made.nonce !== undefined && { nonce: made.nonce }) };
    },
  ],
  [
    route(`PATCH /channels/${n}/messages/${n}`),
    (call) => call.world.onWire(edit(call, call.params[0] ?? '', call.params[1] ?? '')),
  ],
  [route(`DELETE /channels/${n}/messages/${n}`), remove],
  [route(`PUT /channels/${n}/messages/${n}/reactions/([^/]+)/@me`), (call) => react(call, true)],
  [
    route(`DELETE /channels/${n}/messages/${n}/reactions/([^/]+)/@me`),
    (call) => react(call, false),
  ],
  [route(`POST /channels/${n}/messages/${n}/threads`), startThread],
  [route(`POST /channels/${n}/threads`), startPost],
];
