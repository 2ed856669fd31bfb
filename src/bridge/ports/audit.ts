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

/** Writes one audit line, in the transaction of what it tells. */
export type Audit = (line: AuditLine) => void;

/** Table `audit`: written in the transaction of what it tells. */
export interface AuditLog {
  /** `at`: ms since the epoch. */
  add(line: AuditLine, at: number): void;
  /** The newest `limit` of a run, or of all, oldest first. */
  newest(run: RunId | undefined, limit: number): readonly (AuditLine & { readonly at: number })[];
  sweep(before: number): void;
}
