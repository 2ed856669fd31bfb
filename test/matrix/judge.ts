import type { DeliveryOutcome } from '../../src/bridge/model/delivery.ts';
import type { Expected } from './expected.ts';

/** What was seen of one try; the model's own record is the ground truth. */
export interface Seen {
  readonly expected: Expected;
  /** What the model must get. */
  readonly wanted: string;
  readonly isWrapped: boolean;
  readonly outcome: DeliveryOutcome;
  /** Outcomes that came after the first. */
  readonly later: readonly DeliveryOutcome[];
  /** What the model got since the try began, but for what was said by hand. */
  readonly received: readonly string[];
  /** Nothing on the screen has changed: no text, no choice, no cursor. */
  readonly isUntouched: boolean;
  /** A person's own typing: `mark` is never to be sent, and all of it stays in the box. */
  readonly draft?: { readonly mark: string; readonly isInBox: boolean };
  /** A dialog that only the person may answer. */
  readonly isDialogOpen?: boolean;
}

/** Empty: the try was right. */
export interface Faults {
  readonly loss: boolean;
  readonly double: boolean;
  readonly alteration: boolean;
  readonly wrongKey: boolean;
  readonly stolenDraft: boolean;
  /** Whatever else is not as it must be. */
  readonly wrongOutcome: string | undefined;
}

const WRAPPED = /^\n*<pasted_content id="[^"]*">\n([\s\S]*)\n<\/pasted_content[^>]*>\s*$/;

/** PURE. Right is: the outcome that must be, and the truth; each fault is named. */
export const judge = (seen: Seen): Faults => {
  const { outcome, received, draft } = seen;
  const exact = received.filter((text) => isWanted(seen, text)).length;
  const isStolen =
    draft !== undefined && (!draft.isInBox || received.some((text) => text.includes(draft.mark)));
  const others = received.filter((text) => !isWanted(seen, text));
  const isTyped = outcome.status !== 'held' && outcome.status !== 'refused';
  const claims = outcome.status === 'confirmed' || outcome.status === 'queued';
  return {
    loss: claims && exact === 0,
    double: exact > 1,
    alteration: others.length > 0,
    wrongKey: (!isTyped && !seen.isUntouched) || seen.isDialogOpen === false,
    stolenDraft: isStolen,
    wrongOutcome: wrongOutcome(seen, exact),
  };
};

export const isRight = (faults: Faults): boolean =>
  !Object.values(faults).some((fault) => fault !== false && fault !== undefined);

const isWanted = ({ wanted, isWrapped }: Seen, text: string): boolean =>
  isWrapped ? WRAPPED.exec(text)?.[1] === wanted : text === wanted;

const wrongOutcome = (seen: Seen, exact: number): string | undefined => {
  const { outcome, later, expected } = seen;
  const last = later.at(-1) ?? outcome;
  const told = `${[outcome, ...later].map(words).join(', then ')}`;
  if (last.status === 'queued') return `${told}: never confirmed`;
  if (exact > 0 && last.status !== 'confirmed') return `${told}, yet the model got it`;
  if (exact === 0 && last.status === 'confirmed') return `${told}, yet the model did not get it`;
  if (seen.isWrapped && (outcome.status === 'confirmed' || outcome.status === 'queued')) {
    if (outcome.note === undefined) return `${told}, without the note that it was pasted`;
  }
  return fits(expected, outcome) ? undefined : told;
};

const fits = (expected: Expected, outcome: DeliveryOutcome): boolean => {
  switch (expected.is) {
    case 'confirmed':
    case 'queued':
      return outcome.status === expected.is;
    case 'held': {
      if (outcome.status !== 'held' || outcome.reason.why !== expected.why) return false;
      return (
        expected.cause === undefined ||
        (outcome.reason.why === 'blocked' && outcome.reason.cause === expected.cause)
      );
    }
    case 'refused':
      return outcome.status === 'refused' && expected.why.includes(outcome.reason.why);
    case 'returned':
      return outcome.status === 'returned' || outcome.status === 'held';
    case 'true':
      return outcome.status !== 'unknown';
  }
};

/** An outcome in a few words. */
export const words = (outcome: DeliveryOutcome): string => {
  switch (outcome.status) {
    case 'held':
      return outcome.reason.why === 'blocked'
        ? `held (${outcome.reason.cause})`
        : `held (${outcome.reason.why})`;
    case 'refused':
      return `refused (${outcome.reason.why})`;
    case 'returned':
    case 'unknown':
      return `${outcome.status} (${outcome.reason})`;
    case 'confirmed':
    case 'queued':
      return outcome.status;
  }
};
