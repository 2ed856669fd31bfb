import type { Attempt, DeliveryOutcome } from '../../bridge/model/delivery.ts';
import { id, type SessionId } from '../../bridge/model/ids.ts';
import type { PaneIdentity, RunHandle } from '../../bridge/model/run-state.ts';
import type { DeliveryContext } from '../../bridge/ports/agent-provider.ts';
import type { Clock } from '../../bridge/ports/clock.ts';
import type { FailPoint } from '../../bridge/ports/fail-point.ts';
import type { PaneCheck } from '../tmux/tmux.ts';
import { clearBox } from './clear-box.ts';
import { compareDraft } from './draft.ts';
import type { Keyboard } from './keyboard.ts';
import { sizeOf } from './proof.ts';
import { proveReply } from './prove-reply.ts';
import { PANE_TEXT, type Readiness, readinessOf, refused } from './readiness.ts';
import type { RegistryEntry } from './registry-entry.ts';
import type { Sendable } from './sendable.ts';
import { lookAt, type SightDeps } from './sight.ts';

export interface SubmitDeps extends SightDeps {
  readonly clock: Clock;
  readonly keyboard: Keyboard;
  readonly leaveMode: (pane: PaneIdentity) => Promise<PaneCheck>;
  /** The transcript of a session, or undefined until it is born. */
  readonly transcript: (run: RunHandle, session: SessionId) => Promise<string | undefined>;
  /** Message line for the person at the terminal; nothing where nobody is attached. Does not reject: nobody waits for it at first. */
  readonly notify: (pane: PaneIdentity, text: string) => Promise<void>;
  readonly failPoint?: FailPoint;
}

/**
 * Enter goes within this time after the last paste began: for about 1.5 s after typing Claude Code
 * holds every dialog back (2.1.332: question and approval, 1527 to 1557 ms), so that an Enter in
 * this time can go nowhere but into the box (compat/claude-code, Reply recipe).
 */
export const ENTER_WITHIN_MS = 900;
/** A redraw or a torn file passes within this time. */
const SETTLE_MS = 600;
const LOOK_EVERY_MS = 25;
/** On a machine so busy that the box is not drawn in time, the text is taken out and pasted again. */
const MOST_TRIES = 3;
const TOO_SLOW = 'the pane was too slow to be sure of it';

/** Types one reply: look, paste, look again, Enter, prove (D2). Nothing else may press Enter on a text. */
export const submitReply = async (
  deps: SubmitDeps,
  run: RunHandle,
  sendable: Sendable,
  ctx: DeliveryContext,
): Promise<DeliveryOutcome> => {
  const { pane } = run;
  if (pane === undefined)
    return refused('read-only', 'This run is outside tmux; nothing can be typed into it.');
  const typed = await ctx.typing(() => type(deps, run, pane, sendable, ctx));
  if (typed.entered === false) return typed.outcome;
  const told = deps.notify(pane, `${ctx.by} sent a message`);
  const outcome = await proveReply(deps, { run, pane, text: sendable.text, ...typed }, ctx);
  deps.failPoint?.('reply:proved');
  await told;
  return sendable.isWrapped && (outcome.status === 'confirmed' || outcome.status === 'queued')
    ? { ...outcome, note: 'It is long, so the agent is told that it was pasted.' }
    : outcome;
};

type Typed =
  | { readonly entered: false; readonly outcome: DeliveryOutcome }
  | {
      readonly entered: true;
      readonly session: SessionId;
      readonly file: string | undefined;
      readonly offset: number;
    };

const stop = (outcome: DeliveryOutcome): Typed => ({ entered: false, outcome });

