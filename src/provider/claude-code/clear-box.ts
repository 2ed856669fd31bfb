import type { PaneIdentity, RunHandle } from '../../bridge/model/run-state.ts';
import type { DeliveryContext } from '../../bridge/ports/agent-provider.ts';
import type { Key } from '../tmux/keys.ts';
import { compareDraft } from './draft.ts';
import { type Readiness, readinessOf } from './readiness.ts';
import { lookAt } from './sight.ts';
import type { SubmitDeps } from './submit.ts';

/** One round deletes up to twelve lines of the box (2.1.332: 80/80; Escape twice would rewind an empty one). */
const CLEAR_KEYS: readonly Key[] = ['C-e', ...Array.from({ length: 12 }, (): Key => 'C-u')];
/** A reply of 20 kB is about 200 lines of a narrow pane. */
const MOST_ROUNDS = 60;
const REDRAW_MS = 60;

/** Nothing but a text in the box stands against typing: no dialog that is coming, no other program in front. */
const isOurTurn = (ready: Readiness): boolean =>
  ready.may === 'clear' ||
  (ready.may === 'not' &&
    ready.outcome.status === 'held' &&
    ready.outcome.reason.why === 'foreign-draft');

/**
 * Deletes a draft of ours, looking before every round: only while what stands there is (the rest
 * of) our own text. True when the box was seen empty.
 */
export const clearBox = async (
  deps: SubmitDeps,
  run: RunHandle,
  pane: PaneIdentity,
  ours: readonly string[],
  ctx: DeliveryContext,
): Promise<boolean> => {
  let isBegun = false;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const seen = await lookAt(deps, run, pane);
    const ready = readinessOf(seen, ours);
    if (ready.may === 'type') return true;
    if (!isOurTurn(ready)) return false;
    if (seen.screen?.kind !== 'box' || deps.clock.now() >= ctx.deadline || ctx.signal.aborted)
      return false;
    const { draft } = seen.screen;
    const rest = ours.some((text) => {
      const match = compareDraft(draft, text);
      // Only after our own first round may a mere beginning of it stand there.
      return match === 'same' || (isBegun && match === 'part');
    });
    if (!rest) return false;
    const result = await deps.keyboard.keys(pane, CLEAR_KEYS, ctx);
    if (!result.typed) return false;
    isBegun = true;
    await deps.clock.sleep(REDRAW_MS, ctx.signal);
  }
  return false;
};
