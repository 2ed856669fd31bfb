import type { Attempt } from '../bridge/model/delivery.ts';
import type { DeliveryId, RunId } from '../bridge/model/ids.ts';
import type { AttemptLog } from '../bridge/ports/agent-provider.ts';

/** Attempts in memory, with the obligations of the port but durability: for a provider without a bridge around it. */
export class MemoryAttempts implements AttemptLog {
  readonly #attempts = new Map<DeliveryId, Attempt>();

  begin(attempt: Omit<Attempt, 'stage' | 'proof'>): void {
    this.#attempts.set(attempt.delivery, { ...attempt, stage: 'begun' });
  }

  advance(delivery: DeliveryId, stage: Attempt['stage'], proof?: Attempt['proof']): void {
    const attempt = this.#attempts.get(delivery);
    if (attempt === undefined) throw new Error(`no attempt ${delivery}`);
    this.#attempts.set(delivery, {
      ...attempt,
      stage,
      text: stage === 'settled' ? '' : attempt.text,
      ...(proof === undefined ? {} : { proof }),
    });
  }

  forget(delivery: DeliveryId): void {
    this.#attempts.delete(delivery);
  }

  find(delivery: DeliveryId): Attempt | undefined {
    return this.#attempts.get(delivery);
  }

  open(run: RunId): readonly Attempt[] {
    return [...this.#attempts.values()].filter((a) => a.run === run && a.stage !== 'settled');
  }
}
