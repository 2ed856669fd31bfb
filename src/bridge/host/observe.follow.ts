import type { HostEvent } from '../model/events.ts';
import type { PendingDialog, RunHandle, RunSummary } from '../model/run-state.ts';
import { type AgentProvider, isRunCommands, type Observation } from '../ports/agent-provider.ts';
import type { Clock } from '../ports/clock.ts';
import type { HostLink } from '../ports/link.ts';
import type { HostStore } from '../ports/store.ts';
import { type RunTable, titleOf } from './run-table.ts';
import { settle } from './settle.ts';

export interface FollowDeps {
  readonly provider: AgentProvider;
  readonly store: HostStore;
  readonly link: HostLink;
  readonly table: RunTable;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Asked for a run that stands idle with our last message unanswered: was it un-sent? */
  readonly checkUnsent: (run: RunHandle) => Promise<void>;
}

/** What only a look at all runs tells: where its pane is now, and on which branch it works. */
export type Surroundings = Pick<RunHandle, 'branch' | 'tmuxSession'>;

/** Reads one run to its end. The cursor moves only after the chat side has committed. */
export const follow = async (
  deps: FollowDeps,
  run: RunHandle,
  /** As they are now. */
  around: () => Surroundings,
  signal: AbortSignal,
): Promise<void> => {
  const from = run.session === undefined ? undefined : deps.store.cursor(run.session, run.id);
  let shownDialog: string | undefined;
  let isFirst = true;
  for await (const seen of deps.provider.observe(run, from, signal)) {
    const summary = summarise(deps.provider, seen, around());
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
    // Not before the chat side knows of the end: a crash in between would leave its thread alive.
    if (seen.state.name === 'ended') deps.table.end(summary);
    if (
      seen.state.name === 'idle' &&
      deps.store.attempts.open(run.id).some((a) => a.stage === 'proved')
    ) {
      await deps.checkUnsent(seen.run);
    }
  }
};

const settleAttempts = async (deps: FollowDeps, seen: Observation): Promise<void> => {
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

export const publish = (
  deps: Pick<FollowDeps, 'link' | 'newId' | 'clock'>,
  body: HostEvent,
): Promise<void> => deps.link.publish({ v: 1, id: deps.newId(), at: deps.clock.now(), body });

const dialogKey = (dialog: PendingDialog | undefined): string | undefined =>
  dialog === undefined
    ? undefined
    : `${dialog.id} ${dialog.isAnswerable} ${dialog.hook !== undefined}`;

const summarise = (
  provider: AgentProvider,
  seen: Observation,
  around: Surroundings,
): RunSummary => {
  const commands = isRunCommands(provider) ? provider : undefined;
  const resumeCommand = commands?.resumeCommand(seen.run);
  const attachCommand = commands?.attachCommand(seen.run);
  const { branch: _, tmuxSession: __, endedBefore: ___, ...run } = seen.run;
  return {
    ...run,
    // The one that is told of: the run may be in the next one already.
    ...(seen.session !== undefined && { session: seen.session }),
    ...around,
    state: seen.state,
    title: titleOf(seen.run, seen.title),
    lastActivityAt: seen.lastActivityAt,
    ...(seen.transcriptPath === undefined ? {} : { transcriptPath: seen.transcriptPath }),
    ...(seen.pendingDialog === undefined ? {} : { pendingDialog: seen.pendingDialog }),
    ...(resumeCommand === undefined ? {} : { resumeCommand }),
    ...(attachCommand === undefined ? {} : { attachCommand }),
  };
};
