import type { HoldReason, RefusalReason } from '../../src/bridge/model/delivery.ts';
import type { BlockedCause } from '../../src/bridge/model/run-state.ts';

/** What a cell must end as. */
export type Expected =
  /** Confirmed at once. */
  | { readonly is: 'confirmed' }
  /** Queued, later confirmed. */
  | { readonly is: 'queued' }
  | { readonly is: 'held'; readonly why: HoldReason['why']; readonly cause?: BlockedCause }
  | { readonly is: 'refused'; readonly why: readonly RefusalReason['why'][] }
  /** Typed and not sent; or held, where it was seen in time. */
  | { readonly is: 'returned' }
  /** A race that either side may win: each outcome is right as long as it is true. */
  | { readonly is: 'true' };

export const expectedWords = (expected: Expected): string => {
  switch (expected.is) {
    case 'held':
      return `held: ${expected.cause ?? expected.why}`;
    case 'refused':
      return `refused: ${expected.why.join(' or ')}`;
    case 'queued':
      return 'queued, then confirmed';
    case 'returned':
      return 'returned, or held';
    case 'true':
      return 'whatever is true';
    case 'confirmed':
      return 'confirmed';
  }
};
