import type { Item } from '../model/conversation.ts';
import type { Attempt, AttemptStage, DeliveryOutcome, Evidence } from '../model/delivery.ts';
import type { DeliveryId, SessionId } from '../model/ids.ts';

type SameText = (typed: string, recorded: string) => boolean;

/** What the transcript newly says about one attempt. */
export interface Settlement {
  readonly delivery: DeliveryId;
  readonly stage: AttemptStage;
  readonly proof?: NonNullable<Attempt['proof']>;
  /** Absent: nothing that people must hear of (the turn went on). */
  readonly outcome?: DeliveryOutcome;
}

/**
 * Matches what was read from a transcript to the attempts that can still change (D3, last column).
 * PURE. One row proves one attempt: the oldest open one with the same text that began before the
 * row, so that the same words sent three times need three rows.
 */
export const settle = (
  open: readonly Attempt[],
  seen: { session: SessionId; evidence: readonly Evidence[]; items: readonly Item[] },
  sameText: SameText,
): readonly Settlement[] => {
  const attempts = new Map(open.map((a) => [a.delivery, a]));
  const settlements: Settlement[] = [];
  const apply = (settlement: Settlement): void => {
    const before = attempts.get(settlement.delivery);
    if (before === undefined) return;
    const proof = settlement.proof ?? before.proof;
    attempts.set(before.delivery, {
      ...before,
      stage: settlement.stage,
      ...(proof === undefined ? {} : { proof }),
    });
    settlements.push(settlement);
  };

  for (const row of seen.evidence) {
    for (const settlement of judge([...attempts.values()], seen.session, row, sameText))
      apply(settlement);
  }
  for (const attempt of attempts.values()) {
    const { proof } = attempt;
    if (attempt.stage !== 'proved' || proof === undefined || attempt.session !== seen.session)
      continue;
    if (seen.items.some((item) => isAgentsWord(item) && item.order > proof.offset)) {
      apply({ delivery: attempt.delivery, stage: 'settled' });
    }
  }
  for (const attempt of attempts.values()) {
    if (isAnsweredBy(attempt, seen.items, sameText)) {
      apply({
        delivery: attempt.delivery,
        stage: 'settled',
        outcome: { status: 'confirmed' },
      });
    }
  }
  return settlements;
};

/** An answer whose keys went without proof: the dialog's own result now states what was chosen. */
const isAnsweredBy = (attempt: Attempt, items: readonly Item[], sameText: SameText): boolean =>
  attempt.kind === 'answer' &&
  attempt.stage === 'entered' &&
  items.some(
    (item) =>
      item.kind === 'dialog' &&
      item.session === attempt.session &&
      item.status === 'answered' &&
      // The row that asks stands before the offset that was noted with the keys.
      item.order <= attempt.offset &&
      Object.values(item.answers ?? {}).some((given) => sameText(attempt.text, given)),
  );

/** After the first token an un-send is impossible: the delivery cannot change any more. */
const isAgentsWord = (item: Item): boolean =>
  item.kind === 'tool' || item.kind === 'dialog' || (item.kind === 'text' && item.role === 'agent');

const judge = (
  attempts: readonly Attempt[],
  session: SessionId,
  row: Evidence,
  sameText: SameText,
): readonly Settlement[] => {
  // An attempt without a session began before the conversation had one.
  const here = attempts.filter((a) => a.session === undefined || a.session === session);
  switch (row.type) {
    case 'user-row': {
      if (here.some((a) => a.proof?.turn === row.turn)) return [];
      const found = oldest(
        here,
        row.text,
        row.offset,
        row.source === 'queued' ? QUEUED_FIRST : TYPED_FIRST,
        sameText,
      );
      return found === undefined
        ? []
        : [
            {
              delivery: found.delivery,
              stage: 'proved',
              proof: { offset: row.offset, turn: row.turn },
              outcome: { status: 'confirmed' },
            },
          ];
    }
    case 'absorbed': {
      const found = oldest(here, row.text, row.offset, QUEUED_FIRST, sameText);
      return found === undefined
        ? []
        : [
            {
              delivery: found.delivery,
              stage: 'settled',
              proof: { offset: row.offset },
              outcome: { status: 'confirmed' },
            },
          ];
    }
    case 'enqueue': {
      if (here.some((a) => a.proof?.offset === row.offset)) return [];
      const found = oldest(
        here,
        row.text,
        row.offset,
        ['entered', 'pasted', 'begun', 'withheld', 'returned'],
        sameText,
      );
      return found === undefined
        ? []
        : [
            {
              delivery: found.delivery,
              stage: 'queued',
              proof: { offset: row.offset },
              outcome: { status: 'queued' },
            },
          ];
    }
    case 'dequeue-popped':
      return here
        .filter(
          (a) => a.stage === 'queued' && (row.text === undefined || sameText(a.text, row.text)),
        )
        .map((a) => ({
          delivery: a.delivery,
          stage: 'returned' as const,
          outcome: {
            status: 'returned' as const,
            reason: 'taken back from the queue at the terminal',
          },
        }));
    case 'unsent':
      return here
        .filter((a) => a.proof?.turn === row.turn && a.stage === 'proved')
        .map((a) => ({
          delivery: a.delivery,
          stage: 'returned' as const,
          outcome: { status: 'returned' as const, reason: 'Escape at the terminal took it back' },
        }));
    case 'interrupted':
      return here
        .filter((a) => a.kind === 'interrupt' && a.stage === 'entered' && a.offset <= row.offset)
        .map((a) => ({
          delivery: a.delivery,
          stage: 'settled' as const,
          outcome: { status: 'confirmed' as const },
        }));
    case 'command':
      return here
        .filter(
          (a) =>
            a.kind === 'command' &&
            a.stage === 'entered' &&
            a.offset <= row.offset &&
            sameText(a.text, row.text),
        )
        .slice(0, 1)
        .map((a) => ({
          delivery: a.delivery,
          stage: 'settled' as const,
          outcome: { status: 'confirmed' as const },
        }));
  }
};

const QUEUED_FIRST: readonly AttemptStage[] = [
  'queued',
  'entered',
  'pasted',
  'begun',
  'withheld',
  'returned',
];
const TYPED_FIRST: readonly AttemptStage[] = [
  'entered',
  'pasted',
  'begun',
  'withheld',
  'returned',
  'queued',
];

const oldest = (
  attempts: readonly Attempt[],
  text: string,
  offset: number,
  stages: readonly AttemptStage[],
  sameText: SameText,
): Attempt | undefined => {
  for (const stage of stages) {
    const found = attempts.find(
      (a) =>
        a.kind === 'reply' && a.stage === stage && sameText(a.text, text) && a.offset <= offset,
    );
    if (found !== undefined) return found;
  }
  return undefined;
};
