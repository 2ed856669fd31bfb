import type { Envelope, HostEvent } from '../model/events.ts';
import { matchesRun } from '../model/run-match.ts';
import type { RunSummary } from '../model/run-state.ts';
import type { Channel, Thread } from '../model/thread.ts';
import type { PublishSink } from '../ports/link.ts';
import { dialogKey, LedgerView } from './ledger-view.ts';
import { planClosed, planPending } from './plan-dialog.ts';
import type { PublishDeps } from './publish.deps.ts';
import { place } from './publish.place.ts';
import { applyOps, contextOf, showItems, showState } from './publish.show.ts';
import { redactPending } from './redact-item.ts';

const channelsFor = (deps: PublishDeps, run: RunSummary): readonly Channel[] =>
  deps.channels.filter(
    (channel) => deps.adapters.has(channel.platform) && matchesRun(channel.match, run),
  );

const seenNow = (run: RunSummary) => ({ session: run.session, origin: undefined });

/** A dialog that another source than the transcript knows of; or that none knows of any more. */
const showDialog = (
  deps: PublishDeps,
  channel: Channel,
  thread: Thread,
  event: Extract<HostEvent, { type: 'dialog' }>,
  at: number,
): void => {
  const { run, pending } = event;
  const { ledger, threads } = deps.store;
  const context = contextOf(deps, channel, thread, run);
  const open = ledger.kept(thread.id, dialogKey(''));
  const view = new LedgerView(
    pending === null ? open : ledger.load(thread.id, [dialogKey(pending.id)]),
  );
  const isNew = pending !== null && planPending(view, redactPending(pending, deps.redact), context);
  if (pending === null) planClosed(view, open, 'closed', at, context);
  applyOps(deps, channel, thread, view.ops);
  if (isNew) threads.save({ ...thread, tail: dialogKey(pending.id) });
};

const closeEnded = (
  deps: PublishDeps,
  channel: Channel,
  thread: Thread,
  run: RunSummary,
  at: number,
): void => {
  const open = deps.store.ledger.kept(thread.id, dialogKey(''));
  const view = new LedgerView(open);
  planClosed(view, open, 'run-ended', at, contextOf(deps, channel, thread, run));
  applyOps(deps, channel, thread, view.ops);
};

const showEvent = (deps: PublishDeps, { body, at }: Envelope<HostEvent>): void => {
  if (body.type === 'outcome') {
    deps.onOutcome(body, at);
    return;
  }
  const { run } = body;
  const { threads } = deps.store;
  for (const channel of channelsFor(deps, run)) {
    const seen =
      body.type === 'items' ? { session: body.session, origin: body.origin } : seenNow(run);
    const placed = place(deps, channel, run, seen);
    if (placed === undefined) continue;
    const { thread } = placed;
    if (body.type === 'items') showItems(deps, channel, placed, body);
    else if (body.type === 'dialog') showDialog(deps, channel, thread, body, at);
    else if (run.state.name === 'ended') closeEnded(deps, channel, thread, run, at);
    showState(deps, channel, threads.find(thread.id) ?? thread, run);
  }
  if (run.state.name === 'ended') threads.setLive(run.id, false);
};

/**
 * The chat side's end of the link: plans what an event adds or changes in every thread that shows its
 * run. Resolves when that is committed; only then may the host move its cursor. The same envelope,
 * and the same items in another one, plan nothing.
 */
export const makePublish =
  (deps: PublishDeps): PublishSink =>
  async (envelope) => {
    const { store, bell, failPoint } = deps;
    failPoint?.('publish:received');
    store.transaction(() => {
      if (!store.isNewEnvelope(envelope.id, envelope.at)) return;
      showEvent(deps, envelope);
      failPoint?.('publish:planned');
    });
    failPoint?.('publish:committed');
    bell.ring();
  };
