import type { PaneIdentity } from '../../bridge/model/run-state.ts';
import type { Clock } from '../../bridge/ports/clock.ts';
import type { Key } from '../tmux/keys.ts';
import type { InputResult, Tmux } from '../tmux/tmux.ts';

/** Until when a delivery may still press a key. */
export interface Until {
  /** ms since the epoch. */
  readonly deadline: number;
  readonly signal: AbortSignal;
}

/** Whether it went in; `expired`: the time was over or the bridge stops, not one byte went. */
export type Typed = InputResult | { readonly typed: false; readonly why: 'expired' };

/**
 * The one module that types into a pane: every paste and every key of the bridge passes here. The
 * deadline is asked before each; tmux itself asks for the pane's identity, death and mode in the
 * same step as the key.
 */
export interface Keyboard {
  /** `cursorColumn`: press only while the cursor stands where it was seen; `cursor-moved` otherwise. */
  keys(
    pane: PaneIdentity,
    keys: readonly Key[],
    until: Until,
    cursorColumn?: number,
  ): Promise<Typed>;
  paste(pane: PaneIdentity, text: string, until: Until): Promise<Typed>;
}

export const createKeyboard = (deps: {
  readonly tmux: Pick<Tmux, 'keys' | 'paste'>;
  readonly clock: Clock;
}): Keyboard => {
  const inTime = (until: Until): boolean =>
    deps.clock.now() < until.deadline && !until.signal.aborted;
  return {
    keys: async (pane, keys, until, cursorColumn) =>
      inTime(until) ? deps.tmux.keys(pane, keys, cursorColumn) : { typed: false, why: 'expired' },
    paste: async (pane, text, until) =>
      inTime(until) ? deps.tmux.paste(pane, text) : { typed: false, why: 'expired' },
  };
};
