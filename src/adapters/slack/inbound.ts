import { z } from 'zod';

/** Who we are in this workspace. */
export interface Identity {
  readonly team: string;
  readonly botUser: string;
  readonly botId: string;
}

/** Who did something, as far as the event says. */
export interface Sender {
  readonly user: string | undefined;
  readonly bot: string | undefined;
}

const fileSchema = z.looseObject({
  id: z.string().optional(),
  name: z.string().nullish(),
  title: z.string().nullish(),
  mimetype: z.string().nullish(),
  mode: z.string().nullish(),
  size: z.number().optional(),
  url_private: z.string().optional(),
  url_private_download: z.string().optional(),
});
export type SharedFile = z.output<typeof fileSchema>;

const messageSchema = z.looseObject({
  type: z.string().optional(),
  subtype: z.string().optional(),
  ts: z.string().optional(),
  thread_ts: z.string().optional(),
  parent_user_id: z.string().optional(),
  text: z.string().nullish(),
  user: z.string().nullish(),
  bot_id: z.string().nullish(),
  blocks: z.array(z.unknown()).optional(),
  files: z.array(fileSchema).optional(),
  edited: z.looseObject({ ts: z.string() }).optional(),
});
export type SlackText = z.output<typeof messageSchema>;

const eventSchema = messageSchema.extend({
  channel: z.union([z.string(), z.looseObject({ id: z.string() })]).optional(),
  message: messageSchema.optional(),
  previous_message: messageSchema.optional(),
  deleted_ts: z.string().optional(),
  reaction: z.string().optional(),
  item: z.looseObject({ channel: z.string().optional(), ts: z.string().optional() }).optional(),
  event_ts: z.string().optional(),
  tokens: z.looseObject({ bot: z.array(z.string()).optional() }).optional(),
});
type Event = z.output<typeof eventSchema>;

const bodySchema = z.looseObject({ type: z.string(), event: eventSchema.optional() });

interface InThread {
  readonly channel: string;
  readonly thread: string;
  readonly ts: string;
  readonly from: Sender;
}

/** What an event of the Events API means here; pure facts, nobody is looked up yet. */
export type Inbound =
  | (InThread & { readonly type: 'message'; readonly message: SlackText })
  | (InThread & { readonly type: 'edit'; readonly editedTs: string; readonly message: SlackText })
  | (InThread & { readonly type: 'delete' })
  | {
      readonly type: 'reaction';
      readonly channel: string;
      readonly ts: string;
      readonly user: string;
      readonly name: string;
      readonly isAdded: boolean;
      readonly eventTs: string;
    }
  | { readonly type: 'root-deleted'; readonly channel: string; readonly ts: string }
  | {
      readonly type: 'channel';
      readonly channel: string;
      readonly state: 'archived' | 'open' | 'left' | 'gone';
    }
  | { readonly type: 'revoked' }
  | { readonly type: 'ignored' };

const IGNORED: Inbound = { type: 'ignored' };

/** Words of a person; every other subtype is Slack speaking of itself. */
const SPOKEN = new Set([undefined, 'file_share', 'thread_broadcast', 'me_message', 'bot_message']);

const senderOf = (message: SlackText): Sender => ({
  user: message.user ?? undefined,
  bot: message.bot_id ?? undefined,
});

const isOurs = (message: SlackText | undefined, self: Identity): boolean =>
  message !== undefined && (message.bot_id === self.botId || message.user === self.botUser);

/** A message of the thread, not its root; of a thread that is not ours when that is known. */
const replyIn = (message: SlackText, channel: string, self: Identity): InThread | undefined => {
  const { ts, thread_ts: thread } = message;
  if (ts === undefined || thread === undefined || thread === ts) return undefined;
  if (message.parent_user_id !== undefined && message.parent_user_id !== self.botUser)
    return undefined;
  return { channel, thread, ts, from: senderOf(message) };
};

/** Also for what was read back from history. */
export const readMessage = (message: SlackText, channel: string, self: Identity): Inbound => {
  const place = replyIn(message, channel, self);
  if (place === undefined || isOurs(message, self) || !SPOKEN.has(message.subtype)) return IGNORED;
  return { type: 'message', ...place, message };
};

