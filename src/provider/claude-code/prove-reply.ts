import type { Attempt, DeliveryOutcome } from '../../bridge/model/delivery.ts';
import { id, type SessionId, type TurnId } from '../../bridge/model/ids.ts';
import type { PaneIdentity, RunHandle } from '../../bridge/model/run-state.ts';
import type { DeliveryContext } from '../../bridge/ports/agent-provider.ts';
import { compareDraft } from './draft.ts';
import { comparable, sameText } from './evidence.ts';
import { meaningOf, wordsOf } from './fold-user.ts';
import { type PlacedRow, readRowsSince } from './proof.ts';
import { lookAt, screenText } from './sight.ts';
import type { SubmitDeps } from './submit.ts';

/** A transcript row that shows what became of a typed text. */
export interface ReplyProof {
  readonly outcome: Extract<DeliveryOutcome, { status: 'confirmed' | 'queued' }>;
  readonly offset: number;
  readonly turn?: TurnId;
}

/** How long the record may take: 248 ms at most were seen (n=40); a loaded machine needs more. */
const PROOF_WITHIN_MS = 8_000;
const PROOF_PER_KB_MS = 50;
const ASK_EVERY_MS = 25;

/** The first row after `from` that holds the text, and was not proof for another delivery. PURE. */
export const proofIn = (
  rows: readonly PlacedRow[],
  text: string,
  taken: readonly number[],
  isIt: (sent: string, recorded: string) => boolean = sameText,
): ReplyProof | undefined => {
  for (const { row, offset } of rows) {
    if (taken.includes(offset)) continue;
    if (row.type === 'queue-operation') {
      if (row.operation === 'enqueue' && row.content !== undefined && isIt(text, row.content)) {
        return { outcome: { status: 'queued' }, offset };
      }
    } else if (row.type === 'user') {
      const meaning = meaningOf(row);
      if (meaning.kind !== 'prompt' || (meaning.origin !== 'person' && meaning.origin !== 'queued'))
        continue;
      if (!isIt(text, wordsOf(row.message.content))) continue;
      const turn = id<TurnId>(row.uuid ?? String(offset));
      return { outcome: { status: 'confirmed' }, offset, turn };
    } else if (row.type === 'attachment') {
      const { type, prompt } = row.attachment;
      if (type === 'queued_command' && prompt !== undefined && isIt(text, wordsOf(prompt))) {
        return { outcome: { status: 'confirmed' }, offset };
      }
    }
  }
  return undefined;
};

export interface Typing {
  readonly run: RunHandle;
  readonly pane: PaneIdentity;
  readonly text: string;
  readonly session: SessionId;
  readonly file: string | undefined;
  /** Size of the transcript when the paste began. */
  readonly offset: number;
}

/** Waits for the record after Enter. Without it, the screen says at most that the text still stands there. */
export const proveReply = async (
  deps: SubmitDeps,
  typing: Typing,
  ctx: DeliveryContext,
): Promise<DeliveryOutcome> => {
  const wait = PROOF_WITHIN_MS + (typing.text.length / 1024) * PROOF_PER_KB_MS;
  const until = Math.min(ctx.deadline, deps.clock.now() + wait);
  const proof = await findProof(deps, typing, ctx, until);
  return proof ?? withoutProof(deps, typing, ctx);
};

/** Reads what was appended since the offset, until `until`. Writes down what it finds. */
export const findProof = async (
  deps: SubmitDeps,
  typing: Typing,
  ctx: DeliveryContext,
  until: number,
): Promise<DeliveryOutcome | undefined> => {
  let { file, offset } = typing;
  let queued: ReplyProof | undefined;
  for (;;) {
    file ??= await deps.transcript(typing.run, typing.session);
    const read = await readRowsSince(file, offset);
    const found = proofIn(read.rows, typing.text, takenBy(typing, ctx));
    if (found !== undefined) {
      // Read to the end of what is there: an enqueue and its user row may stand together.
      queued = found;
      if (found.outcome.status === 'queued') {
        const later = read.rows.filter(
          (r) => r.offset > found.offset && r.row.type !== 'queue-operation',
        );
        queued = proofIn(later, typing.text, takenBy(typing, ctx)) ?? found;
      }
      const { outcome, turn } = queued;
      const stage =
        outcome.status === 'queued' ? 'queued' : turn === undefined ? 'settled' : 'proved';
      ctx.attempts.advance(ctx.delivery, stage, {
        offset: queued.offset,
        ...(turn === undefined ? {} : { turn }),
      });
      return outcome;
    }
    offset = read.end;
    if (deps.clock.now() >= until || ctx.signal.aborted) return undefined;
    await deps.clock.sleep(ASK_EVERY_MS, ctx.signal);
  }
};

/** Rows of this transcript that proved other deliveries of the run: each row proves one. */
const takenBy = ({ run, session }: Typing, ctx: DeliveryContext): readonly number[] =>
  ctx.attempts
    .open(run.id)
    // After /clear rows of the same size stand at the same offsets of another file.
    .filter((a) => a.delivery !== ctx.delivery && a.session === session)
    .flatMap((a: Attempt) => (a.proof === undefined ? [] : [a.proof.offset]));

/** More than a person types between our last look and Enter. */
const MOST_BESIDE = 40;

/** Ours, and a few letters that somebody typed before Enter had gone. */
const isTogether = (sent: string, recorded: string): boolean => {
  const [ours, all] = [comparable(sent), comparable(recorded)];
  const beside = all.length - ours.length;
  return beside > 0 && beside <= MOST_BESIDE && (all.startsWith(ours) || all.endsWith(ours));
};

const withoutProof = async (
  deps: SubmitDeps,
  typing: Typing,
  ctx: DeliveryContext,
): Promise<DeliveryOutcome> => {
  const { run, pane, text } = typing;
  const file = typing.file ?? (await deps.transcript(run, typing.session));
  const { rows } = await readRowsSince(file, typing.offset);
  if (proofIn(rows, text, takenBy(typing, ctx), isTogether) !== undefined) {
    ctx.attempts.advance(ctx.delivery, 'settled');
    return {
      status: 'confirmed',
      note: 'Somebody typed at the terminal in the same moment: it went together with those letters.',
    };
  }
  const seen = await lookAt(deps, run, pane);
  if (seen.screen?.kind === 'box' && compareDraft(seen.screen.draft, text) === 'same') {
    ctx.attempts.advance(ctx.delivery, 'returned');
    return { status: 'returned', reason: 'Enter was not taken; it still stands in the input box' };
  }
  return {
    status: 'unknown',
    reason: 'it was typed, but the transcript does not show it and the input box does not hold it',
    screen: screenText(seen),
  };
};
