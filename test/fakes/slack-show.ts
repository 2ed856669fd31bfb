import {
  APP_ID,
  BOT_USER,
  type Json,
  nowOf,
  type SlackFile,
  type SlackMessage,
  type SlackUser,
  type SlackWorld,
  TEAM,
} from './slack-world.ts';

export const showFile = (file: SlackFile, url: string): Json => ({
  id: file.id,
  name: file.name,
  title: file.title ?? file.name,
  mimetype: file.mimetype,
  mode: file.mode,
  size: file.content.length,
  user: file.user,
  url_private: `${url}files/${file.id}`,
  url_private_download: `${url}files/${file.id}/download`,
});

/** A message as events and history have it. */
export const showMessage = (
  world: SlackWorld,
  message: SlackMessage,
  url: string,
  withMetadata: boolean,
): Json => {
  const { text, blocks } = nowOf(message);
  const root = world.messages.find((m) => m.ts === (message.threadTs ?? ''));
  const replies = world.messages.filter((m) => m.threadTs === message.ts && !m.isDeleted);
  const files = message.files.flatMap((id) => {
    const file = world.files.get(id);
    return file === undefined ? [] : [showFile(file, url)];
  });
  if (message.isTombstone)
    return {
      type: 'message',
      subtype: 'tombstone',
      text: 'This message was deleted.',
      user: 'USLACKBOT',
      hidden: true,
      ts: message.ts,
      thread_ts: message.ts,
      reply_count: replies.length,
    };
  return {
    type: 'message',
    ts: message.ts,
    text,
    ...(message.user !== undefined && {
      user: message.user,
      team: world.users.get(message.user)?.teamId ?? TEAM,
    }),
    ...(message.botId !== undefined && { bot_id: message.botId, app_id: APP_ID }),
    ...(message.subtype !== undefined && { subtype: message.subtype }),
    ...(blocks.length > 0 && { blocks }),
    ...(files.length > 0 && { files, upload: false }),
    ...(message.threadTs !== undefined && {
      thread_ts: message.threadTs,
      ...(root?.user !== undefined && { parent_user_id: root.user }),
    }),
    ...(replies.length > 0 && {
      thread_ts: message.ts,
      reply_count: replies.length,
      latest_reply: replies.at(-1)?.ts,
      is_locked: message.isLocked,
    }),
    ...(message.editedTs !== undefined && { edited: { user: message.user, ts: message.editedTs } }),
    ...(withMetadata && message.metadata !== undefined && { metadata: message.metadata }),
    ...(message.reactions.size > 0 && {
      reactions: [...message.reactions].map(([name, users]) => ({
        name,
        users: [...users],
        count: users.size,
      })),
    }),
  };
};

export const showUser = (user: SlackUser): Json => ({
  id: user.id,
  team_id: user.teamId,
  name: user.name.toLowerCase().replaceAll(' ', '.'),
  real_name: user.name,
  deleted: user.isDeactivated === true,
  is_bot: user.isBot === true,
  is_restricted: user.isRestricted === true || user.isUltraRestricted === true,
  is_ultra_restricted: user.isUltraRestricted === true,
  ...(user.teamId !== TEAM && { is_stranger: true }),
  profile: { display_name: user.name, real_name: user.name },
});

/** The frame of every event of the Events API. */
export const eventBody = (world: SlackWorld, event: Json): Json => ({
  token: 'dummy-verification-token',
  team_id: TEAM,
  context_team_id: TEAM,
  api_app_id: APP_ID,
  type: 'event_callback',
  event_id: world.newId('Ev'),
  event_time: Math.floor(Date.now() / 1000),
  authorizations: [{ team_id: TEAM, user_id: BOT_USER, is_bot: true }],
  event,
});
