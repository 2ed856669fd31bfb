import { z } from 'zod';
import type {
  Actor,
  ChatEvent,
  ChatEventBody,
  ChatFile,
  MessageRef,
  ThreadRef,
} from '../../bridge/model/chat.ts';
import { type ActorId, id, type PlatformId } from '../../bridge/model/ids.ts';
import { emojiName, type Names, plainText } from './inbound-plain.ts';
import { madeAt } from './limits.ts';

const platform = id<PlatformId>('discord');
const number = z.string().regex(/^\d+$/);

const userShape = z.object({
  id: number,
  username: z.string(),
  global_name: z.string().nullish(),
  bot: z.boolean().optional(),
});
const memberShape = z.object({
  roles: z.array(z.string()),
  nick: z.string().nullish(),
  pending: z.boolean().optional(),
});
const attachmentShape = z.object({
  id: number,
  filename: z.string(),
  size: z.number(),
  url: z.string(),
  content_type: z.string().nullish(),
});

/** A message as the Gateway and the history give it; what is not needed here is left out. */
export const messageShape = z.object({
  id: number,
  channel_id: number,
  type: z.number(),
  content: z.string(),
  author: userShape,
  member: memberShape.optional(),
  webhook_id: z.string().optional(),
  mentions: z.array(userShape.extend({ member: memberShape.partial().optional() })).default([]),
  attachments: z.array(attachmentShape).default([]),
  edited_timestamp: z.string().nullish(),
  message_reference: z
    .object({ type: z.number().optional(), message_id: z.string().optional() })
    .optional(),
  message_snapshots: z
    .array(z.object({ message: z.object({ content: z.string().default('') }) }))
    .optional(),
});
export type MessageSeen = z.output<typeof messageShape>;

export const reactionShape = z.object({
  user_id: number,
  channel_id: number,
  message_id: number,
  emoji: z.object({ id: z.string().nullish(), name: z.string().nullish() }),
  member: memberShape.extend({ user: userShape }).optional(),
});
export type ReactionSeen = z.output<typeof reactionShape>;

export type User = z.output<typeof userShape>;
export type Member = z.output<typeof memberShape>;
export const memberWithUser = memberShape.extend({ user: userShape });

export interface InboundContext {
  readonly thread: ThreadRef;
  readonly guild: string;
  readonly names: Omit<Names, 'user'>;
}

/** Who it was, for the policy: `discord:GUILD/user:ID`, roles as `discord:GUILD/role:ID`. */
export const actorOf = (
  user: User,
  member: Member | undefined,
  guild: string,
  isWebhook = false,
): Actor => ({
  id: id<ActorId>(`discord:${guild}/user:${user.id}`),
  displayName: member?.nick ?? user.global_name ?? user.username,
  groups: (member?.roles ?? []).map((role) => `discord:${guild}/role:${role}`),
  isBot: user.bot === true || isWebhook,
  isGuest: member?.pending === true,
  ...(isWebhook && { isWebhook }),
});

/** Only what people write: a message (0) or a reply (19); the rest is Discord's own. */
const isWritten = (message: MessageSeen): boolean => message.type === 0 || message.type === 19;

export const isFromPerson = (message: MessageSeen, self: string): boolean =>
  isWritten(message) && message.author.id !== self;

/** The client turns a long text into this file: then the file is the message (D7). */
export const longTextOf = (
  message: MessageSeen,
): MessageSeen['attachments'][number] | undefined => {
  const [only, ...others] = message.attachments;
  const isText =
    only?.filename === 'message.txt' &&
    (only.content_type ?? 'text/plain').startsWith('text/plain');
  return isText && others.length === 0 && message.content === '' ? only : undefined;
};

const namesFor = (message: MessageSeen, names: InboundContext['names']): Names => ({
  ...names,
  user: (user) => {
    const found = message.mentions.find((mention) => mention.id === user);
    return found?.member?.nick ?? found?.global_name ?? found?.username;
  },
});

