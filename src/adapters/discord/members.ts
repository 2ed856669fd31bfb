import { Routes } from 'discord.js';
import { BoundedMap } from '../../bridge/model/bounded-map.ts';
import type { Actor } from '../../bridge/model/chat.ts';
import type { Clock } from '../../bridge/ports/clock.ts';
import { isLasting } from './classify.ts';
import { actorOf, type Member, memberWithUser, type User } from './inbound.ts';
import type { DiscordRest } from './rest.ts';

interface Known {
  readonly member: (Member & { readonly user: User }) | undefined;
  /** ms since the epoch. */
  readonly at: number;
}

/** Roles may be taken away: what is older is asked for again, ms. */
const freshFor = 60_000;

/** Who somebody is in a guild, where the platform told only an id: history and taken-back reactions. */
export class Members {
  readonly #rest: DiscordRest;
  readonly #clock: Clock;
  readonly #known = new BoundedMap<Known>(500);

  constructor(deps: { readonly rest: DiscordRest; readonly clock: Clock }) {
    this.#rest = deps.rest;
    this.#clock = deps.clock;
  }

  /** @param user what is known of a person who has left: then nobody in particular, a guest. */
  async actor(guild: string, user: User, isWebhook = false): Promise<Actor> {
    if (isWebhook) return actorOf(user, undefined, guild, true);
    const member = await this.#member(guild, user.id);
    return member === undefined
      ? { ...actorOf(user, undefined, guild), isGuest: true }
      : actorOf(member.user, member, guild);
  }

  async #member(guild: string, user: string): Promise<Known['member']> {
    const name = `${guild} ${user}`;
    const known = this.#known.get(name);
    if (known !== undefined && this.#clock.now() - known.at < freshFor) return known.member;
    const member = await this.#ask(guild, user);
    this.#known.set(name, { member, at: this.#clock.now() });
    return member;
  }

  async #ask(guild: string, user: string): Promise<Known['member']> {
    try {
      return memberWithUser.parse(await this.#rest.call('get', Routes.guildMember(guild, user)));
    } catch (error) {
      // Nobody here (any more), or not for us to know: a person without rights.
      if (isLasting(error)) return undefined;
      throw error;
    }
  }
}
