import { expect, test } from 'vitest';
import { mayDrive, roleOf, whomToAsk } from '../../../../src/bridge/chat/policy.ts';
import type { Actor, Role } from '../../../../src/bridge/model/chat.ts';
import { type ActorId, id } from '../../../../src/bridge/model/ids.ts';
import { RUN } from './chat-side.ts';

const actor = (name: string, more: Partial<Actor> = {}): Actor => ({
  id: id<ActorId>(name),
  displayName: name,
  groups: [],
  isBot: false,
  isGuest: false,
  ...more,
});

const access = {
  owners: [{ platform: 'slack', team: 'T0TEAM', kind: 'user', id: 'U0OWN' }],
  drivers: [
    { platform: 'slack', kind: 'user', id: 'U0BOB' },
    { platform: 'slack', kind: 'usergroup', id: 'S0TEAM' },
    { platform: 'discord', kind: 'role', id: '9000' },
    { platform: 'slack', kind: 'user', id: 'B0BOT' },
  ],
};

const role = (who: Actor, granted?: Role) => roleOf(who, { run: RUN }, access, () => granted);

test.each<[string, Actor, Role | undefined]>([
  ['an owner of the team', actor('slack:T0TEAM/user:U0OWN'), 'owner'],
  ['the same id in another team', actor('slack:T9OTHER/user:U0OWN'), undefined],
  ['the same id on another platform', actor('discord:user:U0OWN'), undefined],
  ['a driver of any team', actor('slack:T9OTHER/user:U0BOB'), 'driver'],
  ['a driver without a team', actor('slack:user:U0BOB'), 'driver'],
  [
    'a member of a group',
    actor('slack:T0TEAM/user:U1', { groups: ['slack:T0TEAM/usergroup:S0TEAM'] }),
    'driver',
  ],
  [
    'somebody with a role',
    actor('discord:8/user:1', { groups: ['discord:8/role:9000'] }),
    'driver',
  ],
  [
    'a guest in that group',
    actor('slack:T0TEAM/user:U2', { isGuest: true, groups: ['slack:usergroup:S0TEAM'] }),
    undefined,
  ],
  [
    'a bot in that group',
    actor('slack:T0TEAM/user:U3', { isBot: true, groups: ['slack:usergroup:S0TEAM'] }),
    undefined,
  ],
  ['a bot that is listed itself', actor('slack:T0TEAM/user:B0BOT', { isBot: true }), 'driver'],
  ['a stranger', actor('slack:T0TEAM/user:U9'), undefined],
  ['a user whose id is a group’s', actor('slack:user:S0TEAM'), undefined],
  ['whoever holds the page’s token', actor('web:owner'), 'owner'],
])('A1 %s', (_, who, expected) => {
  expect(role(who)).toBe(expected);
});

test('A1 a grant in the thread counts where it is the higher', () => {
  expect(role(actor('slack:user:U9'), 'driver')).toBe('driver');
  expect(role(actor('slack:user:U0BOB'), 'observer')).toBe('driver');
  expect(role(actor('slack:user:U0BOB'), 'owner')).toBe('owner');
});

test('A1 only drivers and owners drive', () => {
  expect(
    [undefined, 'observer' as const, 'driver' as const, 'owner' as const].map(mayDrive),
  ).toEqual([false, false, true, true]);
});

test('A2 the refusal says whom to ask', () => {
  expect(whomToAsk(access, 'slack')).toContain('an owner');
  expect(whomToAsk(access, 'discord')).toContain('access.drivers');
  expect(whomToAsk({ owners: [], drivers: [] }, 'slack')).toContain('nobody may drive');
});