const textOf = (
  message: MessageSeen,
  ctx: InboundContext,
  longText: string | undefined,
): string => {
  const forwarded = (message.message_snapshots ?? []).map((s) => s.message.content);
  const said = longText ?? (forwarded.length > 0 ? forwarded.join('\n') : message.content);
  return plainText(said, namesFor(message, ctx.names));
};

const filesOf = (message: MessageSeen): readonly ChatFile[] =>
  message.attachments.map((file) => ({
    name: file.filename,
    mimeType: file.content_type ?? 'application/octet-stream',
    bytes: file.size,
    // The address of a file runs out; the message keeps giving new ones.
    source: `${message.channel_id}/${message.id}/${file.id}`,
  }));

const refOf = (thread: ThreadRef, message: string): MessageRef => ({ thread, message });

const actorOfMessage = (message: MessageSeen, guild: string): Actor =>
  actorOf(message.author, message.member, guild, message.webhook_id !== undefined);

/** @param more `longText`: what `longTextOf` held. */
export const replyEvent = (
  message: MessageSeen,
  ctx: InboundContext,
  more: { readonly longText?: string | undefined; readonly isFromHistory?: boolean } = {},
): ChatEvent => {
  const { thread, guild } = ctx;
  const files = more.longText === undefined ? filesOf(message) : [];
  const mentions = [...new Set([...message.content.matchAll(/<@!?(\d+)>/g)].map((m) => m[1]))].map(
    (user) => id<ActorId>(`discord:${guild}/user:${user}`),
  );
  const repliedTo = message.type === 19 ? message.message_reference?.message_id : undefined;
  const body: ChatEventBody = {
    type: 'reply',
    text: textOf(message, ctx, more.longText),
    messageRef: refOf(thread, message.id),
    ...(more.isFromHistory === true && { isFromHistory: true }),
    ...(files.length > 0 && { files }),
    ...(mentions.length > 0 && { mentions }),
    ...(repliedTo !== undefined && { inReplyTo: refOf(thread, repliedTo) }),
  };
  return {
    key: `discord:message:${message.channel_id}:${message.id}`,
    platform,
    actor: actorOfMessage(message, guild),
    target: { thread },
    at: madeAt(message.id),
    body,
  };
};

/** Undefined: no edit of a person, but a link's card, a pin, a thread that began. */
export const editEvent = (
  message: MessageSeen,
  ctx: InboundContext,
  longText?: string,
): ChatEvent | undefined => {
  const { edited_timestamp: edited } = message;
  if (edited === null || edited === undefined) return undefined;
  const { thread, guild } = ctx;
  return {
    key: `discord:edit:${message.channel_id}:${message.id}:${edited}`,
    platform,
    actor: actorOfMessage(message, guild),
    target: { thread },
    at: Date.parse(edited),
    body: {
      type: 'edit',
      messageRef: refOf(thread, message.id),
      text: textOf(message, ctx, longText),
    },
  };
};

/** @param actor who wrote it: Discord does not say who deleted it. @param at ms since the epoch, when we heard of it. */
export const deleteEvent = (
  thread: ThreadRef,
  message: string,
  actor: Actor,
  at: number,
): ChatEvent => ({
  key: `discord:delete:${thread.thread}:${message}`,
  platform,
  actor,
  target: { thread },
  at,
  body: { type: 'delete', messageRef: refOf(thread, message) },
});

const reactionWindow = 10_000;

/** Discord gives a reaction no time of its own: within 10 s it is the same one. */
export const reactionEvent = (
  reaction: ReactionSeen,
  actor: Actor,
  thread: ThreadRef,
  { isAdded, at }: { readonly isAdded: boolean; readonly at: number },
): ChatEvent => {
  const emoji = emojiName(reaction.emoji);
  const slot = Math.floor(at / reactionWindow);
  return {
    key: `discord:reaction:${reaction.message_id}:${reaction.user_id}:${emoji}:${isAdded ? '+' : '-'}:${slot}`,
    platform,
    actor,
    target: { thread },
    at,
    body: { type: 'reaction', messageRef: refOf(thread, reaction.message_id), emoji, isAdded },
  };
};
