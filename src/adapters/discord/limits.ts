import type { Budgeted } from '../../bridge/ports/chat-adapter.ts';

/** Discord's own bounds (compat/discord/compat.md names the source of each). */
export const limits = {
  /** Characters of a message, counted in UTF-16 units: never fewer than Discord counts. */
  content: 2_000,
  nonce: 25,
  threadName: 100,
  fileBytes: 10 * 1024 * 1024,
  rows: 5,
  buttonsInRow: 5,
  buttonLabel: 80,
  options: 25,
  optionLabel: 100,
  customId: 100,
  linkUrl: 512,
  modalTitle: 45,
  ownWords: 4_000,
  appliedTags: 5,
  pageOfMessages: 100,
} as const;

/** A response to a click can be followed by others for 15 min; we stop a little sooner, ms. */
export const tokenLife = 14 * 60_000;

export const messageFlags = { suppressEmbeds: 1 << 2, ephemeral: 1 << 6 } as const;

/** Guilds, GuildMessages, GuildMessageReactions, MessageContent (privileged). */
export const intents = (1 << 0) | (1 << 9) | (1 << 10) | (1 << 15);

/** What the bot needs where it shows threads, by the names that Discord's settings use. */
export const permissions: readonly { readonly name: string; readonly bit: bigint }[] = [
  { name: 'View Channels', bit: 1n << 10n },
  { name: 'Send Messages', bit: 1n << 11n },
  { name: 'Send Messages in Threads', bit: 1n << 38n },
  { name: 'Create Public Threads', bit: 1n << 35n },
  { name: 'Read Message History', bit: 1n << 16n },
  { name: 'Add Reactions', bit: 1n << 6n },
  { name: 'Embed Links', bit: 1n << 14n },
  { name: 'Attach Files', bit: 1n << 15n },
  { name: 'Manage Threads', bit: 1n << 34n },
];

export const permissionSum: bigint = permissions.reduce((sum, { bit }) => sum | bit, 0n);

/** Adds the bot to a guild with exactly what it needs. @param applicationId digits. */
export const inviteLink = (applicationId: string): string =>
  `https://discord.com/oauth2/authorize?client_id=${applicationId}&scope=bot&permissions=${permissionSum}`;

const base64 = /^[A-Za-z0-9+/_-]+=*$/;

/** The application that a bot token belongs to; undefined: it does not look like a token. */
export const applicationOf = (token: string): string | undefined => {
  const [first = '', ...rest] = token.split('.');
  if (rest.length !== 2 || rest.some((part) => part === '') || !base64.test(first))
    return undefined;
  const digits = Buffer.from(first, 'base64').toString('latin1');
  return /^\d{15,25}$/.test(digits) ? digits : undefined;
};

export const channelTypes = { text: 0, announcement: 5, forum: 15, media: 16 } as const;
export const isForumType = (type: number): boolean =>
  type === channelTypes.forum || type === channelTypes.media;

const epoch = 1_420_070_400_000n;
/** The smallest id of something made at that time, ms since the epoch. */
export const idAt = (at: number): string =>
  String((at > Number(epoch) ? BigInt(Math.floor(at)) - epoch : 0n) << 22n);
/** ms since the epoch. */
export const madeAt = (snowflake: string): number => Number((BigInt(snowflake) >> 22n) + epoch);
export const isAfter = (a: string, b: string): boolean => BigInt(a) > BigInt(b);

/**
 * Only the global limit of 50 calls a second is planned for: how much one channel takes is said in
 * each answer, and a call that would be too early is refused before it goes (`rate-limited`).
 */
export const budgets: Budgeted['budgets'] = {
  open: { burst: 5, perMinute: 60, per: 'platform' },
  post: { burst: 20, perMinute: 900, per: 'platform' },
  edit: { burst: 10, perMinute: 600, per: 'platform' },
  receipt: { burst: 10, perMinute: 600, per: 'platform' },
};
