import type { Attempt, DeliveryOutcome } from '../../bridge/model/delivery.ts';
import type { PaneIdentity, RunHandle } from '../../bridge/model/run-state.ts';
import type { DeliveryContext } from '../../bridge/ports/agent-provider.ts';
import { clearBox } from './clear-box.ts';
import { compareDraft, type DraftMatch } from './draft.ts';
import { readRowsSince } from './proof.ts';
import { findProof } from './prove-reply.ts';
import { refused, type Sighting } from './readiness.ts';
import { lookAt, screenText } from './sight.ts';
import type { SubmitDeps } from './submit.ts';

/** An Enter that a crash overtook is in the record within this time. */
const LATE_PROOF_MS = 2_000;

/**
 * What became of a reply whose keys a crash (or Escape at the terminal) overtook: the transcript
 * since the noted offset decides, then the input box. Types nothing (L1).
 */
export const resolveReply = async (
  deps: SubmitDeps,
  run: RunHandle,
  attempt: Attempt,
  ctx: DeliveryContext,
): Promise<DeliveryOutcome> => {
  const { pane } = run;
  if (pane === undefined || attempt.session === undefined) {
    return { status: 'unknown', reason: 'the run cannot be looked at', screen: '' };
  }
  if (attempt.stage === 'proved') return unsentOrNot(deps, run, pane, attempt, ctx);
  const { text, session, file } = attempt;
  // What was un-sent or popped keeps its row: only a later one shows that it was sent after all.
  const offset = attempt.proof === undefined ? attempt.offset : attempt.proof.offset + 1;
  const wait = attempt.stage === 'entered' ? LATE_PROOF_MS : 0;
  const until = Math.min(ctx.deadline, deps.clock.now() + wait);
  const proof = await findProof(deps, { run, pane, text, session, file, offset }, ctx, until);
  if (proof !== undefined) return proof;
  const seen = await lookAt(deps, run, pane);
  const match = draftMatch(seen, text);
  if (match === 'same' || match === 'part') {
    ctx.attempts.advance(ctx.delivery, 'returned');
    return {
      status: 'returned',
      reason: 'the bridge was restarted before Enter; it stands in the input box',
    };
  }
  if (match === 'missing' && attempt.stage === 'begun') {
    // The note was written and the first paste never went: nothing was typed.
    ctx.attempts.forget(ctx.delivery);
    return { status: 'held', reason: { why: 'starting' } };
  }
  return {
    status: 'unknown',
    reason:
      'the bridge was restarted while it typed, and neither the transcript nor the input box shows it',
    screen: screenText(seen),
  };
};

/** The registry says idle before the box is drawn anew; the text is back in it within this time. */
const BACK_WITHIN_MS = 1_000;
const LOOK_EVERY_MS = 50;

/** Escape before the first token puts the text back into the box and writes nothing: the box is the witness. */
const unsentOrNot = async (
  deps: SubmitDeps,
  run: RunHandle,
  pane: PaneIdentity,
  attempt: Attempt,
  ctx: DeliveryContext,
): Promise<DeliveryOutcome> => {
  const until = Math.min(ctx.deadline, deps.clock.now() + BACK_WITHIN_MS);
  for (;;) {
    const seen = await lookAt(deps, run, pane);
    const isIdle = typeof seen.registry !== 'string' && seen.registry.status === 'idle';
    if (!isIdle) return { status: 'confirmed' };
    if (draftMatch(seen, attempt.text) === 'same') {
      return {
        status: 'returned',
        reason: 'Escape at the terminal took it back before the agent began',
      };
    }
    const isOver = deps.clock.now() >= until || ctx.signal.aborted;
    if (isOver || (await hasGoneOn(deps, run, attempt))) return { status: 'confirmed' };
    await deps.clock.sleep(LOOK_EVERY_MS, ctx.signal);
  }
};

/** Something was said after the prompt: then it was not taken back. */
const hasGoneOn = async (
  deps: SubmitDeps,
  run: RunHandle,
  { session, file, proof }: Attempt,
): Promise<boolean> => {
  if (session === undefined || proof === undefined) return false;
  const { rows } = await readRowsSince(file ?? (await deps.transcript(run, session)), proof.offset);
  return rows.some(
    ({ row, offset }) =>
      offset > proof.offset &&
      (row.type === 'assistant' || row.type === 'user' || row.type === 'system'),
  );
};

const draftMatch = (seen: Sighting, text: string): DraftMatch | undefined =>
  seen.screen?.kind === 'box' ? compareDraft(seen.screen.draft, text) : undefined;

/**
 * A person gave a returned text up: it is taken out of the box, if it still stands there unchanged.
 * Held: it could not be taken out now and may still stand there.
 */
export const clearReturned = async (
  deps: SubmitDeps,
  run: RunHandle,
  attempt: Attempt,
  ctx: DeliveryContext,
): Promise<DeliveryOutcome> => {
  const { pane } = run;
  const discarded = refused('discarded', 'Discarded; it was not sent.');
  if (pane === undefined) return discarded;
  const match = draftMatch(await lookAt(deps, run, pane), attempt.text);
  // Out of sight behind a dialog, or not to be touched now.
  if (match === undefined) return { status: 'held', reason: { why: 'foreign-draft' } };
  if (match !== 'same') return discarded;
  return (await ctx.typing(() => clearBox(deps, run, pane, [attempt.text], ctx)))
    ? discarded
    : { status: 'held', reason: { why: 'foreign-draft' } };
};
