import type { Actor, ChatTarget, Role } from '../model/chat.ts';
import type { ActorId } from '../model/ids.ts';

/** One entry of `access` in the configuration; the configuration's own type fits. */
export interface AccessEntry {
  readonly platform: string;
  /** Slack team or Discord guild; absent: any that the bridge serves. */
  readonly team?: string;
  readonly kind: string;
  readonly id: string;
}

export interface Access {
  readonly owners: readonly AccessEntry[];
  readonly drivers: readonly AccessEntry[];
}

/** The role that an owner granted in one thread; a later grant replaces an earlier one. */
export type GrantReader = (target: ChatTarget, actor: ActorId) => Role | undefined;

const RANK: Readonly<Record<Role, number>> = { observer: 0, driver: 1, owner: 2 };

const FORM = /^(?<platform>[a-z]+):(?:(?<team>[^/:]+)\/)?(?:(?<kind>[a-z]+):)?(?<id>[^/:]+)$/;

const matches = (entry: AccessEntry, subject: string): boolean => {
  const parts = FORM.exec(subject)?.groups;
  return (
    parts !== undefined &&
    parts.platform === entry.platform &&
    (parts.kind ?? 'user') === entry.kind &&
    parts.id === entry.id &&
    (entry.team === undefined || parts.team === entry.team)
  );
};

/** A group does not vouch for a bot or a guest: they count only where they are listed themselves. */
/** Of no standing unless listed: nobody here can vouch for them (A1). */
export const isNobody = (actor: Actor): boolean =>
  actor.isBot || actor.isGuest || actor.isExternal === true || actor.isWebhook === true;

const subjects = (actor: Actor): readonly string[] =>
  isNobody(actor) ? [actor.id] : [actor.id, ...actor.groups];

const isListed = (entries: readonly AccessEntry[], actor: Actor): boolean =>
  entries.some((entry) => subjects(actor).some((subject) => matches(entry, subject)));

/**
 * Role of a person in a thread (A1): the higher of configuration and grant. Undefined: nobody here.
 * Whoever holds the page's token is owner.
 */
export const roleOf = (
  actor: Actor,
  target: ChatTarget,
  access: Access,
  grants: GrantReader,
): Role | undefined => {
  if (actor.id === 'web:owner') return 'owner';
  if (isListed(access.owners, actor)) return 'owner';
  const granted = grants(target, actor.id);
  const configured: Role | undefined = isListed(access.drivers, actor) ? 'driver' : undefined;
  if (granted === undefined) return configured;
  return configured !== undefined && RANK[configured] > RANK[granted] ? configured : granted;
};

export const mayDrive = (role: Role | undefined): boolean =>
  role !== undefined && RANK[role] >= RANK.driver;

export const mayOwn = (role: Role | undefined): boolean => role === 'owner';

/** Whether the reaction is one of those that ask for an interrupt; variants of the sign count alike (I1). */
export const isStopSign = (emoji: string, configured: readonly string[]): boolean => {
  const plain = (sign: string): string =>
    sign.replace(/[\ufe0e\ufe0f]|\ud83c[\udffb-\udfff]/g, '').toLowerCase();
  return configured.some((sign) => plain(sign) === plain(emoji));
};

/** Whom a refused person asks, in plain words. */
export const whomToAsk = (access: Access, platform: string): string => {
  const here = (entries: readonly AccessEntry[]) => entries.filter((e) => e.platform === platform);
  if (here(access.owners).length > 0) return 'an owner of this bridge';
  if (here(access.drivers).length > 0)
    return 'the operator of this bridge, who can add you to `access.drivers`';
  return 'the operator of this bridge: nobody may drive from here yet (`access` in its configuration)';
};
