import type { PaneIdentity } from '../../bridge/model/run-state.ts';
import type { Clock } from '../../bridge/ports/clock.ts';
import type { Look } from '../tmux/tmux.ts';
import type { Keyboard, Typed } from './keyboard.ts';
import { type PickerReading, readPicker } from './picker.ts';
import { PANE_TEXT } from './readiness.ts';
import { isMet } from './recipe-expect.ts';
import type { Step } from './recipes.ts';

export type StepsResult =
  | { readonly isDone: true }
  /** `keys`: how many key or paste steps went in before it stopped. `why`: a sentence for a person. */
  | { readonly isDone: false; readonly keys: number; readonly why: string };

export interface StepsDeps {
  readonly clock: Clock;
  readonly look: (pane: PaneIdentity) => Promise<Look>;
  readonly keyboard: Keyboard;
}

/** How long a key may take to show on the screen; 40 ms was the rule, 300 ms the longest seen. */
const seeMs = 1_500;
const lookEveryMs = 30;

const lookAtPicker = async (
  deps: StepsDeps,
  pane: PaneIdentity,
): Promise<PickerReading | undefined> => {
  const look = await deps.look(pane);
  return look.found ? readPicker({ capture: look.screen, cols: look.status.cols }) : undefined;
};

/**
 * Presses the keys of a recipe, one step after the other. The deadline (ms since the epoch) and the
 * signal are asked before every key; what a step wants to see is awaited, and when it does not
 * appear nothing more is pressed.
 */
export const runSteps = async (
  deps: StepsDeps,
  pane: PaneIdentity,
  steps: readonly Step[],
  at: { readonly options: number; readonly deadline: number; readonly signal: AbortSignal },
): Promise<StepsResult> => {
  const { clock } = deps;
  let keys = 0;
  const stop = (why: string): StepsResult => ({ isDone: false, keys, why });

  const see = async (step: Extract<Step, { see: unknown }>): Promise<boolean> => {
    const until = Math.min(at.deadline, clock.now() + seeMs);
    for (;;) {
      if (isMet(step.see, await lookAtPicker(deps, pane), at.options)) return true;
      if (clock.now() >= until || at.signal.aborted) return false;
      await clock.sleep(lookEveryMs, at.signal);
    }
  };

  for (const step of steps) {
    if ('settleMs' in step) {
      await clock.sleep(step.settleMs, at.signal);
      continue;
    }
    if ('see' in step) {
      if (!(await see(step)))
        return stop(`The picker did not show what was expected (${step.see.type}).`);
      continue;
    }
    const typed: Typed =
      'paste' in step
        ? await deps.keyboard.paste(pane, step.paste, at)
        : await deps.keyboard.keys(pane, step.keys, at);
    if (!typed.typed) return stop(PANE_TEXT[typed.why]);
    keys += 1;
  }
  return { isDone: true };
};
