import { BridgeError, type PlatformErrorCode } from '../../bridge/model/errors.ts';

interface Verdict {
  readonly code: PlatformErrorCode;
  /** What the operator does about it. */
  readonly remedy?: string;
}

const auth = (remedy: string): Verdict => ({ code: 'auth', remedy });
const noAccess = (remedy: string): Verdict => ({ code: 'no-access', remedy });
const rejected: Verdict = { code: 'rejected' };

const NEW_TOKEN = 'Install the app to the workspace again and set the new bot token';
const WRONG_KIND =
  'slack.botToken must be the bot token (xoxb-…) and slack.appToken the app-level token (xapp-…)';
const INVITE = 'Invite the bot into the channel: /invite @afk-bridge';

/** Slack's `error` strings that are a definite no: nothing has happened. */
const KNOWN: Readonly<Record<string, Verdict>> = {
  invalid_auth: auth(NEW_TOKEN),
  not_authed: auth(NEW_TOKEN),
  account_inactive: auth(NEW_TOKEN),
  token_revoked: auth(NEW_TOKEN),
  token_expired: auth(NEW_TOKEN),
  user_removed_from_team: auth(NEW_TOKEN),
  team_disabled: auth('The workspace is disabled; ask its owner'),
  app_uninstalled: auth(NEW_TOKEN),
  not_allowed_token_type: auth(WRONG_KIND),
  missing_scope: auth('Add the missing scope from the manifest and install the app again'),
  no_permission: auth('Add the missing scope from the manifest and install the app again'),
  access_denied: auth('Ask the workspace owner to allow the app'),
  ekm_access_denied: auth('Ask the workspace owner to allow the app'),
  org_login_required: auth('Ask the workspace owner to allow the app'),
  socket_mode_not_enabled: auth('Switch Socket Mode on in the settings of the app'),
  link_disabled: auth('Switch Socket Mode on in the settings of the app'),
  not_in_channel: noAccess(INVITE),
  // A private channel that the bot was taken out of looks the same as one that is gone.
  channel_not_found: noAccess(`${INVITE}, or remove the channel from the configuration`),
  is_archived: noAccess('Unarchive the channel, or remove it from the configuration'),
  is_inactive: noAccess('Unarchive the channel, or remove it from the configuration'),
  restricted_action: noAccess('Let the app post in this channel'),
  restricted_action_read_only_channel: noAccess('Let the app post in this channel'),
  restricted_action_non_threadable_channel: noAccess('Allow threads in this channel'),
  restricted_action_thread_only_channel: noAccess('Allow messages in this channel'),
  restricted_action_thread_locked: noAccess('Unlock the thread'),
  thread_not_found: { code: 'thread-gone' },
  cannot_reply_to_message: { code: 'thread-gone' },
  message_not_found: { code: 'message-gone' },
  file_not_found: { code: 'message-gone' },
};

/** Texts of these kinds Slack never takes; the next ones may go. */
const REJECTED = new Set([
  'msg_too_long',
  'msg_blocks_too_long',
  'invalid_blocks',
  'invalid_blocks_format',
  'no_text',
  'invalid_arguments',
  'invalid_arg_name',
  'invalid_array_arg',
  'invalid_form_data',
  'invalid_name',
  'metadata_too_large',
  'invalid_metadata_format',
  'invalid_metadata_schema',
  'too_many_attachments',
  'cant_update_message',
  'cant_delete_message',
  'edit_window_closed',
  'block_mismatch',
  'streaming_state_conflict',
  'user_not_in_channel',
  'user_not_found',
  'messages_tab_disabled',
  'markdown_text_conflict',
  'as_user_not_supported',
  'too_many_emoji',
  'too_many_reactions',
  'bad_timestamp',
  'unknown_method',
  'no_such_subteam',
  'already_reacted',
  'no_reaction',
  'exchanged_trigger_id',
  'expired_trigger_id',
  'file_update_failed',
]);

/** The way was never there: nothing was sent. */
const NOT_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** How long to wait where Slack says "too many" but not how long, ms. */
const DEFAULT_PAUSE = 5_000;

interface Failure {
  readonly code?: unknown;
  readonly data?: { readonly error?: unknown };
  readonly retryAfter?: unknown;
  readonly statusCode?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly original?: unknown;
  readonly errors?: unknown;
}

const codesIn = (error: unknown, depth = 0): readonly string[] => {
  if (typeof error !== 'object' || error === null || depth > 5) return [];
  const { code, cause, original, errors } = error as Failure;
  return [
    ...(typeof code === 'string' ? [code] : []),
    ...[cause, original, ...(Array.isArray(errors) ? errors : [])].flatMap((inner) =>
      codesIn(inner, depth + 1),
    ),
  ];
};

const limited = (retryAfterMs: number, cause: unknown): BridgeError =>
  new BridgeError('rate-limited', 'Slack: too many calls', { certain: true, retryAfterMs, cause });

const uncertain = (what: string, cause: unknown): BridgeError =>
  new BridgeError('unavailable', `Slack: ${what}`, { certain: false, cause });

/** `ok: false`; an error string that is not known may be anything, a page of HTML among others. */
const refusal = (error: string, cause: unknown): BridgeError => {
  if (error === 'ratelimited' || error === 'rate_limited' || error === 'message_limit_exceeded')
    return limited(DEFAULT_PAUSE, cause);
  const verdict = KNOWN[error] ?? (REJECTED.has(error) ? rejected : undefined);
  const name = /^[a-z_]{1,60}$/.test(error) ? error : 'an answer that is not known';
  if (verdict === undefined) return uncertain(name, cause);
  const { code, remedy } = verdict;
  return new BridgeError(code, `Slack: ${name}`, {
    certain: true,
    cause,
    ...(remedy !== undefined && { userMessage: `Slack says ${name}. ${remedy}.` }),
  });
};

/** The `error` string of `ok: false`; undefined for every other failure. */
export const platformErrorOf = (error: unknown): string | undefined => {
  const inner = error instanceof BridgeError ? error.cause : error;
  const data = (inner as Failure | undefined)?.data?.error;
  return typeof data === 'string' ? data : undefined;
};

/** What went wrong, told apart by what to do next. */
export const classify = (error: unknown): BridgeError => {
  if (error instanceof BridgeError) return error;
  const { code, retryAfter, statusCode, message } = (error ?? {}) as Failure;
  switch (code) {
    case 'slack_webapi_platform_error':
      return refusal(platformErrorOf(error) ?? '', error);
    case 'slack_webapi_rate_limited_error':
      return limited(Math.max(1, Number(retryAfter) || 1) * 1_000, error);
    case 'slack_webapi_http_error':
      return uncertain(`HTTP ${String(statusCode)}`, error);
    case 'slack_webapi_request_error': {
      const never = codesIn(error).find((inner) => NOT_SENT.has(inner));
      if (never === undefined) return uncertain('no answer', error);
      const sentence = `Slack cannot be reached (${never})`;
      return new BridgeError('unavailable', sentence, { certain: true, cause: error });
    }
    default:
      // A 429 that does not say how long has no class of its own in the SDK.
      return String(message).startsWith('Retry header did not contain')
        ? limited(DEFAULT_PAUSE, error)
        : uncertain(String(message), error);
  }
};
