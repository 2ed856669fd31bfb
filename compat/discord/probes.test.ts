import { Client, Events, REST, Routes, SimpleShardingStrategy, version } from 'discord.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DiscordServer, discordToken } from '../../test/fakes/discord-server.ts';
import { ids } from '../../test/fakes/discord-world.ts';

/** What the SDK does by itself, and why the adapter does it otherwise. Numbers: sections of compat.md. */
describe('discord.js as installed', () => {
  let server: DiscordServer;
  beforeEach(async () => {
    server = await DiscordServer.start();
  });
  afterEach(() => server.stop());

  const rest = (options: ConstructorParameters<typeof REST>[0] = {}) =>
    new REST({ api: server.apiUrl, timeout: 300, ...options }).setToken(discordToken);
  const say = (of: REST, more: object = {}) =>
    of.post(Routes.channelMessages(ids.text), { body: { content: 'one', ...more } });
  const said = () => server.world.messages.filter((m) => m.content === 'one').length;
  const client = () =>
    new Client({ intents: 34_305, rest: { api: server.apiUrl, retries: 0, timeout: 300 } });

  it('is the version that was looked at', () => {
    expect(version).toBe('14.28.1');
  });

  it('§1 posts up to four times when an answer is lost, each a message of its own', async () => {
    server.fail({ kind: 'broken-after', times: 4 });
    await expect(say(rest())).rejects.toThrow();
    expect(said()).toBe(4);
  });

  it('§1 a nonce makes them one', async () => {
    server.fail({ kind: 'broken-after', times: 3 });
    await say(rest(), { nonce: 'n', enforce_nonce: true });
    expect(said()).toBe(1);
  });

  it('§2 one refused token is forgotten: later calls do not even go', async () => {
    const of = rest({ retries: 0 });
    server.fail({ kind: 'unauthorised' });
    await expect(say(of)).rejects.toMatchObject({ status: 401 });
    await expect(say(of)).rejects.toThrow(/Expected token to be set/);
  });

  it('§3 a refusal without a time is repeated without end, unless every limit rejects', async () => {
    server.fail({ kind: 'banned', retryAfterMs: 0, times: 12 });
    await say(rest({ retries: 0 }));
    expect(server.calls.filter((c) => c.status === 429)).toHaveLength(12);
  });

  it('§3 the hidden limit of names: headers say that calls are left, the third waits ten minutes', async () => {
    const of = rest({ retries: 0, rejectOnRateLimit: () => true });
    const rename = (name: string) => of.patch(Routes.channel(ids.text), { body: { name } });
    await rename('a');
    await rename('b');
    await expect(rename('c')).rejects.toMatchObject({
      retryAfter: expect.closeTo(600_000, -4),
      sublimitTimeout: expect.closeTo(600_000, -4),
    });
  });

  it('§4 the token of a refused login and a switched-off intent are told apart', async () => {
    const one = client();
    await expect(one.login('NzAwMDAwMDAwMDAwMDAwMDAx.wrong.dummy')).rejects.toMatchObject({
      code: 'TokenInvalid',
    });
    server.gateway.isContentAllowed = false;
    const two = client();
    two.on(Events.ShardError, () => undefined);
    await expect(two.login(discordToken)).rejects.toThrow(/disallowed intents/);
    await Promise.all([one.destroy(), two.destroy()]);
  });

  it('§5 a destroyed client that waits to connect again comes up all the same', async () => {
    const of = client();
    await of.login(discordToken);
    const before = server.gateway.identifies + server.gateway.resumes;
    server.gateway.drop();
    await new Promise((resolve) => of.once(Events.ShardReconnecting, resolve));
    await of.destroy();
    await expect
      .poll(() => server.gateway.identifies + server.gateway.resumes, { timeout: 3_000 })
      .toBeGreaterThan(before);
    server.gateway.hangUp();
    server.gateway.refuses = 1_000;
  });

  it('§6 the strategy keeps its shards where the adapter looks for them', async () => {
    let strategy: object = {};
    const of = new Client({
      intents: 34_305,
      rest: { api: server.apiUrl, retries: 0 },
      ws: {
        buildStrategy: (manager) => {
          strategy = new SimpleShardingStrategy(manager);
          return strategy as SimpleShardingStrategy;
        },
      },
    });
    await of.login(discordToken);
    expect(Reflect.get(strategy, 'shards')).toBeInstanceOf(Map);
    await of.destroy();
  });
});
