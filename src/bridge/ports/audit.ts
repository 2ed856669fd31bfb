import type { ActorId, DeliveryId, RunId } from '../model/ids.ts';

/** One thing that a person did, or tried to do, to a run (A2). Never holds conversation text. */
export interface AuditLine {
  readonly who: ActorId;
  /** `reply`, `answer`, `interrupt`, `continue`, `send again`, `discard` … */
  readonly what: string;
  readonly run: RunId | undefined;
  readonly delivery?: DeliveryId;
  /** Status, and the reason where there is one: `refused: ended`. */
  readonly outcome: string;
}

/** Writes one audit line; never throws. */
export type Audit = (line: AuditLine) => void;
