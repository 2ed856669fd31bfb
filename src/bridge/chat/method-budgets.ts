import {
  type OutboxOp,
  type OutboxPriority,
  outboxPriority,
  type Thread,
} from '../model/thread.ts';
import { type ChatAdapter, isBudgeted, type MethodBudget } from '../ports/chat-adapter.ts';
import { type Bucket, takeToken } from './backoff.ts';

type Place = Pick<Thread, 'channel' | 'platform'>;

/** What each method may still do, for all threads of a channel or a platform together. */
export class MethodBudgets {
  readonly #buckets = new Map<string, Bucket>();

  /**
   * Takes a token for one call. The last token of a burst is for questions and receipts: they need not
   * wait for the next one. @returns ms that are missing, 0 when it was taken.
   */
  take(
    adapter: ChatAdapter,
    place: Place,
    { op, priority }: { readonly op: OutboxOp; readonly priority: OutboxPriority },
    now: number,
  ): number {
    const budget = budgetOf(adapter, op);
    if (budget === undefined) return 0;
    const name = nameOf(budget, place, op);
    const kept = budget.burst > 1 && priority !== outboxPriority.urgent ? 1 : 0;
    const { bucket, waitMs } = takeToken(this.#buckets.get(name), budget, now, kept);
    this.#buckets.set(name, bucket);
    return waitMs;
  }

  /**
   * The platform said "too many": nothing in hand counts any more, and the next call goes at the pace
   * of the budget. Nobody waits for the one that was refused: its limit may be its own alone.
   */
  empty(adapter: ChatAdapter, place: Place, op: OutboxOp, now: number): void {
    const budget = budgetOf(adapter, op);
    if (budget !== undefined) this.#buckets.set(nameOf(budget, place, op), { tokens: 0, at: now });
  }
}

const budgetOf = (adapter: ChatAdapter, op: OutboxOp): MethodBudget | undefined =>
  isBudgeted(adapter) ? adapter.budgets[op] : undefined;

const nameOf = (budget: MethodBudget, place: Place, op: OutboxOp): string =>
  `${budget.sharedAs ?? op} ${budget.per === 'channel' ? place.channel : place.platform}`;
