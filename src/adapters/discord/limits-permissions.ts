import { permissions } from './limits.ts';

export interface Overwrite {
  readonly id: string;
  /** Bit sums as Discord writes them. */
  readonly allow: string;
  readonly deny: string;
}

export interface Standing {
  readonly guild: string;
  readonly bot: string;
  /** Roles of the bot. */
  readonly roles: readonly string[];
  readonly guildRoles: readonly { readonly id: string; readonly permissions: string }[];
  readonly overwrites: readonly Overwrite[];
}

const administrator = 1n << 3n;

/** What a bot may do in a channel: roles first, then what the channel takes and gives, its own last. */
export const permissionsIn = ({ guild, bot, roles, guildRoles, overwrites }: Standing): bigint => {
  const own = new Set([guild, ...roles]);
  const base = guildRoles
    .filter((role) => own.has(role.id))
    .reduce((sum, role) => sum | BigInt(role.permissions), 0n);
  if ((base & administrator) !== 0n) return ~0n;
  const apply = (from: bigint, which: readonly Overwrite[]): bigint => {
    const deny = which.reduce((sum, o) => sum | BigInt(o.deny), 0n);
    const allow = which.reduce((sum, o) => sum | BigInt(o.allow), 0n);
    return (from & ~deny) | allow;
  };
  const everyone = overwrites.filter((o) => o.id === guild);
  const ofRoles = overwrites.filter((o) => roles.includes(o.id));
  const ofBot = overwrites.filter((o) => o.id === bot);
  return apply(apply(apply(base, everyone), ofRoles), ofBot);
};

/** Names of what is missing, as Discord's settings call them. */
export const missingPermissions = (has: bigint): readonly string[] =>
  permissions.flatMap(({ name, bit }) => ((has & bit) === 0n ? [name] : []));
