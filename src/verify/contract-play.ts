import { act } from './contract-act.ts';
import { bringOn, type CastDeps, NotReady, screenOf, takeOff } from './contract-cast.ts';
import { type Cast, Scene, Unmet } from './contract-scene.ts';
import { checkReceived, see } from './contract-see.ts';
import type { Scenario } from './contract-steps.ts';

export interface ScenarioResult {
  readonly name: string;
  readonly title: string;
  /** `not-played`: two agents in a row were never ready. */
  readonly status: 'kept' | 'broken' | 'not-played';
  readonly ms: number;
  /** What was seen instead. */
  readonly why?: string;
  /** What it means for the operator. */
  readonly means?: string;
  /** The agent's screen when it broke. */
  readonly screen?: string;
}

export interface ContractReport {
  /** Of the agent, by its own registry; absent: none was ever ready. */
  readonly version: string | undefined;
  readonly results: readonly ScenarioResult[];
}

export interface ContractDeps extends CastDeps {
  readonly scenarios: readonly Scenario[];
  readonly onBegin?: (scenario: Scenario, index: number) => void;
  readonly onEnd?: (result: ScenarioResult) => void;
  /** Time of one scenario, ms; the start of its agent is extra. */
  readonly withinMs?: number;
}

const SCENARIO_WITHIN_MS = 30_000;
/** A provider that does not keep its deadlines is given up so long after them. */
const GRACE_MS = 3_000;
const MOST_FAILED_STARTS = 2;

export const isKept = (report: ContractReport): boolean =>
  report.results.length > 0 && report.results.every((result) => result.status === 'kept');

/**
 * Plays the scenarios one after the other, with one agent for as long as all goes well and a new
 * one after each that broke. What an agent or the provider does wrong is a result; throws when the
 * signal aborts.
 */
export const playContract = async (deps: ContractDeps): Promise<ContractReport> => {
  const results: ScenarioResult[] = [];
  let cast: Cast | undefined;
  let version: string | undefined;
  let failedStarts = 0;
  const playOne = async (scenario: Scenario): Promise<ScenarioResult> => {
    const { name, title, means } = scenario;
    const began = deps.clock.now();
    try {
      cast ??= await bringOn(deps);
      version = cast.run.version ?? version;
      failedStarts = 0;
      await play(deps, cast, scenario);
      return { name, title, status: 'kept', ms: deps.clock.now() - began };
    } catch (error) {
      deps.signal.throwIfAborted();
      const ms = deps.clock.now() - began;
      const screen = error instanceof NotReady ? error.screen : await screenOf(cast?.agent);
      if (cast === undefined) failedStarts += 1;
      const failed = cast;
      cast = undefined;
      await takeOff(failed);
      const why = error instanceof Error ? error.message : String(error);
      const seen = screen === undefined ? {} : { screen };
      return { name, title, status: 'broken', ms, why, means, ...seen };
    }
  };
  try {
    for (const [index, scenario] of deps.scenarios.entries()) {
      deps.signal.throwIfAborted();
      const { name, title } = scenario;
      const isHopeless = failedStarts >= MOST_FAILED_STARTS;
      if (!isHopeless) deps.onBegin?.(scenario, index);
      const result: ScenarioResult = isHopeless
        ? { name, title, status: 'not-played', ms: 0 }
        : await playOne(scenario);
      results.push(result);
      deps.onEnd?.(result);
    }
  } finally {
    await takeOff(cast);
  }
  return { version, results };
};

const play = async (deps: ContractDeps, cast: Cast, scenario: Scenario): Promise<void> => {
  const { provider, clock, signal } = deps;
  const deadline = clock.now() + (deps.withinMs ?? SCENARIO_WITHIN_MS);
  const over = new AbortController();
  const scene = new Scene({
    ...{ provider, cast, clock, deadline },
    signal: AbortSignal.any([signal, over.signal]),
  });
  const steps = async (): Promise<'played'> => {
    for (const step of scenario.steps) {
      if ('do' in step) await act(scene, step);
      else await see(scene, step);
    }
    checkReceived(scene);
    return 'played';
  };
  const tooLate = clock.sleep(deadline + GRACE_MS - clock.now(), over.signal).then(() => 'late');
  try {
    const how = await Promise.race([steps(), tooLate]);
    if (how === 'late') throw new Unmet('the bridge did not keep its own deadline');
  } finally {
    over.abort();
  }
};
