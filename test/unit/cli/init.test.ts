import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/bridge/config-load.ts';
import { systemClock } from '../../../src/bridge/system-clock.ts';
import type { Asker } from '../../../src/cli/asker.ts';
import { platformChecks } from '../../../src/cli/compose-checks.ts';
import { DiscordServer, discordToken } from '../../fakes/discord-server.ts';
import { ids } from '../../fakes/discord-world.ts';
import { type FakeSlack, startFakeSlack } from '../../fakes/slack-fake.ts';
import { tempDir } from '../../fakes/temp-dir.ts';
import { type CliFixture, cliFixture } from './fixture.ts';

const BOT = 'xoxb-dummy-bot-token';
const APP = 'xapp-dummy-app-token';

/** Someone who gives these answers, each to the first question that has these words in it. */
const person = (answers: readonly (readonly [RegExp, string | boolean | readonly string[]])[]) => {
  const left = [...answers];
  const [told, refused]: [string[], string[]] = [[], []];
  const take = (question: string): string | boolean | readonly string[] => {
    const at = left.findIndex(([words]) => words.test(question));
    const [found] = at === -1 ? [] : left.splice(at, 1);
    if (found === undefined) throw new Error(`nobody answers: ${question}`);
    return found[1];
  };
  const written = async (question: string, validate: (v: string) => string | undefined) => {
    for (;;) {
      const answer = String(take(question));
      const why = validate(answer);
      if (why === undefined) return answer;
      refused.push(why);
    }
  };
  const asker: Asker = {
    tell: (title, words) => void told.push(`${title}: ${words}`),
    text: (question, { validate }) => written(question, validate),
    secret: (question, validate) => written(question, validate),
    choose: async (question) => take(question) as readonly string[],
    confirm: async (question) => take(question) === true,
  };
  return { asker, told, refused, left };
};

