import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { channelType } from '../fakes/discord-model.ts';
import { DiscordServer, discordToken } from '../fakes/discord-server.ts';
import { textChannel } from '../fakes/discord-stage.ts';
import { ids } from '../fakes/discord-world.ts';
import { AdapterChild, patience } from './adapter-child.ts';

describe('trouble that must never end the process (L2)', () => {
  let server: DiscordServer;
  let child: AdapterChild | undefined;
  let thread: string;

  beforeEach(async () => {
    server = await DiscordServer.start();
    const parent = server.world.channels.get(ids.text);
    if (parent === undefined) throw new Error('no channel');
    thread = server.world.addThread(parent, 'run', ids.bot, { type: channelType.publicThread }).id;
  });
  afterEach(async () => {
    try {
      await child?.end();
    } finally {
      child = undefined;
      await server.stop();
    }
  });

  const begin = async (botToken = discordToken): Promise<AdapterChild> => {
    const { apiUrl } = server;
    child = new AdapterChild('test/fakes/discord-child.ts', {
      botToken,
      apiUrl,
      channels: [{ id: textChannel }],
      thread: { platform: 'discord', channel: textChannel, thread },
    });
    await child.isWell();
    return child;
  };
  const isHeard = async (of: AdapterChild, text: string): Promise<void> => {
    await expect.poll(() => of.health?.isConnected, patience).toBe(true);
    server.people.say(thread, text);
    await expect.poll(() => of.heard, patience).toContain(text);
    await of.isWell();
  };

  it('a token that Discord does not know (trap 4)', async () => {
    const of = await begin('NzAwMDAwMDAwMDAwMDAwMDAx.wrong.dummy');
    await of.says(/Reset Token/);
  });

  it('P29 Message Content is switched off (traps 4, 5)', async () => {
    server.gateway.isContentAllowed = false;
    const of = await begin();
    await of.says(/Message Content Intent/);
    server.gateway.isContentAllowed = true;
    await isHeard(of, 'after all');
  });

  it('nobody at home, then somebody (trap 7)', async () => {
    await server.close();
    const of = await begin();
    await of.says(/cannot be reached/);
    await server.reopen();
    await isHeard(of, 'after all');
  });

  it('a Gateway that takes the connection and says nothing, and a stop meanwhile (trap 8)', async () => {
    server.gateway.isMute = true;
    const of = await begin();
    expect(of.health?.isConnected).toBe(false);
  });

  it('a stop while it waits to connect again (trap 8)', async () => {
    const of = await begin();
    await isHeard(of, 'before');
    server.gateway.refuses = 1_000;
    server.gateway.drop();
    await of.says(/reconnecting/);
  });

  it('everything at once: drops, op 7, op 9 and closes on top of each other (trap 6)', async () => {
    const of = await begin();
    for (let n = 0; n < 6; n++) {
      server.gateway.askToReconnect();
      server.gateway.invalidate(n % 2 === 0);
      server.gateway.close([1000, 4000, 4009][n % 3] ?? 1000);
      server.gateway.drop();
      await expect.poll(() => of.health?.isConnected, patience).toBe(true);
    }
    await isHeard(of, 'after');
  });

  it('frames that are no JSON, or of a kind that nobody knows', async () => {
    const of = await begin();
    await isHeard(of, 'before');
    const frames = [
      '{not json',
      'null',
      '{"op":99}',
      '{"op":0,"s":900,"t":"NEWS","d":{}}',
      '{"op":0,"s":901,"t":"INTERACTION_CREATE","d":{"id":"1"}}',
      `{"op":0,"s":902,"t":"MESSAGE_UPDATE","d":{"id":"1","channel_id":"${thread}"}}`,
      `{"op":0,"s":903,"t":"MESSAGE_REACTION_ADD","d":{"message_id":"1"}}`,
    ];
    for (const frame of frames) {
      server.gateway.sayRaw(frame);
      await isHeard(of, `after ${frame}`);
    }
  });

  it('an event that cannot be stored', async () => {
    const of = await begin();
    server.people.say(thread, 'reject this');
    await of.isWell();
  });

  it('a token that is revoked while running, and is good again (traps 3, 4)', async () => {
    const of = await begin();
    server.revokeToken();
    await of.says(/Reset Token/);
    server.restoreToken();
    await isHeard(of, 'after all');
  });

  it('the bot is removed from the server, and invited again (trap 17)', async () => {
    const of = await begin();
    await isHeard(of, 'before');
    server.people.kickBot();
    await of.says(/invite it again/);
    expect(of.health?.isConnected).toBe(false);
    server.people.inviteBot();
    await isHeard(of, 'after all');
  });
});
