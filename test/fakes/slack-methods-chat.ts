import type { MethodContext, SlackMethod } from './slack-methods.ts';
import { pingsOf, wouldUnfurl } from './slack-pings.ts';
import { showMessage } from './slack-show.ts';
import { checkMessage, checkView } from './slack-validate.ts';
import {
  BOT_ID,
  BOT_USER,
  type Json,
  nowOf,
  type SlackMessage,
  SlackRefusal,
  type SlackVersion,
  type SlackWorld,
} from './slack-world.ts';

const versionOf = (args: Json): SlackVersion => ({
  text: String(args['text'] ?? ''),
  blocks: (args['blocks'] ?? []) as readonly Json[],
});

const isArgText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Under which root a message comes; a reply's ts is re-rooted, a root that is gone is no root. */
const rootOf = (world: SlackWorld, channel: string, threadTs: unknown): string | undefined => {
  if (!isArgText(threadTs)) return undefined;
  const named = world.message(channel, threadTs);
  const root = named?.threadTs ?? named?.ts;
  if (root !== undefined && world.message(channel, root)?.isLocked === true)
    throw new SlackRefusal('restricted_action_thread_locked');
  return root;
};

/** What the app's own message looks like to everybody who listens. */
export const emitMessage = (message: SlackMessage, { world, emit, url }: MethodContext): void =>
  emit({
    ...showMessage(world, message, url, true),
    channel: message.channel,
    channel_type: 'channel',
    event_ts: message.ts,
  });

const own = (args: Json, { world }: MethodContext, cant: string): SlackMessage => {
  world.joined(args['channel']);
  const message = world.message(args['channel'], args['ts']);
  if (message === undefined || message.isTombstone) throw new SlackRefusal('message_not_found');
  if (message.botId !== BOT_ID) throw new SlackRefusal(cant);
  return message;
};

const changed = (message: SlackMessage, before: Json, ctx: MethodContext): void => {
  const ts = ctx.world.newTs();
  ctx.emit({
    type: 'message',
    subtype: 'message_changed',
    channel: message.channel,
    channel_type: 'channel',
    hidden: true,
    ts,
    event_ts: ts,
    message: showMessage(ctx.world, message, ctx.url, true),
    previous_message: before,
  });
};

const postMessage: SlackMethod = (args, ctx) => {
  const { world } = ctx;
  const channel = world.joined(args['channel']);
  checkMessage(args, 'post');
  const threadTs = rootOf(world, channel.id, args['thread_ts']);
  const version = versionOf(args);
  const message = world.store({
    channel: channel.id,
    user: BOT_USER,
    botId: BOT_ID,
    // Documented: what is longer is truncated.
    versions: [{ ...version, text: version.text.slice(0, 40_000) }],
    ...(threadTs !== undefined && { threadTs }),
    ...(args['metadata'] !== undefined && { metadata: args['metadata'] as Json }),
  });
  for (const whom of pingsOf(args)) world.pings.push({ ts: message.ts, whom });
  emitMessage(message, ctx);
  if (wouldUnfurl(args)) {
    world.unfurled.push(message.ts);
    changed(message, showMessage(world, message, ctx.url, true), ctx);
  }
  return {
    channel: channel.id,
    ts: message.ts,
    message: showMessage(world, message, ctx.url, true),
  };
};

const update: SlackMethod = (args, ctx) => {
  const message = own(args, ctx, 'cant_update_message');
  checkMessage(args, 'update');
  const before = showMessage(ctx.world, message, ctx.url, true);
  // An update by text alone takes the blocks away.
  message.versions.push(versionOf(args));
  message.editedTs = ctx.world.newTs();
  const files = args['file_ids'] as readonly string[] | undefined;
  if (files?.some((id) => !ctx.world.files.has(id)) === true)
    throw new SlackRefusal('file_not_found');
  if (files !== undefined) message.files = files;
  changed(message, before, ctx);
  return { channel: message.channel, ts: message.ts, text: nowOf(message).text };
};

const remove: SlackMethod = (args, ctx) => {
  const message = own(args, ctx, 'cant_delete_message');
  const previous = showMessage(ctx.world, message, ctx.url, true);
  ctx.world.remove(message);
  const ts = ctx.world.newTs();
  ctx.emit({
    type: 'message',
    subtype: 'message_deleted',
    channel: message.channel,
    deleted_ts: message.ts,
    hidden: true,
    ts,
    event_ts: ts,
    previous_message: previous,
  });
  return { channel: message.channel, ts: message.ts };
};

const postEphemeral: SlackMethod = (args, { world }) => {
  const channel = world.joined(args['channel']);
  if (!channel.members.has(String(args['user']))) throw new SlackRefusal('user_not_in_channel');
  checkMessage(args, 'post');
  world.whispers.push({
    channel: channel.id,
    user: String(args['user']),
    ...(isArgText(args['thread_ts']) && { threadTs: args['thread_ts'] }),
    version: versionOf(args),
  });
  return { message_ts: world.newTs() };
};

const reacted = (args: Json, { world }: MethodContext): SlackMessage => {
  world.joined(args['channel']);
  const message = world.message(args['channel'], args['timestamp']);
  if (message === undefined) throw new SlackRefusal('message_not_found');
  return message;
};

const react: SlackMethod = (args, ctx) => {
  const message = reacted(args, ctx);
  const name = String(args['name']);
  if (!/^[a-z0-9_+'-]+(::skin-tone-[2-6])?$/.test(name)) throw new SlackRefusal('invalid_name');
  const users = message.reactions.get(name) ?? new Set();
  if (users.has(BOT_USER)) throw new SlackRefusal('already_reacted');
  message.reactions.set(name, users.add(BOT_USER));
  ctx.emit(reactionEvent('reaction_added', message, name, BOT_USER, ctx.world));
  return {};
};

const unreact: SlackMethod = (args, ctx) => {
  const message = reacted(args, ctx);
  const name = String(args['name']);
  const users = message.reactions.get(name);
  if (users?.delete(BOT_USER) !== true) throw new SlackRefusal('no_reaction');
  if (users.size === 0) message.reactions.delete(name);
  ctx.emit(reactionEvent('reaction_removed', message, name, BOT_USER, ctx.world));
  return {};
};

export const reactionEvent = (
  type: 'reaction_added' | 'reaction_removed',
  message: SlackMessage,
  reaction: string,
  user: string,
  world: SlackWorld,
): Json => ({
  type,
  user,
  reaction,
  item: { type: 'message', channel: message.channel, ts: message.ts },
  ...(message.user !== undefined && { item_user: message.user }),
  event_ts: world.newTs(),
});

const openView: SlackMethod = (args, { world }) => {
  const trigger = String(args['trigger_id']);
  const until = world.triggers.get(trigger);
  if (until === undefined) throw new SlackRefusal('exchanged_trigger_id');
  world.triggers.delete(trigger);
  if (Date.now() > until) throw new SlackRefusal('expired_trigger_id');
  const view = args['view'] as Json;
  checkView(view);
  const id = world.newId('V');
  world.views.set(id, { ...view, id });
  return { view: { ...view, id } };
};

export const chatMethods: Readonly<Record<string, SlackMethod>> = {
  'chat.postMessage': postMessage,
  'chat.update': update,
  'chat.delete': remove,
  'chat.postEphemeral': postEphemeral,
  'reactions.add': react,
  'reactions.remove': unreact,
  'views.open': openView,
};
