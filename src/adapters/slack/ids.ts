import type { MessageRef, ThreadRef } from '../../bridge/model/chat.ts';
import { type ActorId, type ChannelId, id, type PlatformId } from '../../bridge/model/ids.ts';

export const slackId = id<PlatformId>('slack');

/** `slack:C0AGENTS` ↔ `C0AGENTS`. */
export const channelOf = (channel: ChannelId): string => channel.replace(/^slack:/, '');
export const channelIdOf = (channel: string): ChannelId => id<ChannelId>(`slack:${channel}`);

export const threadRef = (channel: string, root: string): ThreadRef => ({
  platform: slackId,
  channel: channelIdOf(channel),
  thread: root,
});

export const messageRef = (channel: string, root: string, ts: string): MessageRef => ({
  thread: threadRef(channel, root),
  message: ts,
});

export const userActorId = (team: string, user: string): ActorId =>
  id<ActorId>(`slack:${team}/user:${user}`);

/** `slack:T0TEAM/user:U0BOB` → `U0BOB`. */
export const userOf = (actor: ActorId): string | undefined =>
  /(?:^|:)([UW][A-Z0-9]+)$/.exec(actor)?.[1];

/** ms since the epoch of a ts, which is in seconds with six digits. */
export const msOf = (ts: string): number => Math.floor(Number(ts) * 1_000);
