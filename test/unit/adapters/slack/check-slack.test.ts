import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SlackAdapterConfig } from '../../../../src/adapters/slack/adapter.ts';
import { checkSlack } from '../../../../src/adapters/slack/check-slack.ts';
import { systemClock } from '../../../../src/bridge/system-clock.ts';
import { silentLog } from '../../../fakes/silent-log.ts';
import { type FakeSlack, startFakeSlack } from '../../../fakes/slack-fake.ts';

describe('each link of the chain to Slack (O1)', () => {
  let slack: FakeSlack;
  beforeEach(async () => {
    slack = await startFakeSlack();
  });
  afterEach(() => slack.stop());

  const failed = async (config: Partial<SlackAdapterConfig> = {}, isBridgeRunning = false) => {
    const deps = { clock: systemClock, log: silentLog, isBridgeRunning, timeoutMs: 2_000 };
    const checks = await checkSlack({ ...slack.config, ...config }, deps);
    expect(checks.length).toBeGreaterThan(0);
    return checks.filter((c) => !c.isOk).map((c) => `${c.name}: ${c.sentence}`);
  };

  it('is whole', async () => {
    expect(await failed()).toEqual([]);
    expect(slack.server.sockets.unacked).toBe(0);
  });

  it.each([
    ['xoxp-1', 'slack.botToken is a user token'],
    ['xapp-1', 'slack.botToken is an app-level token'],
    ['secret', 'slack.botToken is no Slack token'],
  ])('%s is no bot token', async (botToken, words) => {
    expect(await failed({ botToken })).toEqual([
      `tokens: ${words}; it must be the bot token (xoxb-…).`,
    ]);
  });

  it('a token that Slack does not know, and no more is asked with it', async () => {
    const [only, ...rest] = await failed({ botToken: 'xoxb-0-wrong' });
    expect(only).toContain('bot token: Slack says invalid_auth');
    expect(rest).toEqual([]);
  });

  it('a missing scope', async () => {
    slack.server.scopes = slack.server.scopes.filter((s) => s !== 'groups:history');
    expect(await failed()).toEqual([
      'scopes: The app lacks groups:history: update it from the manifest and install it again.',
    ]);
  });

  it('P27 a channel that the bot is not in, or that is archived, or nowhere', async () => {
    slack.people.kick('C0AGENTS');
    expect((await failed())[0]).toContain('The bot is not in #agents: invite it');
    slack.people.invite('C0AGENTS');
    slack.people.archive('C0AGENTS');
    expect((await failed())[0]).toContain('#agents is archived');
    slack.server.world.channels.delete('C0AGENTS');
    expect((await failed())[0]).toContain('C0AGENTS: Slack says channel_not_found. Invite');
  });

  it('an app token that Slack does not know, and Socket Mode that is off', async () => {
    expect((await failed({ appToken: 'xapp-0' }))[0]).toContain(
      'Socket Mode: Slack says invalid_auth',
    );
    slack.server.isSocketModeOn = false;
    expect((await failed())[0]).toContain('Switch Socket Mode on in the settings of the app');
  });

  it('another program with the same app token; a bridge of ours is none (L3)', async () => {
    slack.server.sockets.strangers = 1;
    expect((await failed())[0]).toContain('only consumer: 1 more connection uses the app token');
    expect(await failed({}, true)).toEqual([]);
  });

  it('nobody at home', async () => {
    await slack.server.close();
    expect(await failed()).toEqual([
      'bot token: Slack cannot be reached (ECONNREFUSED).',
      'Socket Mode: Slack cannot be reached (ECONNREFUSED).',
    ]);
    await slack.server.reopen();
  });
});
