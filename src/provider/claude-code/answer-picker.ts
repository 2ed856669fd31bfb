import type { DialogQuestion } from '../../bridge/model/conversation.ts';
import type { DeliveryOutcome } from '../../bridge/model/delivery.ts';
import type { DialogId, SessionId } from '../../bridge/model/ids.ts';
import type { PaneIdentity, RunHandle } from '../../bridge/model/run-state.ts';
import type { DeliveryContext } from '../../bridge/ports/agent-provider.ts';
import { dialogIn, refusalOfClosed } from './dialog-record.ts';
import { agreesWith, type PickerReading, readPicker } from './picker.ts';
import { readRowsSince } from './proof.ts';
import { readinessOf, refused } from './readiness.ts';
import { obstacle } from './recipes.ts';
import { lookAt } from './sight.ts';
import type { SubmitDeps } from './submit.ts';

export interface AnswerDeps extends SubmitDeps {
  /** Versions that this machine's own check has verified, besides the table of recipes. */
  readonly verifiedVersions: readonly string[];
}

/**
 * A picker that was held back because somebody typed ignores its first keys: digits were ignored up
 * to 550 ms after it could be seen (0/19) and taken from 600 ms on (22/22; 2.1.332, 2026-11-30).
 */
const settleMs = 800;
export const askEveryMs = 50;

/** A question that is open in the transcript and could be answered by keys. */
export interface OpenDialog {
  readonly dialog: DialogId;
  readonly pane: PaneIdentity;
  readonly session: SessionId;
  readonly file: string;
  /** Byte offset of the row that asks. */
  readonly offset: number;
  readonly question: DialogQuestion;
  /** Of the program that asks. */
  readonly version: string;
}

/** Undefined when the picker stands there, settled; an outcome when it does not come in time. */
export const waitForPicker = async (
  deps: AnswerDeps,
  run: RunHandle,
  open: OpenDialog,
  ctx: DeliveryContext,
): Promise<DeliveryOutcome | undefined> => {
  const { clock } = deps;
  let since: number | undefined;
  let missing = 'The question has not appeared on the terminal.';
  while (clock.now() < ctx.deadline && !ctx.signal.aborted) {
    const seen = await seeNow(deps, run, open);
    if (seen.page !== undefined) {
      since ??= clock.now();
      if (clock.now() - since >= settleMs) return undefined;
    } else {
      since = undefined;
      if ('refusal' in seen) return seen.refusal;
      missing = seen.why;
      const closed = await refusalNow(open);
      if (closed !== undefined) return closed;
    }
    await clock.sleep(askEveryMs, ctx.signal);
  }
  return refused('expired', `${missing} Nothing was pressed.`);
};

/** Why the record forbids an answer now: somebody else was first; undefined while it is open. */
export const refusalNow = async (open: OpenDialog): Promise<DeliveryOutcome | undefined> => {
  const { rows } = await readRowsSince(open.file, open.offset);
  const item = dialogIn(rows, open.session, open.dialog);
  return item === undefined ? undefined : refusalOfClosed(item);
};

type Seen =
  | { readonly page: Extract<PickerReading, { page: 'question' }> }
  /** What forbids a key now; a sentence for a person. */
  | { readonly page: undefined; readonly why: string }
  /** It will not become possible. */
  | { readonly page: undefined; readonly refusal: DeliveryOutcome };

const not = (why: string): Seen => ({ page: undefined, why });

/** Asks the present: is this very question in the pane, in front, and free of anybody's typing? */
export const seeNow = async (deps: AnswerDeps, run: RunHandle, open: OpenDialog): Promise<Seen> => {
  const seen = await lookAt(deps, run, open.pane);
  const ready = readinessOf(seen, []);
  if (ready.may === 'leave-mode') {
    await deps.leaveMode(open.pane);
    return not('The pane was in a tmux mode.');
  }
  if (ready.may === 'not' && ready.outcome.status === 'refused') {
    return { page: undefined, refusal: ready.outcome };
  }
  const { registry, look } = seen;
  if (typeof registry === 'string' || !look.found) return not('The run could not be read.');
  if (registry.sessionId !== open.session) return not('The run has gone on to another session.');
  if (registry.status !== 'waiting' || registry.waitingFor !== 'input needed') {
    return not('The agent does not say that it waits for input.');
  }
  const page = readPicker({ capture: look.screen, cols: look.status.cols });
  if (page === undefined) return not('The question cannot be seen on the terminal.');
  const why = obstacle(page, open.question);
  if (page.page !== 'question') return not(why ?? 'It is on its last page.');
  const labels = open.question.options.map((option) => option.label);
  if (!agreesWith(page, labels)) return not('Another question stands on the terminal.');
  return why === undefined ? { page } : not(why);
};