/** With nobody else typing into this run. */
const type = async (
  deps: SubmitDeps,
  run: RunHandle,
  pane: PaneIdentity,
  sendable: Sendable,
  ctx: DeliveryContext,
): Promise<Typed> => {
  const ready = await untilReady(deps, run, pane, ctx);
  if (ready.may === 'not') return stop(ready.outcome);
  if (ready.isBusy && sendable.isForIdle)
    return stop({ status: 'held', reason: { why: 'working' } });
  if (ready.may === 'clear' && !(await clearBox(deps, run, pane, ownDrafts(run, ctx), ctx))) {
    return stop({ status: 'held', reason: { why: 'foreign-draft' } });
  }
  if (ready.may === 'clear') noteCleared(run, ctx);
  const session = id<SessionId>(ready.entry.sessionId);
  const file = await deps.transcript(run, session);
  const offset = await sizeOf(file);
  if (deps.clock.now() >= ctx.deadline || ctx.signal.aborted) {
    return stop({ status: 'held', reason: { why: 'starting' } });
  }
  ctx.attempts.begin({
    delivery: ctx.delivery,
    run: run.id,
    session,
    file,
    offset,
    kind: 'reply',
    text: sendable.text,
    at: deps.clock.now(),
  });
  deps.failPoint?.('reply:begun');
  const where = { run, pane, entry: ready.entry, session, file, offset };
  for (let tries = 1; ; tries++) {
    const typed = await pasteAndEnter(deps, where, sendable, ctx);
    if (typed.entered !== 'too-late') return typed;
    // Nothing was sent, and our text stands there whole: it may be typed anew while it is ours alone.
    await deps.clock.sleep(SETTLE_MS, ctx.signal);
    if (tries === MOST_TRIES || !(await clearBox(deps, run, pane, [sendable.text], ctx)))
      return stop(withhold(ctx, TOO_SLOW));
    ctx.attempts.advance(ctx.delivery, 'begun');
  }
};

interface Where {
  readonly run: RunHandle;
  readonly pane: PaneIdentity;
  /** Of the look before the paste. */
  readonly entry: RegistryEntry;
  readonly session: SessionId;
  readonly file: string | undefined;
  readonly offset: number;
}

const pasteAndEnter = async (
  deps: SubmitDeps,
  where: Where,
  sendable: Sendable,
  ctx: DeliveryContext,
): Promise<Typed | { readonly entered: 'too-late' }> => {
  const { run, pane, entry, session, file, offset } = where;
  let pastedAt = 0;
  for (const [index, paste] of sendable.pastes.entries()) {
    pastedAt = deps.clock.now();
    const result = await deps.keyboard.paste(pane, paste, ctx);
    deps.failPoint?.('reply:paste');
    if (result.typed) continue;
    if (index > 0) return stop(withhold(ctx, PANE_TEXT[result.why]));
    ctx.attempts.forget(ctx.delivery);
    return stop(refused('pane-gone', PANE_TEXT[result.why]));
  }
  ctx.attempts.advance(ctx.delivery, 'pasted');
  deps.failPoint?.('reply:pasted');
  for (;;) {
    const second = await secondLook(deps, run, pane, entry, sendable, pastedAt);
    if (second === 'too-late') return { entered: second };
    if ('forbids' in second) return stop(withhold(ctx, second.forbids));
    ctx.attempts.advance(ctx.delivery, 'entered');
    deps.failPoint?.('reply:entering');
    const enter = await deps.keyboard.keys(pane, ['Enter'], ctx, second.cursorColumn);
    deps.failPoint?.('reply:entered');
    if (enter.typed) return { entered: true, session, file, offset };
    // Somebody typed since, or the frame was drawn just then: only a look can tell, within its time.
    if (enter.why !== 'cursor-moved') return stop(withhold(ctx, PANE_TEXT[enter.why]));
    ctx.attempts.advance(ctx.delivery, 'pasted');
  }
};

const withhold = (ctx: DeliveryContext, reason: string): DeliveryOutcome => {
  ctx.attempts.advance(ctx.delivery, 'withheld');
  return { status: 'returned', reason };
};

