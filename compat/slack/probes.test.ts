import { readFileSync } from 'node:fs';
import { App, SocketModeReceiver, webApi } from '@slack/bolt';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sdkLogger } from '../../src/adapters/slack/web.ts';
import { silentLog } from '../../test/fakes/silent-log.ts';
import { type FakeSlack, startFakeSlack } from '../../test/fakes/slack-fake.ts';
import type { Json } from '../../test/fakes/slack-world.ts';

const logger = sdkLogger(silentLog);

/** What the SDK does by itself, and why the adapter does it otherwise. Numbers: sections of compat.md. */
describe('the Slack SDK as installed', () => {
  let slack: FakeSlack;
  beforeEach(async () => {
    slack = await startFakeSlack();
  });
  afterEach(() => slack.stop());

  const receiver = (): SocketModeReceiver =>
    new SocketModeReceiver({
      appToken: slack.config.appToken,
      autoReconnectEnabled: false,
      logger,
      installerOptions: { clientOptions: { slackApiUrl: slack.server.apiUrl } },
    });

  it.each([
    ['bolt', '5.1.0'],
    ['web-api', '8.2.0'],
    ['socket-mode', '3.1.0'],
  ])('is the one that was looked at: @slack/%s %s', (name, version) => {
    const path = `node_modules/@slack/${name}/package.json`;
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ version });
  });

  it('posts twice after a lost answer when its own retries are left on (1)', async () => {
    const { botToken, apiUrl } = slack.config;
    const client = new webApi.WebClient(botToken, { slackApiUrl: apiUrl, logger });
    slack.server.faults.arm({ kind: 'lost' });
    await client.chat.postMessage({ channel: 'C0AGENTS', text: 'once' });
    expect(slack.server.world.messages.map((m) => m.versions[0]?.text)).toEqual(['once', 'once']);
  });

  it('acknowledges an event before any listener of Bolt has run (13)', async () => {
    const one = receiver();
    const { botToken, apiUrl } = slack.config;
    const app = new App({
      token: botToken,
      receiver: one,
      logger,
      deferInitialization: true,
      clientOptions: { slackApiUrl: apiUrl },
    });
    await app.init();
    let wasAckedInside = false;
    app.message(async () => {
      // The listener is not done yet, and Slack has its ack.
      await vi.waitFor(() => expect(slack.server.sockets.unacked).toBe(0), { timeout: 5_000 });
      wasAckedInside = true;
    });
    await app.start();
    slack.people.say({ user: 'U0ALICE', channel: 'C0AGENTS', text: 'hi' });
    await vi.waitFor(() => expect(wasAckedInside).toBe(true), { timeout: 8_000 });
    await one.stop();
  });

  it('has one reader of frames, which throws where nobody catches on app_rate_limited (10)', async () => {
    const one = receiver();
    const readers = one.client.listeners('ws_message') as ((...frame: unknown[]) => unknown)[];
    expect(readers).toHaveLength(1);
    const frame = JSON.stringify({
      type: 'events_api',
      envelope_id: 'e1',
      payload: { type: 'app_rate_limited' },
    });
    await expect(readers[0]?.(frame, false)).rejects.toThrow(TypeError);
  });

  it('without its own reconnecting says that it is disconnected, and rejects at once what it cannot open (2, 7)', async () => {
    const one = receiver();
    await one.start();
    let isGone = false;
    one.client.on('disconnected', () => {
      isGone = true;
    });
    slack.server.sockets.drop();
    await vi.waitFor(() => expect(isGone).toBe(true));
    slack.server.appTokens.clear();
    slack.server.botTokens.add(slack.config.appToken);
    await expect(receiver().start()).rejects.toMatchObject({
      data: { error: 'not_allowed_token_type' } satisfies Json,
    });
  });
});