describe('afk-bridge init (O1)', () => {
  let slack: FakeSlack;
  let discord: DiscordServer;
  let home: string;
  const file = () => join(home, '.config', 'afk-bridge', 'config.yaml');
  const modeOf = (path: string): number => statSync(path).mode & 0o777;
  const command = (over: Parameters<typeof cliFixture>[0] = {}): CliFixture =>
    cliFixture({ home, isTty: true, platforms: platformChecks(systemClock), ...over });
  const urls = () => [
    ...['--slack-api-url', slack.server.apiUrl],
    ...['--discord-api-url', discord.apiUrl],
  ];
  const tokens = { SLACK_BOT_TOKEN: BOT, SLACK_APP_TOKEN: APP, DISCORD_BOT_TOKEN: discordToken };
  const channels = ['--slack-channel', 'C0AGENTS', '--discord-channel', ids.forum];

  beforeEach(async () => {
    slack = await startFakeSlack();
    discord = await DiscordServer.start();
    home = tempDir();
  });
  afterEach(async () => {
    await slack.stop();
    await discord.stop();
  });

  it('writes from options and environment what start can use, and ends with doctor', async () => {
    const cli = command({ env: tokens, isTty: false });
    const people = ['--owner', 'slack:T0TEAM/U0ALICE', '--driver', 'slack:U0BOB', 'discord:8001'];
    const code = await cli.run('init', '--yes', ...urls(), ...channels, ...people);
    expect(cli.err.join('\n')).toContain(`wrote ${file()}`);
    expect(code).toBe(0);
    expect(cli.out.join('\n')).toMatch(/ok +Slack channel +The bot is in #/);
    const loaded = loadConfig(file(), { env: tokens, cwd: home, home });
    expect(loaded.warnings).toEqual([]);
    expect(loaded.config).toMatchObject({
      slack: { botToken: BOT, appToken: APP, channels: [{ id: 'slack:C0AGENTS' }] },
      discord: { botToken: discordToken, channels: [{ match: { all: true } }] },
      access: {
        owners: [{ platform: 'slack', team: 'T0TEAM', kind: 'user', id: 'U0ALICE' }],
        drivers: [{ id: 'U0BOB' }, { id: '8001' }],
      },
    });
    expect(readFileSync(file(), 'utf8')).not.toMatch(/dummy/);
    expect(modeOf(file())).toBe(0o600);
  });

  it('reads tokens from files, and shows only some directories', async () => {
    const cli = command();
    writeFileSync(join(cli.dir, 'token'), `${discordToken}\n`);
    const told = ['--discord-bot-token-file', 'token', '--shows', '~/work/**'];
    const config = join(cli.dir, 'made', 'here.yaml');
    const argv = ['--config', config, 'init', '--yes', ...urls().slice(2), ...told];
    expect(await cli.run(...argv, '--discord-channel', ids.text)).toBe(0);
    expect(loadConfig(config, { env: {}, cwd: home, home }).config.discord).toMatchObject({
      botToken: discordToken,
      channels: [{ match: { cwd: `${home}/work/**` } }],
    });
  });

  it.each([
    ['a token that Slack refuses', { SLACK_BOT_TOKEN: 'xoxb-dummy-old' }, [], 1, /token_revoked/],
    ['a missing token', { SLACK_APP_TOKEN: '' }, [], 2, /set \$SLACK_APP_TOKEN, or name its file/],
    ['an unknown channel', {}, ['--slack-channel', 'C0NONE'], 1, /channel_not_found/],
    ['a channel that is no id', {}, ['--slack-channel', '#agents'], 2, /must look like C0AGENTS/],
    ['a person who is nobody', {}, ['--owner', 'alice'], 2, /must be platform:\[team\/\]kind:id/],
  ])('writes nothing with %s', async (_what, env, more, code, says) => {
    const cli = command({ env: { ...tokens, ...env } });
    expect(await cli.run('init', '--yes', ...urls(), ...channels, ...more)).toBe(code);
    expect(cli.err.join('\n')).toMatch(says);
    expect(existsSync(join(home, '.config'))).toBe(false);
  });

  it('asks, checks each token as it is given, and keeps them in private files', async () => {
    const { asker, told, refused, left } = person([
      [/Where/, ['Slack', 'Discord']],
      [/App-level/, BOT],
      [/App-level/, APP],
      [/Bot token \(xoxb/, 'xoxb-dummy-old'],
      [/again/, true],
      [/App-level/, APP],
      [/Bot token \(xoxb/, BOT],
      [/Channel ids, the bot/, 'C0AGENTS'],
      [/^Bot token$/, 'no.token'],
      [/^Bot token$/, discordToken],
      [/Channel ids \(Settings/, `${ids.text}, ${ids.forum}`],
      [/Which runs/, 'all'],
      [/Owners/, 'slack:U0ALICE'],
      [/Drivers/, ''],
    ]);
    const cli = command({ asker });
    expect(await cli.run('init', ...urls())).toBe(0);
    expect(left).toEqual([]);
    expect(refused).toEqual(['it begins with xapp-', 'it has three parts with dots']);
    expect(told.join('\n')).toMatch(/From a manifest/);
    expect(cli.out.join('\n')).toMatch(/"socket_mode_enabled": true/);
    expect(told.join('\n')).toMatch(/That does not work yet: Slack bot token: .*token_revoked/);
    expect(cli.out.join('\n')).toMatch(/client_id=700000000000000001&scope=bot&permissions=\d+/);
    const { config } = loadConfig(file(), { env: {}, cwd: home, home });
    expect(config).toMatchObject({
      slack: { botToken: BOT, appToken: APP },
      discord: { botToken: discordToken, channels: [{}, {}] },
    });
    for (const name of ['slack-bot-token', 'slack-app-token', 'discord-bot-token'])
      expect(modeOf(join(home, '.config', 'afk-bridge', name))).toBe(0o600);
    expect(cli.err.join('\n')).not.toContain('dummy');
    expect(cli.out.join('\n')).not.toContain('dummy');
  });

  it('keeps what was there: refuses, or writes beside it', async () => {
    mkdirSync(join(home, '.config', 'afk-bridge'), { recursive: true });
    writeFileSync(file(), 'logLevel: debug\n');
    const cli = command();
    expect(await cli.run('init', '--yes')).toBe(5);
    expect(readFileSync(file(), 'utf8')).toBe('logLevel: debug\n');
    expect(await cli.run('init', '--yes', '--replace')).toBe(0);
    expect(readFileSync(`${file()}.bak`, 'utf8')).toBe('logLevel: debug\n');
    expect(loadConfig(file(), { env: {}, cwd: home, home }).config.slack).toBeUndefined();
  });

  it('asks nothing where nobody can answer', async () => {
    const cli = command({ isTty: false });
    expect(await cli.run('init')).toBe(2);
    expect(cli.err.join('\n')).toMatch(/for a script: --yes/);
  });

  it('prints the manifest of the Slack app and the link that invites the Discord bot', async () => {
    const cli = command();
    expect(await cli.run('init', '--slack-manifest')).toBe(0);
    expect(JSON.parse(cli.out.join('\n'))).toMatchObject({
      settings: { socket_mode_enabled: true },
    });
    expect(await cli.run('init', '--discord-invite', '700000000000000001')).toBe(0);
    expect(cli.out.at(-1)).toMatch(/client_id=700000000000000001&scope=bot&permissions=/);
    expect(await cli.run('init', '--discord-invite', 'bot')).toBe(2);
  });
});

describe('afk-bridge doctor on chat platforms (O1, A1)', () => {
  it('asks the platforms about every channel, and says who is read-only', async () => {
    const asked: string[] = [];
    const cli = cliFixture({
      platforms: {
        slack: async ({ channels, isBridgeRunning }) => {
          asked.push(...channels, String(isBridgeRunning));
          return [{ name: 'Slack bot token', status: 'broken', says: 'revoked' }];
        },
        discord: async ({ channels }) => {
          asked.push(...channels);
          return [{ name: 'Discord channel', status: 'ok', says: 'fine' }];
        },
      },
    });
    cli.configure(
      [
        'slack: {botToken: xoxb-dummy, appToken: xapp-dummy, channels: [{id: C0X, all: true}]}',
        `discord: {botToken: ${discordToken}, channels: [{id: "${ids.text}", all: true}]}`,
        'access: {drivers: ["slack:U0BOB"]}',
      ].join('\n'),
    );
    expect(await cli.run('doctor')).toBe(1);
    const said = cli.out.join('\n');
    expect(said).toMatch(/broken +Slack bot token +revoked/);
    expect(said).toMatch(/ok +Discord channel +fine/);
    expect(said).toMatch(/note +access +Discord is read-only/);
    expect(said).not.toMatch(/Slack is read-only/);
    expect(asked).toEqual(['C0X', 'false', ids.text]);
  });
});
