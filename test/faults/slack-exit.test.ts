import { afterEach, describe, expect, it } from 'vitest';
import type { SlackAdapterConfig } from '../../src/adapters/slack/adapter.ts';
import { type FakeSlack, startFakeSlack } from '../fakes/slack-fake.ts';
import { BOT_ID, BOT_USER } from '../fakes/slack-world.ts';
import { AdapterChild, patience } from './adapter-child.ts';

const CHANNEL = 'C0AGENTS';
describe('trouble that must never end the process (L2)', () => {
  let slack: FakeSlack;
  let child: AdapterChild;

  const begin = async (config: Partial<SlackAdapterConfig> = {}): Promise<string> => {
    slack = await startFakeSlack();
    slack.server.sockets.times.ackWithinMs = 300;
    slack.server.sockets.times.redeliverAfterMs = [0, 300, 1_500, 3_000];
    child = new AdapterChild('test/fakes/slack-child.ts', { ...slack.config, ...config });
    const root = slack.server.world.store({
      channel: CHANNEL,
      user: BOT_USER,
      botId: BOT_ID,
      versions: [{ text: 'head', blocks: [] }],
    });
    await child.isWell();
    return root.ts;
  };

  const isHeard = async (thread: string, text: string): Promise<void> => {
    slack.people.say({ user: 'U0ALICE', channel: CHANNEL, thread, text });
    await expect.poll(() => child.heard, patience).toContain(text);
    await child.isWell();
  };

  const says = async (part: string): Promise<void> => {
    await expect.poll(() => child.health?.detail ?? '', patience).toContain(part);
  };

  afterEach(async () => {
    try {
      await child.end();
    } finally {
      await slack.stop();
    }
  });

  it('a bot token that Slack does not know (trap 6)', async () => {
    await begin({ botToken: 'xoxb-0-wrong' });
    await says('Slack says invalid_auth. Install the app to the workspace again');
    expect(child.health?.isConnected).toBe(false);
    await child.isWell();
  });

  it('an app token that Slack does not know (trap 7)', async () => {
    await begin({ appToken: 'xapp-0-wrong' });
    await says('Slack says invalid_auth');
    await child.isWell();
  });

  it('the two tokens in each other’s place are told apart without Slack (trap 7)', async () => {
    await begin({ appToken: 'xoxb-dummy-bot-token', botToken: 'xapp-dummy-app-token' });
    await says('slack.botToken is an app-level token; it must be the bot token (xoxb-…)');
    await child.isWell();
  });

  it('a bot token under the name of an app token: Slack’s refusal is no endless wait (trap 7)', async () => {
    const thread = await begin();
    slack.server.botTokens.add('xapp-dummy-app-token');
    slack.server.sockets.drop();
    await says('Slack says not_allowed_token_type. slack.botToken must be the bot token');
    slack.server.botTokens.delete('xapp-dummy-app-token');
    await isHeard(thread, 'after all');
  });

  it('HTTP 500 from apps.connections.open while reconnecting (trap 2)', async () => {
    const thread = await begin();
    await isHeard(thread, 'before');
    slack.server.faults.arm({ kind: 'server-error', method: 'apps.connections.open', times: 2 });
    slack.server.sockets.drop();
    await isHeard(thread, 'after');
  });

  it('refused connections while reconnecting, and a stop meanwhile (traps 2, 11)', async () => {
    await begin();
    await slack.server.close();
    await says('Not connected to Slack: Slack cannot be reached (ECONNREFUSED)');
    await child.isWell();
  });

  it('app_rate_limited, which has no inner event (trap 10)', async () => {
    const thread = await begin();
    slack.server.sockets.rateLimitEvents();
    await isHeard(thread, 'after');
  });

  it('a frame that is no JSON, and one of a kind that nobody knows', async () => {
    const thread = await begin();
    slack.server.sockets.sayRaw('{not json');
    slack.server.sockets.sayRaw('{"type":"events_api"}');
    slack.server.sockets.sayRaw('{"type":"news","envelope_id":"e"}');
    slack.server.sockets.sayRaw('null');
    await isHeard(thread, 'after');
  });

  it('P28 a token that is revoked while running: said with what to do, and heard again after it', async () => {
    const thread = await begin();
    slack.people.revoke();
    await says('Slack has taken the token back');
    expect(child.health?.isConnected).toBe(false);
    slack.server.sockets.drop();
    await says('token_revoked');
    slack.server.botTokens.add('xoxb-dummy-bot-token');
    await isHeard(thread, 'after');
    await expect.poll(() => child.health?.isConnected, patience).toBe(true);
  });

  it('sleep and wake: what was said meanwhile is heard, and what is said next', async () => {
    const thread = await begin();
    await isHeard(thread, 'before');
    child.signal('SIGSTOP');
    slack.people.say({ user: 'U0ALICE', channel: CHANNEL, thread, text: 'asleep' });
    // Longer than a pong may take: the socket is dead for one side and not for the other.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    slack.server.sockets.drop();
    child.signal('SIGCONT');
    await expect.poll(() => child.heard, patience).toContain('asleep');
    await isHeard(thread, 'awake');
  });

  it('a second consumer of the app token is told (L3)', async () => {
    await begin();
    await expect.poll(() => child.health?.detail, patience).toBe('Connected to Slack.');
    slack.server.sockets.strangers = 1;
    slack.server.sockets.disconnect('refresh_requested');
    await says('Slack counts 1 more connection with this app token');
    expect(child.health?.isConnected).toBe(true);
  });
});
