import { createSlackAdapter } from '../../src/adapters/slack/adapter.ts';
import type { ChannelId } from '../../src/bridge/model/ids.ts';
import type { ChatAdapter } from '../../src/bridge/ports/chat-adapter.ts';
import { systemClock } from '../../src/bridge/system-clock.ts';
import { type Limit, type Limits, realLimits } from '../fakes/discord-faults.ts';
import type { DiscordServer } from '../fakes/discord-server.ts';
import { setUpDiscord, textChannel } from '../fakes/discord-stage.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { type FakeSlack, readSlack, startFakeSlack } from '../fakes/slack-fake.ts';

/** A message of ours as it was first posted. */
export interface Posted {
  readonly thread: string;
  readonly text: string;
  /** ms since the epoch. */
  readonly at: number;
}

/** A platform with its real limits, `factor` times as fast. */
export interface LoadPlatform {
  readonly adapter: ChatAdapter;
  readonly channel: ChannelId;
  /** In the order in which they came; the last ones only, when `from` is given. */
  posted(from?: number): readonly Posted[];
  /** Calls that the platform itself refused as too many. */
  refused(): number;
  stop(): Promise<void>;
}

export type SlackUnderLoad = LoadPlatform & { readonly slack: FakeSlack };

export const slackUnderLoad = async (factor: number): Promise<SlackUnderLoad> => {
  const slack = await startFakeSlack();
  const { rates, world } = slack.server;
  rates.isOn = true;
  rates.factor = factor;
  // A stall of this machine is as many calls more as it is faster.
  rates.burst *= factor;
  let refused = 0;
  const take = rates.take.bind(rates);
  rates.take = (method, channel, now) => {
    const wait = take(method, channel, now);
    if (wait > 0) refused++;
    return wait;
  };
  const adapter = createSlackAdapter(slack.config, { clock: systemClock, log: silentLog });
  return {
    slack,
    adapter,
    channel: slack.channel,
    posted: (from = 0) =>
      world.messages.slice(from).map((message) => ({
        thread: message.threadTs ?? message.ts,
        text: readSlack({ ...message, versions: message.versions.slice(0, 1) }),
        at: Number(message.ts) * 1_000,
      })),
    refused: () => refused,
    stop: () => slack.stop(),
  };
};

const faster = ({ calls, windowMs }: Limit, factor: number): Limit => ({
  calls,
  windowMs: windowMs / factor,
});

const epoch = 1_420_070_400_000n;

export type DiscordUnderLoad = LoadPlatform & { readonly server: DiscordServer };

export const discordUnderLoad = async (factor: number): Promise<DiscordUnderLoad> => {
  const { server, adapter, stop } = await setUpDiscord({ timing: { callTimeout: 10_000 } });
  server.limits = Object.fromEntries(
    Object.entries(realLimits).map(([name, limit]) => [name, faster(limit, factor)]),
  ) as unknown as Limits;
  return {
    server,
    adapter,
    channel: textChannel,
    posted: (from = 0) =>
      server.world.messages.slice(from).map((message) => ({
        thread: message.channel_id,
        text: message.history[0] ?? message.content,
        at: Number((BigInt(message.id) >> 22n) + epoch),
      })),
    refused: () => server.calls.filter(({ status }) => status === 429).length,
    stop,
  };
};
