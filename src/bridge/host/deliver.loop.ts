import type { HostCommand } from '../model/commands.ts';
import type { Attempt, DeliveryOutcome, RefusalReason } from '../model/delivery.ts';
import type { Envelope } from '../model/events.ts';
import type { DeliveryId, RunId } from '../model/ids.ts';
import type { RunHandle, RunSummary } from '../model/run-state.ts';
import {
  type AgentProvider,
  type DeliveryContext,
  isAttemptResolver,
} from '../ports/agent-provider.ts';
import type { Clock } from '../ports/clock.ts';
import type { HostLink } from '../ports/link.ts';
import type { HostStore } from '../ports/store.ts';
import { Lanes } from './lanes.ts';
import type { RunTable } from './run-table.ts';

export interface DeliverDeps {
  readonly provider: AgentProvider;
  readonly store: HostStore;
  readonly link: HostLink;
  readonly table: RunTable;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly isShown: (run: RunHandle) => boolean;
  readonly onError: (error: unknown, run: RunId) => void;
  /** Aborts when the bridge stops. */
  readonly signal: AbortSignal;
}

/** Beyond a command's deadline the caller gets `unknown`, whatever the provider is doing. */
const GRACE_MS = 1_000;

/** Takes commands for runs; the only way from the link to a pane. */
export class Deliverer {
  readonly #deps: DeliverDeps;
  readonly #lanes = new Lanes();
  readonly #replyLanes = new Lanes();
  /** A second interrupt looks only after the first one's proof: never two Escapes in a row (I2). */
  readonly #interruptLanes = new Lanes();
  readonly #underWay = new Map<DeliveryId, Promise<DeliveryOutcome>>();
  readonly #interrupting = new Map<RunId, number>();

  constructor(deps: DeliverDeps) {
    this.#deps = deps;
  }

  /** One outcome by the deadline. The same delivery again joins the one under way, or is told what became of it. */
  async command({ body }: Envelope<HostCommand>): Promise<DeliveryOutcome> {
    const key = body.delivery;
    const running = this.#underWay.get(key);
    if (running !== undefined) return running;
    const outcome = this.#bounded(body).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, outcome);
    return outcome;
  }

  /** Asked when a run stands idle after our message and the agent has said nothing: did Escape take it back? */
  async checkUnsent(run: RunHandle): Promise<void> {
    const { provider, store, clock, signal } = this.#deps;
    if (!isAttemptResolver(provider)) return;
    for (const attempt of store.attempts.open(run.id)) {
      if (attempt.stage !== 'proved') continue;
      const ctx = this.#context(attempt.delivery, clock.now() + 3_000, '', 'reply', false, signal);
      const outcome = await provider.resolve(run, attempt, ctx);
      if (outcome.status !== 'returned') continue;
      await this.#publish(attempt.delivery, run.id, outcome);
      store.attempts.advance(attempt.delivery, 'returned');
    }
  }

  async #bounded(command: HostCommand): Promise<DeliveryOutcome> {
    const { clock, signal, onError } = this.#deps;
    const nap = new AbortController();
    const over = new AbortController();
    const late = clock
      .sleep(Math.max(0, command.deadline - clock.now()) + GRACE_MS, nap.signal)
      .then(() => {
        // What was told as not typed must not be typed afterwards, whatever the wall clock says by then.
        over.abort();
        return this.#overdue(command);
      });
    try {
      return await Promise.race([this.#run(command, over.signal), late]);
    } catch (error) {
      if (!signal.aborted) onError(error, command.run);
      return this.#overdue(command);
    } finally {
      nap.abort();
    }
  }

  /** After a failure or too long a time: nothing typed is a refusal, anything typed is unknown. */
  #overdue(command: HostCommand): DeliveryOutcome {
    const attempt = this.#deps.store.attempts.find(command.delivery);
    if (attempt === undefined)
      return refused('unreachable', 'The pane did not answer in time; nothing was typed.');
    return (
      byStage(attempt) ?? {
        status: 'unknown',
        reason: 'the pane did not answer in time',
        screen: '',
      }
    );
  }

