import { id, type SessionId, type TurnId } from '../../bridge/model/ids.ts';
import { Fold } from './fold.ts';
import { meaningOf, wordsOf } from './fold-user.ts';
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

/** What the rows after an Escape say of it. */
export interface AfterEscape {
  /** `open`: neither the agent nor the end of the turn is in them. */
  readonly is: 'interrupted' | 'ended' | 'goes-on' | 'open';
  /** The last prompt in them: its row can come after the key that took it back. */
  readonly prompt: string | undefined;
}

/** PURE. `rows`: what was written since the transcript's size before the key. */
export const afterEscape = (rows: readonly PlacedRow[], session: SessionId): AfterEscape => {
  const fold = new Fold({ session });
  let prompt: string | undefined;
  for (const { row, offset } of rows) {
    fold.push(row, offset);
    if (row.type === 'user' && meaningOf(row).kind === 'prompt') {
      prompt = wordsOf(row.message.content);
    }
  }
  const isInterrupted = fold.take().evidence.some((found) => found.type === 'interrupted');
  if (isInterrupted) return { is: 'interrupted', prompt };
  const hasEnded = rows.some(({ row }) => row.type === 'system' && row.subtype === 'turn_duration');
  if (hasEnded) return { is: 'ended', prompt };
  const hasWords = rows.some(({ row }) => row.type === 'assistant');
  return { is: hasWords ? 'goes-on' : 'open', prompt };
};
