import type { DeliveryOutcome, DialogAnswer } from '../../bridge/model/delivery.ts';
import { type DialogId, id, type SessionId } from '../../bridge/model/ids.ts';
import type { RunHandle } from '../../bridge/model/run-state.ts';
import type { DeliveryContext } from '../../bridge/ports/agent-provider.ts';
import { dialogIn, outcomeOf, refusalOfClosed } from './dialog-record.ts';
import { Fold } from './fold.ts';
import { decisionFor } from './hook-decision.ts';
import type { HookRequest, HookRequests } from './hook-requests.ts';
import { type PlacedRow, readRowsSince, sizeOf } from './proof.ts';
import { refused } from './readiness.ts';
import { withoutControls } from './sendable.ts';
import { lookAt, screenText } from './sight.ts';
import type { SubmitDeps } from './submit.ts';

const askEveryMs = 50;

/** The call that a dialog's id names: an approval's is the call's with a prefix. */
export const callOfDialog = (dialog: DialogId): string => dialog.replace(/^approval:/, '');

export interface AnswerHookDeps extends SubmitDeps {
  readonly requests: HookRequests;
}

/**
 * What the rows say became of a dialog that a hook has answered. PURE. Undefined while they say
 * nothing.
 */
export const hookOutcome = (
  rows: readonly PlacedRow[],
  session: SessionId,
  dialog: DialogId,
  expected: string,
): DeliveryOutcome | undefined => {
  const call = callOfDialog(dialog);
  const decided = rows
    .map(({ row }) => (row.type === 'attachment' ? row.attachment.decided : undefined))
    .find((each) => each?.call === call);
  if (expected === 'approved' || expected === 'declined') {
    const wanted = expected === 'approved' ? 'allow' : 'deny';
    if (decided !== undefined)
      return decided.decision === wanted
        ? { status: 'confirmed' }
        : refused('already-answered', 'Another hook of this run has decided otherwise.');
    return closedElsewhere(rows, session, dialog);
  }
  const item = dialogIn(rows, session, dialog);
  return item && outcomeOf(item, expected);
};

/** Its result is there, and no hook's decision: somebody at the terminal was first. */
const closedElsewhere = (
  rows: readonly PlacedRow[],
  session: SessionId,
  dialog: DialogId,
): DeliveryOutcome | undefined => {
  const item = dialogIn(rows, session, dialog);
  if (item !== undefined) return refusalOfClosed(item);
  const fold = new Fold({ session });
  for (const { row, offset } of rows) fold.push(row, offset);
  const tool = fold
    .take()
    .items.find((each) => each.kind === 'tool' && each.id === callOfDialog(dialog));
  if (tool?.kind !== 'tool' || tool.status === 'running') return undefined;
  const how = tool.status === 'denied' || tool.status === 'interrupted' ? 'declined' : 'allowed';
  return refused('already-answered', `It was ${how} at the terminal already.`);
};

/** Answers by data where the run's hook waits for this very dialog (Q3); the record is the proof. */
export const answerByHook = async (
  deps: AnswerHookDeps,
  run: RunHandle,
  request: HookRequest,
  dialog: DialogId,
  asked: DialogAnswer,
  ctx: DeliveryContext,
): Promise<DeliveryOutcome | 'no-hook'> => {
  const answer: DialogAnswer =
    asked.type === 'own-words' ? { ...asked, text: withoutControls(asked.text).trim() } : asked;
  const decided = decisionFor(request.input, answer);
  if ('refused' in decided) return refused('not-sendable', decided.refused);
  const session = id<SessionId>(request.input.session_id);
  const file = await deps.transcript(run, session);
  const { rows } = await readRowsSince(file, await startOf(file));
  const from = startOfCall(rows, session, dialog) ?? (await sizeOf(file));
  const before = hookOutcome(rows, session, dialog, decided.expected);
  if (before !== undefined) {
    return before.status === 'confirmed' && ctx.attempts.find(ctx.delivery) === undefined
      ? refused('already-answered', 'It was answered already.')
      : before;
  }
  if (deps.clock.now() >= ctx.deadline || ctx.signal.aborted)
    return refused('expired', 'The time was over before it was answered.');
  if (ctx.attempts.find(ctx.delivery) === undefined)
    ctx.attempts.begin({
      delivery: ctx.delivery,
      run: run.id,
      session,
      file,
      offset: from,
      kind: 'answer',
      text: decided.expected,
      at: deps.clock.now(),
    });
  ctx.attempts.advance(ctx.delivery, 'entered');
  deps.failPoint?.('answer:deciding');
  if (!deps.requests.answer(session, callOfDialog(dialog), decided.output)) {
    ctx.attempts.forget(ctx.delivery);
    return 'no-hook';
  }
  deps.failPoint?.('answer:decided');
  return prove(deps, run, { file, from, session, dialog, expected: decided.expected }, ctx);
};

/** The rows of the dialog's own call are within the last part of the file; a long input is one row. */
const lookBackBytes = 4 * 1024 * 1024;
const startOf = async (file: string | undefined): Promise<number> =>
  Math.max(0, (await sizeOf(file)) - lookBackBytes);

/** Where the row stands that calls; undefined where the transcript does not have it yet. */
const startOfCall = (
  rows: readonly PlacedRow[],
  session: SessionId,
  dialog: DialogId,
): number | undefined => {
  const fold = new Fold({ session });
  for (const { row, offset } of rows) fold.push(row, offset);
  const call = callOfDialog(dialog);
  const item = fold
    .take()
    .items.find((each) => (each.kind === 'dialog' ? each.dialog : each.id) === call);
  return item && Math.floor(item.order);
};

const prove = async (
  deps: AnswerHookDeps,
  run: RunHandle,
  of: {
    readonly file: string | undefined;
    readonly from: number;
    readonly session: SessionId;
    readonly dialog: DialogId;
    readonly expected: string;
  },
  ctx: DeliveryContext,
): Promise<DeliveryOutcome> => {
  for (;;) {
    const file = of.file ?? (await deps.transcript(run, of.session));
    const { rows } = await readRowsSince(file, of.from);
    const outcome = hookOutcome(rows, of.session, of.dialog, of.expected);
    if (outcome !== undefined) {
      ctx.attempts.advance(ctx.delivery, 'settled');
      return outcome;
    }
    if (deps.clock.now() >= ctx.deadline || ctx.signal.aborted) {
      const screen = run.pane === undefined ? '' : screenText(await lookAt(deps, run, run.pane));
      const reason = 'the answer was handed over, and the transcript does not show it yet';
      return { status: 'unknown', reason, screen };
    }
    await deps.clock.sleep(askEveryMs, ctx.signal);
  }
};
