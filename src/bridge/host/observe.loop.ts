import type { HostEvent } from '../model/events.ts';
import type { RunId } from '../model/ids.ts';
import type { PendingDialog, RunHandle, RunSummary } from '../model/run-state.ts';
import { type AgentProvider, isRunCommands, type Observation } from '../ports/agent-provider.ts';
import type { Clock } from '../ports/clock.ts';
import type { HostLink } from '../ports/link.ts';
import type { HostStore } from '../ports/store.ts';
import { type RunTable, titleOf } from './run-table.ts';
import { settle } from './settle.ts';

export interface ObserveDeps {
  readonly provider: AgentProvider;
  readonly store: HostStore;
  readonly link: HostLink;
  readonly table: RunTable;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Rules of the configuration: false is private, the run is not even read (R1). */
  readonly isShown: (run: RunHandle) => boolean;
  /** Asked for a run that stands idle with our last message unanswered: was it un-sent? */
  readonly checkUnsent: (run: RunHandle) => Promise<void>;
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
  const following = new Map<RunId, Promise<void>>();
  const followOne = (run: RunHandle): Promise<void> => {
    const task = followWithRetry(deps, run, signal).finally(() => following.delete(run.id));
    following.set(run.id, task);
    return task;
  };
  let isFirstLook = true;
  while (!signal.aborted) {
    deps.beat();
    let runs: readonly RunHandle[] = [];
    try {
      runs = await deps.provider.discover(signal);
    } catch (error) {
      deps.onError(error, undefined);
    }
    if (isFirstLook) await endOfOld(deps, runs, followOne);
    isFirstLook = false;
    for (const run of runs) {
      if (following.has(run.id) || !deps.isShown(run)) continue;
      void followOne(run);
    }
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
  }
  await Promise.all(following.values());
};

/**
 * Runs that ended while nobody looked are read to their end first: their last words are posted,
 * their heads say how it ended, and a later process that resumes the session finds it free (R2, R6).
 */
const endOfOld = async (
  deps: ObserveDeps,
  live: readonly RunHandle[],
  followOne: (run: RunHandle) => Promise<void>,
): Promise<void> => {
  const isLive = new Set(live.map((run) => run.id));
  const old = deps.store
    .runs()
    .filter((run) => run.state.name !== 'ended' && !isLive.has(run.id) && deps.isShown(run));
  const nap = new AbortController();
  await Promise.race([
    Promise.all(old.map(followOne)),
    deps.clock.sleep(END_OF_OLD_WITHIN_MS, nap.signal),
  ]);
  nap.abort();
};

/** A platform that is away holds nobody up for longer. */
const END_OF_OLD_WITHIN_MS = 10_000;

const RETRY_MS = [500, 1_000, 2_000, 5_000, 10_000];

const followWithRetry = async (
  deps: ObserveDeps,
  run: RunHandle,
  signal: AbortSignal,
): Promise<void> => {
  for (let failures = 0; !signal.aborted; failures++) {
    try {
      await follow(deps, run, signal);
      return;
    } catch (error) {
      if (signal.aborted) return;
      deps.onError(error, run.id);
      await deps.clock.sleep(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 10_000, signal);
    }
  }
};

/** Reads one run to its end. The cursor moves only after the chat side has committed. */
const follow = async (deps: ObserveDeps, run: RunHandle, signal: AbortSignal): Promise<void> => {
  const from = run.session === undefined ? undefined : deps.store.cursor(run.session, run.id);
  let shownDialog: string | undefined;
  let isFirst = true;
  for await (const seen of deps.provider.observe(run, from, signal)) {
    const summary = summarise(deps.provider, seen);
    const changed = deps.table.update(summary);
    await settleAttempts(deps, seen);
    if (changed || isFirst) await publish(deps, { type: 'run', run: summary });
    if (seen.session !== undefined && seen.items.length > 0) {
      await publish(deps, {
        type: 'items',
        run: summary,
        session: seen.session,
        origin: seen.origin,
        cursor: seen.cursor,
        items: seen.items,
      });
    }
    const dialog = dialogKey(seen.pendingDialog);
    if (dialog !== shownDialog || isFirst) {
      await publish(deps, { type: 'dialog', run: summary, pending: seen.pendingDialog ?? null });
      shownDialog = dialog;
    }
    isFirst = false;
    if (seen.session !== undefined)
      deps.store.saveCursor(seen.session, seen.run.id, seen.cursor, seen.transcriptPath);
    if (
      seen.state.name === 'idle' &&
      deps.store.attempts.open(run.id).some((a) => a.stage === 'proved')
    ) {
      await deps.checkUnsent(seen.run);
    }
  }
};

const settleAttempts = async (deps: ObserveDeps, seen: Observation): Promise<void> => {
  if (seen.session === undefined) return;
  const open = deps.store.attempts.open(seen.run.id);
  if (open.length === 0) return;
  const settlements = settle(
    open,
    { session: seen.session, evidence: seen.evidence, items: seen.items },
    deps.provider.sameText,
  );
  for (const { delivery, stage, proof, outcome } of settlements) {
    if (outcome !== undefined) {
      await publish(deps, { type: 'outcome', delivery, run: seen.run.id, outcome });
    }
    // After the publish: a crash between the two publishes the same outcome again, which changes nothing.
    deps.store.attempts.advance(delivery, stage, proof);
  }
  if (seen.state.name !== 'ended') return;
  for (const attempt of deps.store.attempts.open(seen.run.id)) {
    if (attempt.stage === 'queued') {
      await publish(deps, {
        type: 'outcome',
        delivery: attempt.delivery,
        run: seen.run.id,
        outcome: {
          status: 'unknown',
          reason: 'the run ended before the agent took it from its queue',
          screen: '',
        },
      });
    }
    deps.store.attempts.advance(attempt.delivery, 'settled');
  }
};

const publish = (deps: ObserveDeps, body: HostEvent): Promise<void> =>
  deps.link.publish({ v: 1, id: deps.newId(), at: deps.clock.now(), body });

const dialogKey = (dialog: PendingDialog | undefined): string | undefined =>
  dialog === undefined ? undefined : `${dialog.id} ${dialog.isAnswerable}`;

const summarise = (provider: AgentProvider, seen: Observation): RunSummary => {
  const commands = isRunCommands(provider) ? provider : undefined;
  const resumeCommand = commands?.resumeCommand(seen.run);
  const attachCommand = commands?.attachCommand(seen.run);
  return {
    ...seen.run,
    state: seen.state,
    title: titleOf(seen.run, seen.title),
    lastActivityAt: seen.lastActivityAt,
    ...(seen.transcriptPath === undefined ? {} : { transcriptPath: seen.transcriptPath }),
    ...(seen.pendingDialog === undefined ? {} : { pendingDialog: seen.pendingDialog }),
    ...(resumeCommand === undefined ? {} : { resumeCommand }),
    ...(attachCommand === undefined ? {} : { attachCommand }),
  };
};
