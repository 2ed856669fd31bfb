/**
 * Opaque identifiers. Each is a string on the wire; the brand keeps one from being passed for
 * another. `id<T>()` is the only way in, used where outside data is parsed.
 */
declare const brand: unique symbol;
type Id<Name extends string> = string & { readonly [brand]: Name };

/** One machine and OS user; made once, kept in the state directory. */
export type HostId = Id<'HostId'>;
/** One agent process life: `<host>-<pid>-<process start time>`; URL-safe, the same after a restart of the bridge. */
export type RunId = Id<'RunId'>;
/** The provider's own conversation id. */
export type SessionId = Id<'SessionId'>;
/** A transcript row's uuid and block index (`uuid.0`), a tool_use id, or file id and byte offset. */
export type ItemId = Id<'ItemId'>;
/** tool_use id of a question or plan; `approval:` + tool_use id for a permission. */
export type DialogId = Id<'DialogId'>;
/** One reply, answer or interrupt on its way. Made by the chat side, unique for ever. */
export type DeliveryId = Id<'DeliveryId'>;
/** `slack`, `discord`, `web`, `memory`. */
export type PlatformId = Id<'PlatformId'>;
/** `claude-code`. */
export type ProviderId = Id<'ProviderId'>;
/** `platform:[team/]kind:id`, e.g. `slack:T0TEAM/user:U0BOB`, `web:owner`. */
export type ActorId = Id<'ActorId'>;
/** Our own id of a thread in one channel; a row of table `thread`. */
export type ThreadId = Id<'ThreadId'>;
/** A channel where threads are shown: `slack:C0AGENTS`. */
export type ChannelId = Id<'ChannelId'>;
/** One user input and all that the agent does until it yields: the uuid of the user row that began it. */
export type TurnId = Id<'TurnId'>;

/** Brands a string that was checked where it came in. */
export const id = <T extends Id<string>>(value: string): T => value as T;