  async #run(command: HostCommand, over: AbortSignal): Promise<DeliveryOutcome> {
    const run = await this.#find(command.run);
    if (!('handle' in run)) return run;
    const { handle } = run;
    const kind = command.type === 'answer' || command.type === 'interrupt' ? 'control' : 'reply';
    const again = command.type === 'reply' && command.again === true;
    const ctx = this.#context(
      command.delivery,
      command.deadline,
      command.by,
      kind,
      again,
      over,
      handle.id,
    );
    switch (command.type) {
      case 'reply':
        if (this.#isInterrupting(handle.id))
          return { status: 'held', reason: { why: 'interrupting' } };
        return this.#replyLanes.alone(handle.id, 'reply', () =>
          this.#reply(handle, command.text, ctx),
        );
      case 'answer':
        return this.#deps.provider.answer(handle, command.dialog, command.answer, ctx);
      case 'interrupt': {
        this.#interrupting.set(handle.id, command.deadline);
        return this.#interruptLanes.alone(handle.id, 'control', async () => {
          this.#interrupting.set(handle.id, command.deadline);
          try {
            return await this.#deps.provider.interrupt(handle, command.turn, ctx);
          } finally {
            this.#interrupting.delete(handle.id);
          }
        });
      }
      case 'discard':
        return this.#replyLanes.alone(handle.id, 'reply', () => this.#discard(handle, ctx));
    }
  }

  async #reply(run: RunHandle, text: string, ctx: DeliveryContext): Promise<DeliveryOutcome> {
    const { provider, store } = this.#deps;
    const earlier = store.attempts.find(ctx.delivery);
    if (earlier === undefined) return provider.reply(run, text, ctx);
    if (ctx.again && isReturned(earlier))
      return (await this.#sentMeanwhile(run, earlier, ctx)) ?? provider.reply(run, text, ctx);
    const known = byStage(earlier);
    if (known !== undefined) return known;
    // A crash came between two keys: the transcript since the noted offset decides, nothing is typed.
    return isAttemptResolver(provider)
      ? provider.resolve(run, earlier, ctx)
      : { status: 'unknown', reason: 'the bridge was restarted while it typed', screen: '' };
  }

  async #discard(run: RunHandle, ctx: DeliveryContext): Promise<DeliveryOutcome> {
    const { provider, store } = this.#deps;
    const attempt = store.attempts.find(ctx.delivery);
    if (attempt !== undefined && isReturned(attempt) && isAttemptResolver(provider)) {
      const sent = await this.#sentMeanwhile(run, attempt, ctx);
      if (sent !== undefined) return sent;
      const cleared = await provider.clearDraft(run, attempt, ctx);
      // Behind a dialog it stays in the box, and stays known as ours: the next reply clears it.
      if (cleared.status === 'refused') store.attempts.advance(ctx.delivery, 'settled');
    }
    return refused('discarded', 'Discarded; it was not sent.');
  }

  /** A returned text that a person sent with Enter, not yet seen by whoever follows the run: never typed twice (S3). */
  async #sentMeanwhile(
    run: RunHandle,
    attempt: Attempt,
    ctx: DeliveryContext,
  ): Promise<DeliveryOutcome | undefined> {
    const { provider } = this.#deps;
    if (attempt.stage === 'cleared' || !isAttemptResolver(provider)) return undefined;
    const outcome = await provider.resolve(run, attempt, ctx);
    return outcome.status === 'confirmed' || outcome.status === 'queued' ? outcome : undefined;
  }

  /** The run as it is now, or why it cannot be had. The table is a cache: before refusing, the present is asked (S3). */
  async #find(id: RunId): Promise<{ handle: RunHandle } | DeliveryOutcome> {
    const { table, provider, isShown, signal } = this.#deps;
    const live = table.live(id);
    const handle = live ?? (await provider.discover(signal)).find((run) => run.id === id);
    if (handle !== undefined) {
      if (!isShown(handle))
        return refused('no-right', 'This run is private by the rules of the configuration.');
      if (handle.pane === undefined) {
        return refused(
          'read-only',
          'This run is outside tmux: it can be read, nothing can be typed into it.',
        );
      }
      return { handle };
    }
    return refused('ended', endedText(table.find(id)));
  }

  #isInterrupting(run: RunId): boolean {
    const until = this.#interrupting.get(run);
    return until !== undefined && this.#deps.clock.now() < until;
  }

  #context(
    delivery: DeliveryId,
    deadline: number,
    by: string,
    kind: 'control' | 'reply',
    again: boolean,
    until: AbortSignal,
    run?: RunId,
  ): DeliveryContext {
    const { store, signal } = this.#deps;
    return {
      delivery,
      deadline,
      by,
      again,
      signal: AbortSignal.any([signal, until]),
      attempts: store.attempts,
      typing: (work) => (run === undefined ? work() : this.#lanes.alone(run, kind, work)),
    };
  }

  #publish(delivery: DeliveryId, run: RunId, outcome: DeliveryOutcome): Promise<void> {
    const { link, clock, newId } = this.#deps;
    return link.publish({
      v: 1,
      id: newId(),
      at: clock.now(),
      body: { type: 'outcome', delivery, run, outcome },
    });
  }
}

const isReturned = (attempt: Attempt): boolean =>
  attempt.stage === 'returned' || attempt.stage === 'withheld' || attempt.stage === 'cleared';

/** What an attempt's stage alone proves; `undefined`: look at the transcript and the screen. */
const byStage = (attempt: Attempt): DeliveryOutcome | undefined => {
  switch (attempt.stage) {
    case 'proved':
    case 'settled':
      return { status: 'confirmed' };
    case 'queued':
      return { status: 'queued' };
    case 'withheld':
    case 'returned':
    case 'cleared':
      return { status: 'returned', reason: 'it was not sent' };
    case 'begun':
    case 'pasted':
    case 'entered':
      return undefined;
  }
};

const endedText = (run: RunSummary | undefined): string => {
  if (run === undefined) return 'This run is not known on this host (any more).';
  const resume = run.resumeCommand === undefined ? '' : ` To go on with it: ${run.resumeCommand}`;
  return `This run has ended.${resume}`;
};

const refused = (why: RefusalReason['why'], detail: string): DeliveryOutcome => ({
  status: 'refused',
  reason: { why, detail },
});
