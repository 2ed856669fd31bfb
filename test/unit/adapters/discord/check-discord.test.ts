import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkDiscord } from '../../../../src/adapters/discord/check-discord.ts';
import {
  applicationOf,
  idAt,
  inviteLink,
  madeAt,
  permissionSum,
} from '../../../../src/adapters/discord/limits.ts';
import {
  missingPermissions,
  permissionsIn,
} from '../../../../src/adapters/discord/limits-permissions.ts';
import { systemClock } from '../../../../src/bridge/system-clock.ts';
import { channelType } from '../../../fakes/discord-model.ts';
import { DiscordServer, discordToken } from '../../../fakes/discord-server.ts';
import { forumChannel, textChannel } from '../../../fakes/discord-stage.ts';
import { ids } from '../../../fakes/discord-world.ts';
import { silentLog } from '../../../fakes/silent-log.ts';

/** On a busy machine. */
const patient = { timeout: 8_000 };

let server: DiscordServer;
beforeEach(async () => {
  server = await DiscordServer.start();
});
afterEach(() => server.stop());

const check = (botToken = discordToken) =>
  checkDiscord(
    { botToken, apiUrl: server.apiUrl, channels: [{ id: textChannel }, { id: forumChannel }] },
    { clock: systemClock, log: silentLog, timeoutMs: 2_000 },
  );
const failures = async (...args: Parameters<typeof check>) =>
  (await check(...args)).filter((c) => !c.isOk).map((c) => `${c.name}: ${c.sentence}`);

describe('each link of the chain (O1)', () => {
  test('all is well', async () => {
    const checks = await check();
    expect(checks.filter((c) => !c.isOk)).toEqual([]);
    expect(checks.map((c) => c.name)).toEqual([
      'bot',
      'Message Content',
      'channel',
      'permissions',
      'channel',
      'permissions',
      'Gateway',
      'only consumer',
    ]);
    await expect.poll(() => server.gateway.openSockets, patient).toBe(0);
  });

  test('what is no token is seen without Discord', async () => {
    expect(await failures('a-client-secret-of-32-characters')).toEqual([
      expect.stringMatching(/^token: .*Reset Token/),
    ]);
    expect(server.calls).toEqual([]);
  });

  test('a token that Discord refuses', async () => {
    server.token = undefined;
    expect(await failures()).toEqual([expect.stringMatching(/^bot: .*Reset Token/)]);
  });

  test('the switch of Message Content, by its flag and by the Gateway', async () => {
    server.world.isContentFlagged = false;
    server.gateway.isContentAllowed = false;
    expect(await failures()).toEqual([
      expect.stringMatching(/^Message Content: Switch on/),
      expect.stringMatching(/^Gateway: .*Message Content Intent/),
    ]);
  });

  test('permissions are named, with the link that gives them', async () => {
    const text = server.world.channels.get(ids.text);
    if (text !== undefined) text.denied = (1n << 38n) | (1n << 15n);
    expect(await failures()).toEqual([
      expect.stringMatching(
        /^permissions: .*#agents: Send Messages in Threads, Attach Files\. .*permissions=326417632320/,
      ),
    ]);
  });

  test('a channel that shows no threads, and one that is not there', async () => {
    const text = server.world.channels.get(ids.text);
    if (text !== undefined) server.world.channels.set(ids.text, { ...text, type: 2 });
    server.world.channels.delete(ids.forum);
    expect(await failures()).toEqual([
      expect.stringMatching(/^channel: #agents can show no threads/),
      expect.stringMatching(/^channel: 600000000000000002: .*10003/),
    ]);
    expect(channelType.text).toBe(0);
  });

  test('a token that connects again and again elsewhere', async () => {
    server.gateway.remainingStarts = 500;
    expect(await failures()).toEqual([expect.stringMatching(/^only consumer: .*another program/)]);
  });
});

describe('numbers', () => {
  test('the invite link asks for exactly what is needed', () => {
    expect(permissionSum).toBe(326_417_632_320n);
    expect(inviteLink('700000000000000001')).toBe(
      'https://discord.com/oauth2/authorize?client_id=700000000000000001&scope=bot&permissions=326417632320',
    );
  });

  test('a token tells its application', () => {
    expect(applicationOf(discordToken)).toBe(ids.bot);
    for (const wrong of ['', 'a.b.c', 'onlyone', `${discordToken}.x`, '..'])
      expect(applicationOf(wrong)).toBeUndefined();
  });

  test('ids tell their time', () => {
    expect(madeAt(idAt(1_764_558_900_000))).toBe(1_764_558_900_000);
    expect(idAt(0)).toBe('0');
  });

  test('what a channel takes from all, it can give to the bot; an administrator may everything', () => {
    const standing = {
      guild: 'g',
      bot: 'b',
      roles: ['r'],
      guildRoles: [
        { id: 'g', permissions: String(permissionSum) },
        { id: 'r', permissions: '0' },
      ],
      overwrites: [{ id: 'g', allow: '0', deny: String(1n << 10n) }],
    };
    expect(missingPermissions(permissionsIn(standing))).toEqual(['View Channels']);
    const given = [...standing.overwrites, { id: 'b', allow: String(1n << 10n), deny: '0' }];
    expect(missingPermissions(permissionsIn({ ...standing, overwrites: given }))).toEqual([]);
    const admin = [...standing.guildRoles, { id: 'a', permissions: '8' }];
    expect(
      missingPermissions(permissionsIn({ ...standing, guildRoles: admin, roles: ['a'] })),
    ).toEqual([]);
  });
});
