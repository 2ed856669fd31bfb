import { id, type SessionId, type TurnId } from '../../bridge/model/ids.ts';
import { Fold } from './fold.ts';
import { wordsOf } from './fold-user.ts';
import type { PlacedRow } from './proof.ts';

/** What the transcript says of the turn that runs. */
export interface RunningTurn {
  readonly turn: TurnId | undefined;
  readonly isEnded: boolean;
  /** The words that began it; undefined where a machine did. */
  readonly prompt: string | undefined;
}

/** Folds the last rows; they must reach back to the turn's first one. PURE. */
export const runningTurn = (rows: readonly PlacedRow[], session: SessionId): RunningTurn => {
  const fold = new Fold({ session });
  for (const { row, offset } of rows) fold.push(row, offset);
  const { turn, isTurnEnded } = fold.facts();
  const first = rows.find(({ row }) => 'uuid' in row && row.uuid === turn)?.row;
  return {
    turn,
    isEnded: isTurnEnded,
    prompt: first?.type === 'user' ? wordsOf(first.message.content) : undefined,
  };
};

/** Whether the rows reach back to this turn's first one. */
export const reachesTurn = (rows: readonly PlacedRow[], turn: TurnId): boolean =>
  rows.some(({ row }) => 'uuid' in row && row.uuid !== undefined && id<TurnId>(row.uuid) === turn);

/** What the rows after an Escape say of it. PURE. */
export const afterEscape = (
  rows: readonly PlacedRow[],
  session: SessionId,
): 'interrupted' | 'ended' | 'rows' | 'nothing' => {
  const fold = new Fold({ session });
  for (const { row, offset } of rows) fold.push(row, offset);
  if (fold.take().evidence.some((found) => found.type === 'interrupted')) return 'interrupted';
  const hasEnded = rows.some(({ row }) => row.type === 'system' && row.subtype === 'turn_duration');
  if (hasEnded) return 'ended';
  const hasWords = rows.some(({ row }) => row.type === 'user' || row.type === 'assistant');
  return hasWords ? 'rows' : 'nothing';
};
