import type { LifecycleItem } from '../../bridge/model/conversation.ts';
import { type ItemId, id, type SessionId } from '../../bridge/model/ids.ts';
import type { FoldContext } from './fold-context.ts';
import { seal } from './fold-item.ts';

/**
 * A prompt whose parent is not where the conversation stood: a rewind, perhaps. Whoever holds the
 * file looks back for the parent, since the fold keeps no more than what can still change.
 */
export interface LookBack {
  readonly uuid: string;
  readonly parent: string | null;
  /** Byte offset of the prompt's row: the dead branch ends here. */
  readonly offset: number;
  /** ms since the epoch. */
  readonly at: number;
  /** Where the dead branch begins, when the parent's place is known already. */
  readonly from?: number;
  /** Where the turn before began: a parent at or behind it means that nothing was left behind. */
  readonly turnOffset: number;
}

export type Branch =
  | { readonly kind: 'alive' }
  /** The prompts from this index on were never answered and are skipped: un-sent. */
  | { readonly kind: 'unsent'; readonly index: number }
  | { readonly kind: 'look-back'; readonly from?: number };

/** Where a prompt with this parent hangs: on the living end, or further back. */
export const branchOf = (
  context: FoldContext,
  isRecent: (uuid: string) => boolean,
  parent: string | null | undefined,
): Branch => {
  const first = context.prompts[0];
  if (parent === undefined || first === undefined) return { kind: 'alive' };
  const index = context.prompts.findIndex((prompt) => prompt.parent === parent);
  const sibling = context.prompts[index];
  if (sibling !== undefined) {
    return context.hasOutput
      ? { kind: 'look-back', from: sibling.offset }
      : { kind: 'unsent', index };
  }
  if (parent !== null && isRecent(parent)) return { kind: 'alive' };
  return { kind: 'look-back' };
};

/** What to show where a rewind took the conversation back. */
export const rewoundItem = (session: SessionId, back: LookBack): LifecycleItem =>
  seal({
    kind: 'lifecycle',
    id: id<ItemId>(`rewound:${back.uuid}`),
    session,
    // Just before the prompt that made it visible.
    order: back.offset - 0.0005,
    at: back.at,
    event: 'rewound',
    text: 'The conversation was rewound to an earlier point.',
  });