const ownDrafts = (run: RunHandle, ctx: DeliveryContext): readonly string[] =>
  ctx.attempts
    .open(run.id)
    .filter(isInBox)
    .map((a) => a.text);

const isInBox = (attempt: Attempt): boolean =>
  attempt.stage === 'withheld' || attempt.stage === 'returned';

/** Nothing of ours stands in the box any more; Send again types it anew. */
const noteCleared = (run: RunHandle, ctx: DeliveryContext): void => {
  for (const attempt of ctx.attempts.open(run.id)) {
    if (isInBox(attempt)) ctx.attempts.advance(attempt.delivery, 'cleared');
  }
};

/** Looks until typing is allowed or certainly not; leaves a tmux mode, waits out a redraw. */
const untilReady = async (
  deps: SubmitDeps,
  run: RunHandle,
  pane: PaneIdentity,
  ctx: DeliveryContext,
): Promise<Extract<Readiness, { may: 'type' | 'clear' | 'not' }>> => {
  const until = Math.min(ctx.deadline, deps.clock.now() + SETTLE_MS);
  for (let modesLeft = 0; ; ) {
    const ready = readinessOf(await lookAt(deps, run, pane), ownDrafts(run, ctx));
    if (ready.may === 'type' || ready.may === 'clear' || ready.may === 'not') return ready;
    const isOver = deps.clock.now() >= until || ctx.signal.aborted;
    if (ready.may === 'leave-mode') {
      // Somebody who scrolls enters the mode again; keys would act there.
      if (isOver || modesLeft === 3)
        return { may: 'not', outcome: refused('unreachable', PANE_TEXT['in-mode']) };
      await deps.leaveMode(pane);
      modesLeft += 1;
    } else {
      if (isOver) return { may: 'not', outcome: ready.otherwise };
      await deps.clock.sleep(LOOK_EVERY_MS * 2, ctx.signal);
    }
  }
};

/**
 * The screen after the paste: our text and nothing else in the box, no dialog. Gives why Enter is
 * forbidden, or where the cursor stood: a letter that somebody types between this look and Enter
 * moves it (without it 3 of 22 tries sent such a letter along, 2.1.332, 2026-12-01).
 */
const secondLook = async (
  deps: SubmitDeps,
  run: RunHandle,
  pane: PaneIdentity,
  before: RegistryEntry,
  { text, isForIdle }: Sendable,
  pastedAt: number,
): Promise<'too-late' | { readonly forbids: string } | { readonly cursorColumn: number }> => {
  const no = (forbids: string) => ({ forbids });
  for (;;) {
    const seen = await lookAt(deps, run, pane);
    const time = deps.clock.now() - pastedAt;
    if (time > ENTER_WITHIN_MS) return 'too-late';
    if (typeof seen.registry !== 'string' && seen.registry.sessionId !== before.sessionId) {
      return no('the conversation was changed at the terminal in the same moment');
    }
    const ready = readinessOf(seen, [text]);
    // `clear` says that the box holds exactly our text.
    if (ready.may === 'clear' && seen.look.found) {
      return ready.isBusy && isForIdle
        ? no('a turn began in the same moment')
        : { cursorColumn: seen.look.status.cursorColumn };
    }
    if (ready.may === 'leave-mode') return no('somebody scrolled in the pane in the same moment');
    if (ready.may === 'not') {
      const outcome = ready.outcome;
      if (outcome.status === 'refused') return no(outcome.reason.detail);
      const isOurs =
        seen.screen?.kind === 'box' &&
        ['part', 'missing'].includes(compareDraft(seen.screen.draft, text));
      if (outcome.status !== 'held' || outcome.reason.why !== 'foreign-draft') {
        return no('a dialog or another screen came in between');
      }
      if (!isOurs && time > SETTLE_MS) return no('somebody typed in the same moment');
    }
    await deps.clock.sleep(LOOK_EVERY_MS);
  }
};
