import type { DeliveryOutcome } from '../../bridge/model/delivery.ts';
import { id, type SessionId, type TurnId } from '../../bridge/model/ids.ts';
import type { PaneIdentity, RunHandle } from '../../bridge/model/run-state.ts';
import type { DeliveryContext } from '../../bridge/ports/agent-provider.ts';
import { compareDraft } from './draft.ts';
import { readRowsSince, readTail, sizeOf } from './proof.ts';
import { PANE_TEXT, readinessOf, refused, type Sighting } from './readiness.ts';
import { afterEscape, reachesTurn, runningTurn } from './running-turn.ts';
import { lookAt, screenText } from './sight.ts';
import type { SubmitDeps } from './submit.ts';

const askEveryMs = 50;
/** A redraw or a torn registry file passes within this time. */
const settleMs = 600;
/** An interrupt is recorded after 240 to 360 ms (2.1.332); vim's insert mode took the key when it is not. */
const vimMs = 2_000;
/** Rows are written at most 1.2 s after what they tell of (2.1.332, under load). */
const recordMs = 1_500;

/** The turn that was stopped, for the search for proof. */
interface Escaped {
  readonly session: SessionId;
  readonly file: string | undefined;
  /** Size of the transcript before the key. */
  readonly offset: number;
  readonly prompt: string | undefined;
  /** Nothing stood in the box before the key. */
  readonly wasEmpty: boolean;
  /** The box was in vim's insert mode: Escape leaves that and stops nothing (2.1.332, 2/2). */
  readonly wasVimInsert: boolean;
  /** ms since the epoch. */
  readonly at: number;
}

/**
 * Stops the turn that was named, and nothing else (I2): one Escape, only while the agent is busy
 * with it. Waits for the record of the interrupt until the deadline.
 */
export const interruptRun = async (
  deps: SubmitDeps,
  run: RunHandle,
  turn: TurnId | undefined,
  ctx: DeliveryContext,
): Promise<DeliveryOutcome> => {
  const { pane } = run;
  if (pane === undefined) {
    return refused('read-only', 'This run is outside tmux; it can be stopped only where it runs.');
  }
  const earlier = ctx.attempts.find(ctx.delivery);
  if (earlier !== undefined) {
    // The key may have gone before a crash: never a second one, the record decides.
    if (earlier.stage === 'settled') return { status: 'confirmed' };
    const { session, file, offset } = earlier;
    if (session === undefined) return stillRunning(deps, run, pane);
    const { text: prompt, at } = earlier;
    const escaped = { session, file, offset, prompt, at, wasEmpty: false, wasVimInsert: false };
    return prove(deps, run, pane, escaped, ctx);
  }
  const escaped = await ctx.typing(() => press(deps, run, pane, turn, ctx));
  if ('status' in escaped) return escaped;
  const told = deps.notify(pane, `${ctx.by} interrupted the turn`);
  const outcome = await prove(deps, run, pane, escaped, ctx);
  await told;
  return outcome;
};

const alreadyFinished = refused('already-finished', 'That turn has finished already.');

/** Looks, and presses Escape once where it stops exactly the named turn. */
const press = async (
  deps: SubmitDeps,
  run: RunHandle,
  pane: PaneIdentity,
  turn: TurnId | undefined,
  ctx: DeliveryContext,
): Promise<Escaped | DeliveryOutcome> => {
  const seen = await untilClear(deps, run, pane, ctx);
  const refusal = refusalOf(seen);
  if (refusal !== undefined) return refusal;
  if (typeof seen.registry === 'string') return alreadyFinished;
  const session = id<SessionId>(seen.registry.sessionId);
  const file = await deps.transcript(run, session);
  const tail = await readTail(file, (rows) => turn === undefined || reachesTurn(rows, turn));
  const now = runningTurn(tail.rows, session);
  if (turn !== undefined && (now.turn !== turn || now.isEnded)) return alreadyFinished;
  const offset = await sizeOf(file);
  // Once more, next to the key: reading a long transcript took its time.
  const last = await lookAt(deps, run, pane);
  const gone = refusalOf(last);
  if (gone !== undefined) return gone;
  if (deps.clock.now() >= ctx.deadline || ctx.signal.aborted) {
    return refused('expired', 'The time was over before Escape was pressed.');
  }
  ctx.attempts.begin({
    delivery: ctx.delivery,
    run: run.id,
    session,
    file,
    offset,
    kind: 'interrupt',
    text: now.prompt ?? '',
    at: deps.clock.now(),
  });
  ctx.attempts.advance(ctx.delivery, 'entered');
  const pressed = await deps.keyboard.keys(pane, ['Escape'], ctx);
  if (pressed.typed) {
    const { screen } = last;
    const wasVimInsert = screen?.kind === 'box' && screen.isVimInsert;
    const wasEmpty = screen?.kind === 'box' && screen.draft.type !== 'text';
    const at = deps.clock.now();
    return { session, file, offset, prompt: now.prompt, wasEmpty, wasVimInsert, at };
  }
  ctx.attempts.forget(ctx.delivery);
  return refused('unreachable', PANE_TEXT[pressed.why]);
};

