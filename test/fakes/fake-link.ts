import type { HostCommand, ReadResponse } from '../../src/bridge/model/commands.ts';
import type { DeliveryOutcome } from '../../src/bridge/model/delivery.ts';
import type { Envelope } from '../../src/bridge/model/events.ts';
import type { DeliveryId, RunId } from '../../src/bridge/model/ids.ts';
import type { ChatLink } from '../../src/bridge/ports/link.ts';

type Answer =
  | DeliveryOutcome
  | ((command: HostCommand) => DeliveryOutcome | Promise<DeliveryOutcome>);

/**
 * A host as the chat side sees it: it remembers by delivery what it typed, types nothing twice
 * unless told `again`, nothing past a deadline, and answers from memory when asked again.
 */
export class FakeHost implements ChatLink {
  readonly commands: HostCommand[] = [];
  /** What was really typed, in order: `run: text`. */
  readonly typed: string[] = [];
  readonly #known = new Map<DeliveryId, DeliveryOutcome>();
  readonly #answers = new Map<RunId, Answer>();
  readonly #now: () => number;
  isDown = false;
  /** What is asked is done, but no outcome ever arrives. */
  losesAnswers = false;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** What the run says from now on; `confirmed` when nothing is set. */
  set(run: RunId, answer: Answer): void {
    this.#answers.set(run, answer);
  }

  async command({ body }: Envelope<HostCommand>): Promise<DeliveryOutcome> {
    if (this.isDown) throw new Error('link lost');
    this.commands.push(body);
    const known = this.#known.get(body.delivery);
    const isAnew =
      body.type === 'discard' ||
      (body.type === 'reply' && body.again === true && known?.status === 'returned');
    if (known !== undefined && !isAnew) return known;
    if (body.deadline <= this.#now()) {
      return { status: 'refused', reason: { why: 'expired', detail: 'too late' } };
    }
    const answer = this.#answers.get(body.run) ?? { status: 'confirmed' };
    const outcome = typeof answer === 'function' ? await answer(body) : answer;
    if (outcome.status !== 'held' && outcome.status !== 'refused') {
      this.#known.set(body.delivery, outcome);
      if (body.type === 'reply') this.typed.push(`${body.run}: ${body.text}`);
    }
    return this.losesAnswers ? new Promise(() => {}) : outcome;
  }

  read(): Promise<ReadResponse> {
    return Promise.resolve({ type: 'list', runs: [] });
  }
}
