import type { RunId } from '../model/ids.ts';
import type { RunHandle, RunSummary } from '../model/run-state.ts';
import { type FollowDeps, follow, publish, type Surroundings } from './observe.follow.ts';

export interface ObserveDeps extends FollowDeps {
  /** Rules of the configuration: false is private, the run is not even read (R1). */
  readonly isShown: (run: RunHandle) => boolean;
  readonly onError: (error: unknown, run: RunId | undefined) => void;
  /** Tells the supervisor that the loop lives. */
  readonly beat: () => void;
  /** ms between two discoveries. */
  readonly everyMs: number;
  /** Resolves early when something hints that runs changed. */
  readonly hint?: (signal: AbortSignal) => Promise<void>;
}

/** Hints that come within this time are looked at together. */
const HINTS_WITHIN_MS = 150;

/** Finds runs and follows each one until it ends; one run's trouble never stops another (L4). */
export const observeLoop = async (deps: ObserveDeps, signal: AbortSignal): Promise<void> => {
  const followers = new Followers(deps, signal);
  let isFirstLook = true;
  while (!signal.aborted) {
    deps.beat();
    try {
      const runs = await deps.provider.discover(signal);
      if (isFirstLook) await followers.endOfOld(runs);
      isFirstLook = false;
      await followers.see(runs);
    } catch (error) {
      if (!signal.aborted) deps.onError(error, undefined);
    }
    await nextLook(deps, signal);
  }
  await followers.done();
};

const nextLook = async (deps: ObserveDeps, signal: AbortSignal): Promise<void> => {
  const nap = new AbortController();
  const wake = (): void => nap.abort();
  const naps: Promise<void>[] = [deps.clock.sleep(deps.everyMs, nap.signal)];
  if (deps.hint !== undefined) naps.push(deps.hint(nap.signal));
  signal.addEventListener('abort', wake, { once: true });
  await Promise.race(naps);
  // Many hints in a row are one look.
  await deps.clock.sleep(Math.min(HINTS_WITHIN_MS, deps.everyMs), nap.signal);
  signal.removeEventListener('abort', wake);
  nap.abort();
};

interface Follower {
  readonly task: Promise<void>;
  readonly leave: AbortController;
  around: Surroundings;
}

/** A platform that is away, or a file that is long, holds nobody up for longer. */
const OLD_WITHIN_MS = 10_000;
const GONE_WITHIN_MS = 3_000;

/** One follower for each run that is shown. */
class Followers {
  readonly #deps: ObserveDeps;
  readonly #signal: AbortSignal;
  readonly #following = new Map<RunId, Follower>();

  constructor(deps: ObserveDeps, signal: AbortSignal) {
    this.#deps = deps;
    this.#signal = signal;
  }

  /**
   * Runs that ended while nobody looked are read to their end first: their last words are posted,
   * their heads say how it ended, and a later process that resumes the session finds it free (R2, R6).
   */
  async endOfOld(live: readonly RunHandle[]): Promise<void> {
    const isLive = new Set(live.map((run) => run.id));
    const old = this.#deps.store
      .runs()
      .filter(
        (run) => run.state.name !== 'ended' && !isLive.has(run.id) && this.#deps.isShown(run),
      );
    await this.#within(
      OLD_WITHIN_MS,
      old.map((run) => this.#follow(before(live, handleOf(run)), [])),
    );
  }

  /** All runs that live now: new ones are followed, what is private now is left. */
  async see(runs: readonly RunHandle[]): Promise<void> {
    const isLive = new Set(runs.map((run) => run.id));
    // A new run may go on with the session of one that has just gone: that one is told to its end first.
    const gone = [...this.#following].flatMap(([id, { task }]) => (isLive.has(id) ? [] : task));
    for (const run of runs) {
      const known = this.#following.get(run.id);
      const isShown = this.#deps.isShown(run);
      if (known === undefined) {
        if (isShown) void this.#follow(run, gone);
      } else if (isShown) await this.#refresh(known, run);
      else await this.#leave(known, run);
    }
  }

  async done(): Promise<void> {
    await Promise.all([...this.#following.values()].map(({ task }) => task));
  }

  #follow(run: RunHandle, after: readonly Promise<void>[]): Promise<void> {
    const leave = new AbortController();
    const signal = AbortSignal.any([this.#signal, leave.signal]);
    const work = async (): Promise<void> => {
      await this.#within(GONE_WITHIN_MS, after);
      await followWithRetry(this.#deps, run, () => follower.around, signal);
    };
    const task = work().finally(() => this.#following.delete(run.id));
    const follower: Follower = { task, leave, around: surroundingsOf(run) };
    this.#following.set(run.id, follower);
    return task;
  }

  async #refresh(follower: Follower, run: RunHandle): Promise<void> {
    const { table } = this.#deps;
    const { branch, tmuxSession } = follower.around;
    if (branch === run.branch && tmuxSession === run.tmuxSession) return;
    follower.around = surroundingsOf(run);
    const known = table.live(run.id);
    if (known === undefined) return;
    const now = { ...known, ...follower.around };
    if (table.update(now)) await publish(this.#deps, { type: 'run', run: now });
  }

  async #leave(follower: Follower, run: RunHandle): Promise<void> {
    follower.leave.abort();
    await follower.task;
    this.#deps.table.hide(run);
  }

  async #within(ms: number, tasks: readonly Promise<void>[]): Promise<void> {
    if (tasks.length === 0) return;
    const nap = new AbortController();
    await Promise.race([Promise.all(tasks), this.#deps.clock.sleep(ms, nap.signal)]);
    nap.abort();
  }
}

/** What was shown of it is old; what it is stays. */
const handleOf = (summary: RunSummary): RunHandle => {
  const { state: _, title: __, pendingDialog: ___, ...handle } = summary;
  return handle;
};

/** Nobody knows when it ended: before a process that lives now started to go on with its session. */
const before = (live: readonly RunHandle[], run: RunHandle): RunHandle => {
  const later = live.filter((one) => one.session !== undefined && one.session === run.session);
  return later.length === 0
    ? run
    : { ...run, endedBefore: Math.min(...later.map((one) => one.startedAt)) };
};

const surroundingsOf = ({ branch, tmuxSession }: RunHandle): Surroundings => ({
  ...(branch !== undefined && { branch }),
  ...(tmuxSession !== undefined && { tmuxSession }),
});

const RETRY_MS = [500, 1_000, 2_000, 5_000, 10_000];

const followWithRetry = async (
  deps: ObserveDeps,
  run: RunHandle,
  around: () => Surroundings,
  signal: AbortSignal,
): Promise<void> => {
  for (let failures = 0; !signal.aborted; failures++) {
    try {
      await follow(deps, run, around, signal);
      return;
    } catch (error) {
      if (signal.aborted) return;
      deps.onError(error, run.id);
      await deps.clock.sleep(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 10_000, signal);
    }
  }
};