/** Leaves a tmux mode and waits out a redraw; then what is there. */
const untilClear = async (
  deps: SubmitDeps,
  run: RunHandle,
  pane: PaneIdentity,
  ctx: DeliveryContext,
): Promise<Sighting> => {
  const until = Math.min(ctx.deadline, deps.clock.now() + settleMs);
  for (;;) {
    const seen = await lookAt(deps, run, pane);
    const ready = readinessOf(seen, []);
    const isPassing = ready.may === 'look-again' || ready.may === 'leave-mode';
    if (!isPassing || deps.clock.now() >= until || ctx.signal.aborted) return seen;
    if (ready.may === 'leave-mode') await deps.leaveMode(pane);
    else await deps.clock.sleep(askEveryMs, ctx.signal);
  }
};

/** Why Escape would not stop a turn now, or would do something else; undefined: it would stop it. */
const refusalOf = (seen: Sighting): DeliveryOutcome | undefined => {
  const ready = readinessOf(seen, []);
  if (ready.may === 'not' && ready.outcome.status === 'refused') return ready.outcome;
  const { registry, screen } = seen;
  if (ready.may === 'leave-mode') return refused('unreachable', PANE_TEXT['in-mode']);
  if (typeof registry === 'string') {
    return refused('not-busy', 'The agent does not say that it is working.');
  }
  if (registry.status === 'waiting') {
    return refused(
      'not-busy',
      'It waits for an answer: Escape would decline it. Answer it instead.',
    );
  }
  if (registry.status !== 'busy') return alreadyFinished;
  if (screen?.kind !== 'box') {
    return refused(
      'not-busy',
      'Another screen stands over the conversation, and Escape would only close that.',
    );
  }
  if (screen.popup !== 'none') {
    return refused('not-busy', 'Somebody has a menu open there, and Escape would only close that.');
  }
  return undefined;
};

/** Waits for what shows that the turn was stopped. */
const prove = async (
  deps: SubmitDeps,
  run: RunHandle,
  pane: PaneIdentity,
  escaped: Escaped,
  ctx: DeliveryContext,
): Promise<DeliveryOutcome> => {
  for (;;) {
    const { rows } = await readRowsSince(escaped.file, escaped.offset);
    const found = afterEscape(rows, escaped.session);
    if (found.is === 'interrupted') return settled(ctx, { status: 'confirmed' });
    if (found.is === 'ended') return settled(ctx, alreadyFinished);
    const unsent = { ...escaped, prompt: found.prompt ?? escaped.prompt };
    if (found.is === 'open' && (await isBackInBox(deps, run, pane, unsent))) {
      return settled(ctx, {
        status: 'confirmed',
        note: 'The agent had not begun: the message stands in the input box again.',
      });
    }
    if (escaped.wasVimInsert && deps.clock.now() >= escaped.at + vimMs) {
      return stillRunning(deps, run, pane, ': Escape left the vim insert mode of the input box');
    }
    if (deps.clock.now() >= ctx.deadline || ctx.signal.aborted) {
      return stillRunning(deps, run, pane);
    }
    await deps.clock.sleep(askEveryMs, ctx.signal);
  }
};

const settled = (ctx: DeliveryContext, outcome: DeliveryOutcome): DeliveryOutcome => {
  ctx.attempts.advance(ctx.delivery, 'settled');
  return outcome;
};

/**
 * Before the first token no interrupt is recorded: the agent is idle and the prompt is back in its
 * box. Taken back at once, it may have no row either: then any text in a box that was empty is it,
 * once the end of a turn would have been recorded.
 */
const isBackInBox = async (
  deps: SubmitDeps,
  run: RunHandle,
  pane: PaneIdentity,
  { prompt, wasEmpty, at }: Escaped,
): Promise<boolean> => {
  const { registry, screen } = await lookAt(deps, run, pane);
  if (typeof registry === 'string' || registry.status !== 'idle') return false;
  if (screen?.kind !== 'box' || screen.draft.type !== 'text') return false;
  if (prompt !== undefined && compareDraft(screen.draft, prompt) === 'same') return true;
  return wasEmpty && deps.clock.now() >= at + recordMs;
};

const stillRunning = async (
  deps: SubmitDeps,
  run: RunHandle,
  pane: PaneIdentity,
  why = ': the transcript shows no interrupt',
): Promise<DeliveryOutcome> => ({
  status: 'unknown',
  reason: `still running${why}`,
  screen: screenText(await lookAt(deps, run, pane)),
});
