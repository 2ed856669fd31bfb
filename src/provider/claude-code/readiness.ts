import type { DeliveryOutcome, RefusalReason } from '../../bridge/model/delivery.ts';
import type { PaneRefusal } from '../tmux/formats.ts';
import type { Look } from '../tmux/tmux.ts';
import { compareDraft } from './draft.ts';
import type { RegistryReading } from './registry.ts';
import type { RegistryEntry } from './registry-entry.ts';
import type { ScreenReading } from './screen-reading.ts';

/** What the system says of the agent's process now; `undefined` fields could not be read. */
export interface ProcessSight {
  /** The pid is there and has the start time that the run has. */
  readonly isAlive: boolean;
  /** Ctrl-Z, SIGSTOP. */
  readonly isStopped: boolean;
  /** It is in the foreground of the pane's own terminal: keys reach it and nobody else. */
  readonly isInFront: boolean;
}

/** Everything that is looked at before a key, all of the same moment. */
export interface Sighting {
  readonly process: ProcessSight;
  readonly registry: RegistryReading;
  readonly look: Look;
  /** Of the look's screen; absent where there is none. */
  readonly screen?: ScreenReading;
}

/** What may be typed now. */
export type Readiness =
  | { readonly may: 'type'; readonly entry: RegistryEntry; readonly isBusy: boolean }
  /** Our own text of before stands in the box, unchanged: it is cleared first (D5). */
  | { readonly may: 'clear'; readonly entry: RegistryEntry; readonly isBusy: boolean }
  | { readonly may: 'leave-mode' }
  /** A redraw or a torn file: look again in a moment, and take `otherwise` when it stays. */
  | { readonly may: 'look-again'; readonly otherwise: DeliveryOutcome }
  | { readonly may: 'not'; readonly outcome: DeliveryOutcome };

/**
 * Decides from one sighting whether a reply may be typed (D2, S1). PURE. The pane and the process
 * come first, then the registry, the screen is the last witness; whatever is not certain forbids.
 * `ownDrafts`: texts of ours that stand unsent in this run's box as far as we know.
 */
export const readinessOf = (seen: Sighting, ownDrafts: readonly string[]): Readiness => {
  const gone = ofProcess(seen.process) ?? ofPane(seen.look);
  if (gone !== undefined) return gone;
  if (!seen.process.isInFront) {
    return not(
      refused(
        'unreachable',
        'Another program stands before the agent in its pane. Bring the agent to the front (fg), then send again.',
      ),
    );
  }
  const { registry, screen } = seen;
  if (registry === 'unreadable') return again({ status: 'held', reason: { why: 'starting' } });
  if (registry === 'absent') return ofStart(screen);
  const waiting = ofWaiting(registry, screen);
  if (waiting !== undefined) return waiting;
  return ofScreen(registry, screen, ownDrafts);
};

const ofProcess = (process: ProcessSight): Readiness | undefined => {
  if (!process.isAlive) return not(refused('ended', 'The agent has ended.'));
  if (!process.isStopped) return undefined;
  return not(
    refused(
      'unreachable',
      'The agent is suspended (Ctrl-Z). Type fg in its terminal, then send again.',
    ),
  );
};

const ofPane = (look: Look): Readiness | undefined => {
  if (!look.found) return not(refused('pane-gone', PANE_TEXT[look.why]));
  if (look.status.isDead) return not(refused('pane-gone', PANE_TEXT.dead));
  if (look.status.isInputOff) return not(refused('unreachable', PANE_TEXT['input-off']));
  if (look.status.isSynchronized) return not(refused('unreachable', PANE_TEXT.synchronized));
  return look.status.isInMode ? { may: 'leave-mode' } : undefined;
};

/** Why a pane takes no keys, in words for the thread. */
export const PANE_TEXT: Readonly<Record<PaneRefusal | 'expired', string>> = {
  'no-server': 'The tmux server of this run is gone.',
  'other-server': 'The tmux server of this run was replaced by another one.',
  'no-pane': 'The tmux pane of this run is gone.',
  dead: 'The program in this pane has ended; only its last screen is left.',
  'in-mode': 'The pane is in a tmux mode that could not be left.',
  expired: 'The time was over before a key could be pressed.',
  'cursor-moved': 'Somebody typed in the pane in the same moment.',
  'input-off': 'Input to this pane is switched off in tmux (select-pane -e switches it on).',
  synchronized: 'This pane is synchronized with its neighbours; what we type would reach them all.',
};

/** No registry file: a start-up screen, or a conversation that is not ready yet. */
const ofStart = (screen: ScreenReading | undefined): Readiness =>
  screen?.kind === 'blocked' && screen.cause !== 'unknown-screen'
    ? not({ status: 'held', reason: { why: 'blocked', cause: screen.cause } })
    : not({ status: 'held', reason: { why: 'starting' } });

const ofWaiting = (
  entry: RegistryEntry,
  screen: ScreenReading | undefined,
): Readiness | undefined => {
  // status and waitingFor are two writes: a waitingFor beside "busy" is a dialog that is coming or going.
  if (entry.status !== 'waiting' && (entry.waitingFor ?? '') === '') return undefined;
  if (entry.waitingFor === 'dialog open') {
    const cause = screen?.kind === 'blocked' ? screen.cause : 'menu';
    return not({ status: 'held', reason: { why: 'blocked', cause } });
  }
  return not({
    status: 'held',
    reason: { why: 'dialog', takesOwnWords: entry.waitingFor === 'input needed' },
  });
};

const ofScreen = (
  entry: RegistryEntry,
  screen: ScreenReading | undefined,
  ownDrafts: readonly string[],
): Readiness => {
  if (entry.status === 'unknown') {
    return not({ status: 'held', reason: { why: 'blocked', cause: 'unknown-screen' } });
  }
  // The registry follows 40 to 140 ms after Enter, the box at once.
  const isBusy = entry.status === 'busy' || (screen?.kind === 'box' && screen.isBusy);
  switch (screen?.kind) {
    case 'box': {
      if (screen.mode === 'shell') return not({ status: 'held', reason: { why: 'foreign-draft' } });
      if (screen.draft.type !== 'text') return { may: 'type', entry, isBusy };
      const isOurs = ownDrafts.some((text) => compareDraft(screen.draft, text) === 'same');
      return isOurs
        ? { may: 'clear', entry, isBusy }
        : not({ status: 'held', reason: { why: 'foreign-draft' } });
    }
    case 'dialog':
      // On screen before the registry says so.
      return not({
        status: 'held',
        reason: { why: 'dialog', takesOwnWords: screen.dialog === 'question' },
      });
    case 'blocked': {
      const held: DeliveryOutcome = {
        status: 'held',
        reason: { why: 'blocked', cause: screen.cause },
      };
      return screen.cause === 'unknown-screen' ? again(held) : not(held);
    }
    case 'shell':
      return again(refused('unreachable', 'A shell answers in this pane, not the agent.'));
    case 'blank':
    case undefined:
      return again({ status: 'held', reason: { why: 'blocked', cause: 'unknown-screen' } });
  }
};

export const refused = (why: RefusalReason['why'], detail: string): DeliveryOutcome => ({
  status: 'refused',
  reason: { why, detail },
});

const not = (outcome: DeliveryOutcome): Readiness => ({ may: 'not', outcome });
const again = (otherwise: DeliveryOutcome): Readiness => ({ may: 'look-again', otherwise });
