import type { SlackMethod } from './slack-methods.ts';
import { showMessage, showUser } from './slack-show.ts';
import {
  BOT_ID,
  BOT_USER,
  type Json,
  type SlackMessage,
  SlackRefusal,
  TEAM,
} from './slack-world.ts';

interface Page {
  readonly shown: readonly SlackMessage[];
  readonly has_more: boolean;
  readonly response_metadata: Json;
}

const within = (args: Json, messages: readonly SlackMessage[]): readonly SlackMessage[] => {
  const oldest = Number(args['oldest'] ?? 0);
  const latest = Number(args['latest'] ?? Number.POSITIVE_INFINITY);
  const isInclusive = String(args['inclusive']) === 'true';
  return messages.filter(({ ts }) =>
    isInclusive
      ? Number(ts) >= oldest && Number(ts) <= latest
      : Number(ts) > oldest && Number(ts) < latest,
  );
};

const page = (args: Json, messages: readonly SlackMessage[]): Page => {
  const limit = Math.min(Number(args['limit'] ?? 100), 1_000);
  const from = args['cursor'] === undefined ? 0 : Number(String(args['cursor']).replace('at', ''));
  const next = from + limit < messages.length ? `at${from + limit}` : '';
  return {
    shown: messages.slice(from, from + limit),
    has_more: next !== '',
    response_metadata: { next_cursor: next },
  };
};

const history: SlackMethod = (args, { world, url }) => {
  const channel = world.joined(args['channel']);
  const roots = world.messages.filter(
    (m) => m.channel === channel.id && m.threadTs === undefined && !m.isDeleted,
  );
  const { shown, ...rest } = page(args, within(args, roots).toReversed());
  const withMetadata = String(args['include_all_metadata']) === 'true';
  return { messages: shown.map((m) => showMessage(world, m, url, withMetadata)), ...rest };
};

const replies: SlackMethod = (args, { world, url }) => {
  const channel = world.joined(args['channel']);
  const named = world.message(channel.id, args['ts']);
  if (named === undefined) throw new SlackRefusal('thread_not_found');
  const rootTs = named.threadTs ?? named.ts;
  const thread = world.thread(channel.id, rootTs);
  const below = within(
    args,
    thread.filter((m) => m.ts !== rootTs),
  );
  // The root comes first on the first page, whatever the range.
  const root = thread.filter((m) => m.ts === rootTs);
  const { shown, ...rest } = page(args, [...root, ...below]);
  const withMetadata = String(args['include_all_metadata']) === 'true';
  return { messages: shown.map((m) => showMessage(world, m, url, withMetadata)), ...rest };
};

const channelInfo: SlackMethod = (args, { world }) => {
  const channel = world.channel(args['channel']);
  const isMember = channel.members.has(BOT_USER);
  if (channel.isPrivate && !isMember) throw new SlackRefusal('channel_not_found');
  return {
    channel: {
      id: channel.id,
      name: channel.name,
      is_channel: true,
      is_private: channel.isPrivate,
      is_archived: channel.isArchived,
      is_member: isMember,
    },
  };
};

const userInfo: SlackMethod = (args, { world }) => {
  const user = world.users.get(String(args['user']));
  if (user === undefined) throw new SlackRefusal('user_not_found');
  return { user: showUser(user) };
};

const usergroupUsers: SlackMethod = (args, { world }) => {
  const users = world.usergroups.get(String(args['usergroup']));
  if (users === undefined) throw new SlackRefusal('no_such_subteam');
  return { users };
};

const reactionsOf: SlackMethod = (args, { world, url }) => {
  world.joined(args['channel']);
  const message = world.message(args['channel'], args['timestamp']);
  if (message === undefined) throw new SlackRefusal('message_not_found');
  return { type: 'message', message: showMessage(world, message, url, false) };
};

const authTest: SlackMethod = (_args, { url }) => ({
  url,
  team: 'Team',
  user: 'afk-bridge',
  team_id: TEAM,
  user_id: BOT_USER,
  bot_id: BOT_ID,
  is_enterprise_install: false,
});

export const readMethods: Readonly<Record<string, SlackMethod>> = {
  'auth.test': authTest,
  'conversations.history': history,
  'conversations.replies': replies,
  'conversations.info': channelInfo,
  'users.info': userInfo,
  'usergroups.users.list': usergroupUsers,
  'reactions.get': reactionsOf,
};
