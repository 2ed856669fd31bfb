/** Exactly what the bridge calls and hears; each scope with what needs it. */
const SCOPES = {
  'app_mentions:read': 'app_mention',
  'channels:history': 'replies in public channels',
  'channels:read': 'whether the bot is in a public channel',
  'chat:write': 'posts and edits',
  'files:read': 'files and snippets that people send',
  'files:write': 'long texts as files',
  'groups:history': 'replies in private channels',
  'groups:read': 'whether the bot is in a private channel',
  'reactions:read': 'the interrupt reaction, and our own marks after a restart',
  'reactions:write': 'marks on replies',
  'usergroups:read': 'usergroups in access',
  'users:read': 'names, guests, members of other workspaces',
} as const;

export const BOT_SCOPES: readonly string[] = Object.keys(SCOPES);

const BOT_EVENTS = [
  'app_mention',
  'app_uninstalled',
  'channel_archive',
  'channel_deleted',
  'channel_left',
  'channel_unarchive',
  'group_archive',
  'group_deleted',
  'group_left',
  'group_unarchive',
  'member_joined_channel',
  'message.channels',
  'message.groups',
  'reaction_added',
  'reaction_removed',
  'tokens_revoked',
] as const;

/** The app's manifest, as api.slack.com/apps takes it. The app-level token is made by hand after it. */
export const manifest = (name = 'afk-bridge'): Readonly<Record<string, unknown>> => ({
  _metadata: { major_version: 2, minor_version: 1 },
  display_information: {
    name,
    description: 'Shows coding-agent runs as threads and carries replies back',
    background_color: '#1f2937',
  },
  features: { bot_user: { display_name: name, always_online: true } },
  oauth_config: { scopes: { bot: [...BOT_SCOPES] } },
  settings: {
    event_subscriptions: { bot_events: [...BOT_EVENTS] },
    interactivity: { is_enabled: true },
    org_deploy_enabled: false,
    socket_mode_enabled: true,
    token_rotation_enabled: false,
  },
});
