import { type DialogItem, isSingleQuestion } from '../../bridge/model/conversation.ts';
import type { DeliveryOutcome, DialogAnswer } from '../../bridge/model/delivery.ts';
import { type DialogId, id, type SessionId } from '../../bridge/model/ids.ts';
import type { RunHandle } from '../../bridge/model/run-state.ts';
import type { DeliveryContext } from '../../bridge/ports/agent-provider.ts';
import {
  type AnswerDeps,
  askEveryMs,
  type OpenDialog,
  refusalNow,
  seeNow,
  waitForPicker,
} from './answer-picker.ts';
import { dialogIn, outcomeOf, refusalOfClosed } from './dialog-record.ts';
import { readRowsSince, readTail, sizeOf } from './proof.ts';
import { refused } from './readiness.ts';
import { isVerified, kindOf, recipeFor } from './recipes.ts';
import { runSteps, type StepsResult } from './run-steps.ts';
import { withoutControls } from './sendable.ts';
import { lookAt, screenText } from './sight.ts';

/**
 * Answers a question by keys, where no hook can (Q4): only on verified versions, only when the
 * picker is there and is still the dialog that was shown; the transcript's result is the proof.
 */
export const answerByKeys = async (
  deps: AnswerDeps,
  run: RunHandle,
  dialog: DialogId,
  asked: DialogAnswer,
  ctx: DeliveryContext,
): Promise<DeliveryOutcome> => {
  const answer: DialogAnswer =
    asked.type === 'own-words' ? { ...asked, text: withoutControls(asked.text).trim() } : asked;
  const found = await find(deps, run, dialog);
  if ('status' in found) return found;
  const { item, ...open } = found;
  const earlier = ctx.attempts.find(ctx.delivery);
  if (earlier !== undefined) {
    // Keys went before a crash: the record decides, nothing is pressed again.
    if (earlier.stage === 'settled' && item.status === 'answered') return { status: 'confirmed' };
    return (
      outcomeOf(item, earlier.text) ??
      unknown(deps, run, open, 'The bridge was restarted while it answered.')
    );
  }
  const closed = refusalOfClosed(item);
  if (closed !== undefined) return closed;
  const kind = isSingleQuestion(item.content) ? kindOf(open.question, answer) : undefined;
  if (kind === undefined || !isVerified(kind, open.version, deps.verifiedVersions)) {
    return refused(
      'not-verified',
      `Answering by keys is not verified for this kind of dialog on Claude Code ${open.version}. Answer it at the terminal or by the link.`,
    );
  }
  const missing = await waitForPicker(deps, run, open, ctx);
  if (missing !== undefined) return missing;
  const typed = await ctx.typing(() => type(deps, run, open, answer, ctx));
  if ('status' in typed) return typed;
  const told = deps.notify(open.pane, `${ctx.by} answered the question`);
  const outcome = await prove(deps, run, open, typed, ctx);
  await told;
  return outcome;
};

/** The dialog as the transcript holds it now, or why it cannot be looked at. */
const find = async (
  deps: AnswerDeps,
  run: RunHandle,
  dialog: DialogId,
): Promise<(OpenDialog & { readonly item: DialogItem }) | DeliveryOutcome> => {
  if (run.pane === undefined) {
    return refused('read-only', 'This run is outside tmux; answer it where it runs.');
  }
  const seen = await lookAt(deps, run, run.pane);
  const entry = seen.registry;
  if (!seen.process.isAlive) return refused('ended', 'The agent has ended.');
  if (typeof entry === 'string') {
    return refused('not-that-dialog', 'The agent does not say that it waits for an answer.');
  }
  const session = id<SessionId>(entry.sessionId);
  const file = await deps.transcript(run, session);
  const tail = await readTail(file, (rows) => dialogIn(rows, session, dialog) !== undefined);
  const item = dialogIn(tail.rows, session, dialog);
  if (item === undefined || file === undefined) {
    return refused(
      'not-that-dialog',
      'The transcript does not hold this dialog, so it is not certain what the keys would choose. Answer it at the terminal or by the link.',
    );
  }
  const [question] = item.content.type === 'question' ? item.content.questions : [];
  if (question === undefined) {
    return (
      refusalOfClosed(item) ??
      refused(
        'not-verified',
        'Only a question can be answered by keys. Use the terminal or the link.',
      )
    );
  }
  const { version } = entry;
  return {
    dialog,
    pane: run.pane,
    session,
    file,
    version,
    offset: Math.floor(item.order),
    question,
    item,
  };
};

/** The one place that presses keys: everything is looked at once more, with nobody else typing. */
const type = async (
  deps: AnswerDeps,
  run: RunHandle,
  open: OpenDialog,
  answer: DialogAnswer,
  ctx: DeliveryContext,
): Promise<{ readonly expected: string; readonly steps: StepsResult } | DeliveryOutcome> => {
  const closed = await refusalNow(open);
  if (closed !== undefined) return closed;
  const seen = await seeNow(deps, run, open);
  if (seen.page === undefined) {
    return 'refusal' in seen
      ? seen.refusal
      : refused('not-that-dialog', `${seen.why} Nothing was pressed.`);
  }
  const recipe = recipeFor(open.question, answer, seen.page);
  if (recipe === undefined) {
    return refused('not-sendable', 'The answer does not fit the question.');
  }
  if (deps.clock.now() >= ctx.deadline || ctx.signal.aborted) {
    return refused('expired', 'The time was over before a key was pressed.');
  }
  ctx.attempts.begin({
    delivery: ctx.delivery,
    run: run.id,
    session: open.session,
    file: open.file,
    offset: await sizeOf(open.file),
    kind: 'answer',
    text: recipe.expected,
    at: deps.clock.now(),
  });
  ctx.attempts.advance(ctx.delivery, 'entered');
  const steps = await runSteps(deps, open.pane, recipe.steps, {
    options: open.question.options.length,
    deadline: ctx.deadline,
    signal: ctx.signal,
  });
  if (!steps.isDone && steps.keys === 0) {
    ctx.attempts.forget(ctx.delivery);
    return refused('unreachable', `${steps.why} Nothing was pressed.`);
  }
  return { expected: recipe.expected, steps };
};

/** Waits for the transcript's own result. */
const prove = async (
  deps: AnswerDeps,
  run: RunHandle,
  open: OpenDialog,
  typed: { readonly expected: string; readonly steps: StepsResult },
  ctx: DeliveryContext,
): Promise<DeliveryOutcome> => {
  const { clock } = deps;
  for (;;) {
    const { rows } = await readRowsSince(open.file, open.offset);
    const item = dialogIn(rows, open.session, open.dialog);
    const outcome = item === undefined ? undefined : outcomeOf(item, typed.expected);
    if (outcome !== undefined) {
      ctx.attempts.advance(ctx.delivery, 'settled');
      return outcome;
    }
    if (!typed.steps.isDone) {
      return unknown(
        deps,
        run,
        open,
        `The answer stands half-way in the picker. ${typed.steps.why}`,
      );
    }
    if (clock.now() >= ctx.deadline || ctx.signal.aborted) {
      return unknown(deps, run, open, 'The keys were pressed, and the transcript shows no answer.');
    }
    await clock.sleep(askEveryMs, ctx.signal);
  }
};

const unknown = async (
  deps: AnswerDeps,
  run: RunHandle,
  open: OpenDialog,
  reason: string,
): Promise<DeliveryOutcome> => ({
  status: 'unknown',
  reason,
  screen: screenText(await lookAt(deps, run, open.pane)),
});
