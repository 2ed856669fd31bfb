import {
  type DeliveryId,
  type DialogId,
  id,
  type SessionId,
  type TurnId,
} from '../bridge/model/ids.ts';
import type { RunHandle } from '../bridge/model/run-state.ts';
import type {
  AgentProvider,
  AttemptResolver,
  DeliveryContext,
} from '../bridge/ports/agent-provider.ts';
import type { Clock } from '../bridge/ports/clock.ts';
import type { AgentStage, StagedAgent } from './agent-stage.ts';
import type { MemoryAttempts } from './attempts.ts';
import type { Watch } from './contract-watch.ts';

/** The provider as the contract needs it. */
export type ContractProvider = AgentProvider & AttemptResolver;

/** A step of a scenario did not come out as it must; the message says what was seen instead. */
export class Unmet extends Error {}

/** An agent that was found and is followed; several scenarios are played with it. */
export interface Cast {
  readonly stage: AgentStage;
  readonly agent: StagedAgent;
  readonly run: RunHandle;
  readonly watch: Watch;
  readonly attempts: MemoryAttempts;
}

const ASK_EVERY_MS = 25;
/** A delivery's own deadline: twice what the slowest of a loaded machine took. */
const DELIVER_WITHIN_MS = 10_000;

let deliveries = 0;

/** One scenario under way: what it remembers from step to step. */
export class Scene {
  readonly provider: ContractProvider;
  readonly cast: Cast;
  readonly clock: Clock;
  /** ms since the epoch. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  /** Counts when the scenario began. */
  readonly before: {
    readonly received: number;
    readonly cutOff: number;
    readonly evidence: number;
    readonly origins: number;
  };
  lastReply: DeliveryId | undefined;
  /** Where the last delivery was proved: what the watch must have read before its state counts. */
  proof:
    | { readonly session: SessionId; readonly offset: number; readonly turn: TurnId | undefined }
    | undefined;
  turn: TurnId | undefined;
  dialog: DialogId | undefined;
  earlier: DialogId | undefined;
  /** The last `received` of the scenario: still true at its end. */
  expected: readonly string[] | undefined;

  constructor(deps: {
    readonly provider: ContractProvider;
    readonly cast: Cast;
    readonly clock: Clock;
    readonly deadline: number;
    readonly signal: AbortSignal;
  }) {
    this.provider = deps.provider;
    this.cast = deps.cast;
    this.clock = deps.clock;
    this.deadline = deps.deadline;
    this.signal = deps.signal;
    const { agent, watch } = deps.cast;
    this.before = {
      received: agent.received().length,
      cutOff: agent.cutOff(),
      evidence: watch.evidence.length,
      origins: watch.origins.length,
    };
  }

  /** Asks until the answer is not undefined. Throws Unmet at the deadline, with what `saw` says. */
  async until<T>(
    what: string,
    ask: () => Promise<T | undefined> | T | undefined,
    saw: () => string,
  ): Promise<T> {
    for (;;) {
      const answer = await ask();
      if (answer !== undefined) return answer;
      this.signal.throwIfAborted();
      if (this.clock.now() >= this.deadline) throw new Unmet(`${what}; ${saw()}`);
      await this.clock.sleep(ASK_EVERY_MS, this.signal);
    }
  }

  context(): DeliveryContext {
    deliveries += 1;
    return {
      delivery: id<DeliveryId>(`contract-${deliveries}`),
      deadline: Math.min(this.deadline, this.clock.now() + DELIVER_WITHIN_MS),
      signal: this.signal,
      attempts: this.cast.attempts,
      by: 'afk-bridge doctor',
      again: false,
      typing: (work) => work(),
    };
  }

  received(): readonly string[] {
    return this.cast.agent.received().slice(this.before.received);
  }
}
