import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../e2e/page-client.ts';
import { type FakeSlack, readSlack, startFakeSlack } from '../fakes/slack-fake.ts';
import type { SlackMessage } from '../fakes/slack-world.ts';
import { type Bridged, openBridged } from './bridged.ts';
import type { LiveAgent } from './live-agent.ts';
import { findLiveProgram } from './program.ts';

const program = await findLiveProgram();
const CHANNEL = 'C0AGENTS';
const BOB = 'U0BOB';

describe.skipIf(program.isMissing)(`a run in Slack, ${program.title}`, () => {
  let slack: FakeSlack;
  let bridged: Bridged;
  let agent: LiveAgent;

  beforeAll(async () => {
    slack = await startFakeSlack();
    const { botToken, appToken, apiUrl } = slack.config;
    bridged = await openBridged(program, {
      config: {
        slack: { botToken, appToken, apiUrl, channels: [{ id: CHANNEL, all: true }] },
        access: { drivers: [`slack:${BOB}`] },
      },
    });
    agent = await bridged.stage.start();
  });
  afterAll(async () => {
    await bridged?.stop();
    await slack?.stop();
  });

  const root = (): SlackMessage | undefined =>
    slack.server.world.messages.find((m) => m.channel === CHANNEL && m.threadTs === undefined);
  const posts = (): readonly SlackMessage[] => {
    const head = root();
    return head === undefined ? [] : slack.server.world.thread(CHANNEL, head.ts).slice(1);
  };
  const shown = (text: string): Promise<SlackMessage> =>
    eventually(`a post with ${text}`, () => posts().find((m) => readSlack(m).includes(text)));
  const thread = async (): Promise<string> => (await eventually('a thread', root)).ts;
  const say = async (text: string): Promise<string> =>
    slack.people.say({ user: BOB, channel: CHANNEL, thread: await thread(), text });
  const mark = (ts: string, name: string) =>
    eventually(
      `${name} on ${ts}`,
      () => slack.server.world.message(CHANNEL, ts)?.reactions.has(name) || undefined,
    );

  it('D1, D3: a reply reaches the agent once, gets its receipt, and the answer is posted once', async () => {
    await agent.say('#say hello from the terminal');
    await shown('hello from the terminal');
    const ts = await say('#say hello from Slack & <others>');
    await mark(ts, 'white_check_mark');
    await shown('hello from Slack & <others>');
    const received = bridged.stage.api.received().flatMap((turn) => [...turn.texts]);
    expect(received.filter((text) => text.includes('from Slack'))).toEqual([
      '#say hello from Slack & <others>',
    ]);
    const own = posts().filter((m) => m.user !== BOB && readSlack(m).includes('hello from Slack'));
    expect(own.map(readSlack)).toEqual([expect.stringContaining('hello from Slack & <others>')]);
  });
});
