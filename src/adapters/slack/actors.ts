import { z } from 'zod';
import { BoundedMap } from '../../bridge/model/bounded-map.ts';
import type { Actor } from '../../bridge/model/chat.ts';
import { type ActorId, id } from '../../bridge/model/ids.ts';
import type { Clock } from '../../bridge/ports/clock.ts';
import type { Log } from '../../bridge/ports/log.ts';
import { classify, platformErrorOf } from './classify.ts';
import { userActorId } from './ids.ts';
import type { Sender } from './inbound.ts';
import type { SlackWeb } from './web.ts';

export interface ActorDeps {
  readonly web: SlackWeb;
  readonly clock: Clock;
  readonly log: Log;
  /** Usergroups that the configuration names; only these are asked for. */
  readonly usergroups: readonly string[];
  readonly team: () => string;
}

const userSchema = z.looseObject({
  id: z.string(),
  team_id: z.string().optional(),
  real_name: z.string().optional(),
  name: z.string().optional(),
  deleted: z.boolean().optional(),
  is_bot: z.boolean().optional(),
  is_restricted: z.boolean().optional(),
  is_ultra_restricted: z.boolean().optional(),
  is_stranger: z.boolean().optional(),
  profile: z.looseObject({ display_name: z.string().optional() }).optional(),
});
type SlackUser = z.output<typeof userSchema>;

const infoSchema = z.looseObject({ user: userSchema });
const membersSchema = z.looseObject({ users: z.array(z.string()) });

interface Kept<Value> {
  readonly value: Value;
  /** ms since the epoch. */
  readonly at: number;
}

const keepUser = 10 * 60_000;
const keepGroup = 5 * 60_000;

/** Who people are, asked of Slack and remembered for minutes. What cannot be known has no rights. */
export class Actors {
  readonly #deps: ActorDeps;
  readonly #users = new BoundedMap<Kept<SlackUser | undefined>>(2_000);
  readonly #groups = new BoundedMap<Kept<readonly string[]>>(200);

  constructor(deps: ActorDeps) {
    this.#deps = deps;
  }

  /** Rejects with a BridgeError while Slack cannot be asked; then nothing is acknowledged. */
  async of({ user, bot }: Sender): Promise<Actor> {
    const { team } = this.#deps;
    if (user === undefined) return webhook(team(), bot ?? 'unknown');
    const info = await this.#user(user);
    if (info === undefined) {
      const nobody = { displayName: user, groups: [], isBot: bot !== undefined, isGuest: true };
      return { id: userActorId(team(), user), ...nobody };
    }
    const home = info.team_id ?? team();
    const isExternal = home !== team() || info.is_stranger === true;
    const isRestricted = info.is_restricted === true || info.is_ultra_restricted === true;
    return {
      id: userActorId(home, user),
      displayName: nameOf(info),
      groups: isExternal ? [] : await this.#groupsOf(user),
      isBot: info.is_bot === true || bot !== undefined,
      isGuest: isRestricted || isExternal || info.deleted === true,
      ...(isExternal && { isExternal }),
    };
  }

  /** A person's name for `@name`; the id while nobody can say. */
  async nameOf(user: string): Promise<string> {
    try {
      const info = await this.#user(user);
      return info === undefined ? user : nameOf(info);
    } catch (error) {
      this.#deps.log.debug({ err: error, user }, 'the name of a mentioned person is not known');
      return user;
    }
  }

  async #user(user: string): Promise<SlackUser | undefined> {
    const now = this.#deps.clock.now();
    const known = this.#users.get(user);
    if (known !== undefined && now - known.at < keepUser) return known.value;
    try {
      const { user: value } = infoSchema.parse(await this.#deps.web.call('users.info', { user }));
      this.#users.set(user, { value, at: now });
      return value;
    } catch (error) {
      const code = classify(error).code;
      const isNobody = code === 'rejected' || platformErrorOf(error) === 'user_not_visible';
      // A missing scope does not pass by itself: people stay nobody, but they are heard.
      if (!isNobody && code !== 'auth') throw error;
      this.#deps.log.warn({ err: error, user }, 'Slack does not say who that is; no rights');
      return undefined;
    }
  }

  async #groupsOf(user: string): Promise<readonly string[]> {
    const { usergroups, team } = this.#deps;
    const members = await Promise.all(usergroups.map((group) => this.#members(group)));
    return usergroups
      .filter((_, n) => members[n]?.includes(user) === true)
      .map((group) => `slack:${team()}/usergroup:${group}`);
  }

  async #members(group: string): Promise<readonly string[]> {
    const { web, clock, log } = this.#deps;
    const now = clock.now();
    const known = this.#groups.get(group);
    if (known !== undefined && now - known.at < keepGroup) return known.value;
    try {
      const answer = await web.call('usergroups.users.list', { usergroup: group });
      const { users } = membersSchema.parse(answer);
      this.#groups.set(group, { value: users, at: now });
      return users;
    } catch (error) {
      const { code } = classify(error);
      if (code !== 'auth' && code !== 'rejected') throw error;
      log.warn(
        { err: error, group },
        'Slack does not say who is in a usergroup; it gives no rights',
      );
      return [];
    }
  }
}

const nameOf = (user: SlackUser): string =>
  user.profile?.display_name || user.real_name || user.name || user.id;

const webhook = (team: string, bot: string): Actor => ({
  id: id<ActorId>(`slack:${team}/bot:${bot}`),
  displayName: `a webhook or bot (${bot})`,
  groups: [],
  isBot: true,
  isGuest: true,
  isWebhook: true,
});