/** Later words of a message; also for what was read back from history. */
export const readEdit = (message: SlackText, channel: string, self: Identity): Inbound => {
  const place = replyIn(message, channel, self);
  const editedTs = message.edited?.ts;
  if (place === undefined || editedTs === undefined || isOurs(message, self)) return IGNORED;
  return { type: 'edit', ...place, editedTs, message };
};

const changed = (event: Event, channel: string, self: Identity): Inbound => {
  const { message, previous_message: before } = event;
  if (message === undefined || isOurs(message, self) || isOurs(before, self)) return IGNORED;
  const root = before?.thread_ts;
  if (message.subtype === 'tombstone')
    return before === undefined
      ? IGNORED
      : deleted({ ...event, deleted_ts: message.ts }, channel, self);
  // A card under a link, a new reply count: the words are the same.
  if (before !== undefined && (before.text ?? '') === (message.text ?? '')) return IGNORED;
  const thread_ts = message.thread_ts ?? root;
  const withThread = thread_ts === undefined ? message : { ...message, thread_ts };
  return readEdit(withThread, channel, self);
};

const deleted = (event: Event, channel: string, self: Identity): Inbound => {
  const { deleted_ts: ts, previous_message: before } = event;
  if (ts === undefined || before === undefined) return IGNORED;
  const isRoot = before.thread_ts === undefined || before.thread_ts === ts;
  if (isOurs(before, self)) return isRoot ? { type: 'root-deleted', channel, ts } : IGNORED;
  const place = replyIn({ ...before, ts }, channel, self);
  return place === undefined ? IGNORED : { type: 'delete', ...place };
};

const reaction = (event: Event, self: Identity): Inbound => {
  const { item, user, reaction: name, event_ts: eventTs } = event;
  if (item?.channel === undefined || item.ts === undefined || eventTs === undefined) return IGNORED;
  if (typeof user !== 'string' || name === undefined || user === self.botUser) return IGNORED;
  const isAdded = event.type === 'reaction_added';
  return { type: 'reaction', channel: item.channel, ts: item.ts, user, name, isAdded, eventTs };
};

const CHANNEL_STATES = {
  channel_archive: 'archived',
  group_archive: 'archived',
  channel_unarchive: 'open',
  group_unarchive: 'open',
  channel_left: 'left',
  group_left: 'left',
  channel_deleted: 'gone',
  group_deleted: 'gone',
} as const;

const isChannelEvent = (type: string | undefined): type is keyof typeof CHANNEL_STATES =>
  type !== undefined && type in CHANNEL_STATES;

/** One body of the Events API. What is not understood is no news. */
export const readEvent = (body: unknown, self: Identity): Inbound => {
  const { event } = bodySchema.safeParse(body).data ?? {};
  if (event === undefined) return IGNORED;
  const channel = typeof event.channel === 'string' ? event.channel : event.channel?.id;
  const isOurToken =
    event.type === 'tokens_revoked' && event.tokens?.bot?.includes(self.botUser) === true;
  if (isOurToken || event.type === 'app_uninstalled') return { type: 'revoked' };
  if (event.type === 'reaction_added' || event.type === 'reaction_removed')
    return reaction(event, self);
  if (channel === undefined) return IGNORED;
  if (isChannelEvent(event.type))
    return { type: 'channel', channel, state: CHANNEL_STATES[event.type] };
  if (event.type === 'member_joined_channel' && event.user === self.botUser)
    return { type: 'channel', channel, state: 'open' };
  // A mention comes twice, as itself and as a message; both have the message's own key.
  if (event.type === 'app_mention') return readMessage(event, channel, self);
  if (event.type !== 'message') return IGNORED;
  if (event.subtype === 'message_changed') return changed(event, channel, self);
  if (event.subtype === 'message_deleted') return deleted(event, channel, self);
  return readMessage(event, channel, self);
};

export const readStored = (raw: unknown): SlackText | undefined =>
  messageSchema.safeParse(raw).data;
