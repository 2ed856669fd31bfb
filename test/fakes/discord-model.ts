/** What the loopback Discord keeps. Fields have the wire's own names. */
export interface FakeUser {
  readonly id: string;
  readonly username: string;
  readonly global_name: string | null;
  readonly bot: boolean;
  readonly discriminator: '0';
  readonly avatar: null;
}

export interface FakeMember {
  readonly user: FakeUser;
  roles: string[];
  nick: string | null;
  pending: boolean;
}

export const channelType = { text: 0, dm: 1, publicThread: 11, privateThread: 12, forum: 15 };

export interface FakeTag {
  readonly id: string;
  readonly name: string;
  readonly moderated: boolean;
}

export interface FakeChannel {
  readonly id: string;
  readonly type: number;
  name: string;
  readonly parent_id?: string;
  readonly owner_id?: string;
  archived: boolean;
  locked: boolean;
  autoArchive: number;
  applied_tags: string[];
  readonly available_tags: FakeTag[];
  requiresTag: boolean;
  /** Permissions that the bot lacks here. */
  denied: bigint;
  readonly recipient?: string;
}

export interface FakeAttachment {
  readonly id: string;
  readonly filename: string;
  readonly size: number;
  readonly content_type: string;
  url: string;
  readonly text: string;
}

export interface FakeMessage {
  readonly id: string;
  readonly channel_id: string;
  readonly author: FakeUser;
  readonly webhook_id?: string;
  readonly type: number;
  readonly nonce?: string;
  readonly reference?: { readonly message_id: string; readonly channel_id: string };
  content: string;
  embeds: unknown[];
  components: FakeRow[];
  attachments: FakeAttachment[];
  flags: number;
  editedAt: number | undefined;
  /** Every content it ever had, newest last. */
  readonly history: string[];
  readonly reactions: Map<string, Set<string>>;
  isDeleted: boolean;
  thread?: string;
  /** Seen by one person only. */
  readonly ephemeralFor?: string;
}

export interface FakeComponent {
  readonly type: number;
  readonly style?: number;
  readonly label?: string;
  readonly custom_id?: string;
  readonly url?: string;
  readonly disabled?: boolean;
  readonly options?: readonly { readonly label: string; readonly value: string }[];
  readonly min_values?: number;
  readonly max_values?: number;
  readonly placeholder?: string;
  readonly component?: FakeComponent;
  readonly value?: string;
}
export interface FakeRow {
  readonly type: number;
  readonly components?: readonly FakeComponent[];
  readonly label?: string;
  readonly component?: FakeComponent;
}

export interface FakeModal {
  readonly custom_id: string;
  readonly title: string;
  readonly components: readonly FakeRow[];
}

/** Whom a message of the bot notified. */
export interface FakePing {
  readonly message: string;
  readonly who: string;
}

/** Rejects a call as Discord does. */
export class DiscordFault extends Error {
  readonly status: number;
  readonly code: number;
  readonly errors: object | undefined;
  constructor(status: number, code: number, message: string, errors?: object) {
    super(message);
    this.status = status;
    this.code = code;
    this.errors = errors;
  }
}

export const permission = {
  addReactions: 1n << 6n,
  viewChannel: 1n << 10n,
  sendMessages: 1n << 11n,
  embedLinks: 1n << 14n,
  attachFiles: 1n << 15n,
  readHistory: 1n << 16n,
  mentionEveryone: 1n << 17n,
  manageThreads: 1n << 34n,
  createThreads: 1n << 35n,
  sendInThreads: 1n << 38n,
};
export const invitedWith = 326417632320n;

const epoch = 1_420_070_400_000n;
/** @param at ms since the epoch. */
export const snowflakeAt = (at: number, count: number): string =>
  String(((BigInt(at) - epoch) << 22n) | BigInt(count & 0x3fffff));

export const messageFlags = { suppressEmbeds: 1 << 2, hasThread: 1 << 5, ephemeral: 1 << 6 };
