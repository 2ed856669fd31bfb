import { createDiscordAdapter } from '../adapters/discord/adapter.ts';
import { createSlackAdapter } from '../adapters/slack/adapter.ts';
import type { Config } from '../bridge/config.ts';
import type { Channel } from '../bridge/model/thread.ts';
import type { ChatAdapter } from '../bridge/ports/chat-adapter.ts';
import type { Clock } from '../bridge/ports/clock.ts';
import type { Log } from '../bridge/ports/log.ts';

export interface Platforms {
  readonly adapters: readonly ChatAdapter[];
  readonly channels: readonly Channel[];
}

/** The platforms that the configuration names, none of them started. */
export const makePlatforms = (
  config: Config,
  deps: { readonly clock: Clock; readonly log: Log },
): Platforms => {
  const { slack, discord, access, interrupt } = config;
  const listed = [...access.owners, ...access.drivers];
  const usergroups = listed
    .filter(({ platform, kind }) => platform === 'slack' && kind === 'usergroup')
    .map(({ id }) => id);
  const { reactions } = interrupt;
  return {
    adapters: [
      ...(slack === undefined
        ? []
        : [createSlackAdapter({ ...slack, usergroups, reactions }, deps)]),
      ...(discord === undefined ? [] : [createDiscordAdapter(discord, deps)]),
    ],
    channels: [...(slack?.channels ?? []), ...(discord?.channels ?? [])],
  };
};
