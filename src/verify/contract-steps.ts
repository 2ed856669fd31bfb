import type {
  DeliveryOutcome,
  DialogAnswer,
  HoldReason,
  RefusalReason,
} from '../bridge/model/delivery.ts';
import type { RunState } from '../bridge/model/run-state.ts';

/** An outcome in one word. `confirmed:noted`: it came otherwise than it was meant. */
export type OutcomeCode =
  | 'confirmed'
  | 'confirmed:noted'
  | 'queued'
  | 'returned'
  | 'unknown'
  | `held:${HoldReason['why']}`
  | `refused:${RefusalReason['why']}`;

export const codeOf = (outcome: DeliveryOutcome): OutcomeCode => {
  switch (outcome.status) {
    case 'held':
      return `held:${outcome.reason.why}`;
    case 'refused':
      return `refused:${outcome.reason.why}`;
    case 'confirmed':
      return outcome.note === undefined ? 'confirmed' : 'confirmed:noted';
    default:
      return outcome.status;
  }
};

/** Something that the bridge or a person does. */
export type Act =
  /** A reply through the provider. Confirmed or queued, it must name its proof, and the proof must be there. */
  | { readonly do: 'reply'; readonly text: string; readonly expect: OutcomeCode }
  /** An answer to the dialog that was seen last, to the one before it, or to one that never was. */
  | {
      readonly do: 'answer';
      readonly dialog: 'last' | 'earlier' | 'unheard-of';
      readonly answer: DialogAnswer;
      readonly expect: readonly OutcomeCode[];
    }
  /** An interrupt of the turn that was seen last. */
  | { readonly do: 'interrupt'; readonly expect: OutcomeCode }
  /** The provider is asked what became of the last reply. */
  | { readonly do: 'resolve'; readonly expect: OutcomeCode }
  /** A person at the terminal types text, or presses keys. */
  | { readonly do: 'type'; readonly text: string }
  | { readonly do: 'press'; readonly keys: readonly string[] }
  /** A person at the terminal scrolls: copy mode. */
  | { readonly do: 'scroll' }
  /** A dialog that has just come ignores the keys of its first 0.6 s (2.1.332). */
  | { readonly do: 'wait'; readonly ms: number };

/** Something that must be so before the scenario's time is over. */
export type Sight =
  /** The provider finds the agent: process, pane, directory, version, session. */
  | { readonly see: 'found' }
  /** The provider's state, after everything that was delivered so far was read. */
  | { readonly see: 'state'; readonly is: readonly RunState['name'][] }
  /** A dialog of this kind is open; one that keys can answer where `isAnswerable`. */
  | {
      readonly see: 'dialog';
      readonly kind: 'question' | 'approval';
      readonly isAnswerable: boolean;
    }
  /** The dialog that was seen last is open, and the agent was told nothing. */
  | { readonly see: 'still-open' }
  | { readonly see: 'screen'; readonly shows: string }
  | { readonly see: 'not-on-screen'; readonly text: string }
  /** Exactly these texts reached the agent since the scenario began, by the stage's own record. */
  | { readonly see: 'received'; readonly texts: readonly string[] }
  /** What the agent was told as the result of the dialog that was seen last, by the stage's own record. */
  | { readonly see: 'told'; readonly holds: string; readonly lacks: readonly string[] }
  /** Exactly one answer of the agent was cut off since the scenario began, by the stage's own record. */
  | { readonly see: 'cut-off' }
  /** The transcript says that a text which was queued has reached the agent. */
  | { readonly see: 'moved-on'; readonly text: string }
  /** The provider has followed the run into a new session. */
  | { readonly see: 'cleared' };

export type Step = Act | Sight;

/** One thing that the bridge depends on. Pure data: played the same on every stage. */
export interface Scenario {
  readonly name: string;
  /** What is promised, in a few words. */
  readonly title: string;
  /** What it means for the operator when it does not hold; one line. */
  readonly means: string;
  readonly steps: readonly Step[];
}
