import type { PlatformId } from '../model/ids.ts';
import type { ChatAdapter, FollowedThread } from '../ports/chat-adapter.ts';
import type { Clock } from '../ports/clock.ts';
import type { ThreadStore } from '../ports/thread-store.ts';

/** A reply to a run that ended longer ago is not read back, ms; its thread says how to resume it. */
const followedAfterEnd = 24 * 3_600_000;
/** How often it is noted that a platform is being listened to, ms. */
const noteEvery = 20_000;

/** Threads whose replies are read back after a gap, and from when: they live, or ended not long ago. */
export const followedThreads = (
  store: Pick<ThreadStore, 'threads' | 'heard'>,
  platform: PlatformId,
  now: number,
): readonly FollowedThread[] => {
  const heard = store.heard.until(platform) ?? 0;
  return store.threads
    .readable(platform, now - followedAfterEnd)
    .map(({ ref, createdAt }) => ({ thread: ref, since: Math.max(createdAt, heard) }));
};

export interface HeardDeps {
  readonly store: Pick<ThreadStore, 'heard'>;
  readonly adapters: ReadonlyMap<PlatformId, Pick<ChatAdapter, 'health'>>;
  readonly clock: Clock;
}

/**
 * Notes until when each platform was listened to. Only a platform that was connected at two looks in
 * a row counts, and only up to the look before the last: a connection that was lost in between, or
 * is back but has not read back yet, moves nothing.
 */
export const heardLoop = async (
  { store, adapters, clock }: HeardDeps,
  signal: AbortSignal,
): Promise<void> => {
  const looks = new Map<PlatformId, readonly number[]>();
  while (!signal.aborted) {
    const now = clock.now();
    for (const [platform, adapter] of adapters) {
      const seen = adapter.health().isConnected ? [...(looks.get(platform) ?? []), now] : [];
      looks.set(platform, seen.slice(-3));
      const [longAgo] = seen.slice(-3, -2);
      if (longAgo !== undefined) store.heard.save(platform, longAgo);
    }
    await clock.sleep(noteEvery, signal);
  }
};
