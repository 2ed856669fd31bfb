import type { RunHandle } from '../bridge/model/run-state.ts';
import type { Clock } from '../bridge/ports/clock.ts';
import type { AgentStage, StagedAgent } from './agent-stage.ts';
import { MemoryAttempts } from './attempts.ts';
import { type Cast, type ContractProvider, Unmet } from './contract-scene.ts';
import { Watch } from './contract-watch.ts';

export interface CastDeps {
  readonly stage: AgentStage;
  readonly provider: ContractProvider;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** No agent was ready in time; the screen says more than we can. */
export class NotReady extends Unmet {
  readonly screen: string;

  constructor(message: string, screen: string) {
    super(message);
    this.screen = screen;
  }
}

const START_WITHIN_MS = 20_000;
const ASK_EVERY_MS = 100;

/** Starts an agent, and waits until the provider has found it and says that it is idle. Throws NotReady. */
export const bringOn = async (deps: CastDeps): Promise<Cast> => {
  const { stage, provider } = deps;
  const agent = await stage.start();
  let watch: Watch | undefined;
  try {
    const until = deps.clock.now() + START_WITHIN_MS;
    const run = await inTime(deps, agent, until, 'the agent was not found', () =>
      find(deps, agent),
    );
    const following = new Watch(provider, run);
    watch = following;
    await inTime(deps, agent, until, 'the agent never was idle after its start', () => {
      const seen = following.latest;
      return seen?.state.name === 'idle' && seen.session !== undefined ? true : undefined;
    });
    await inTime(deps, agent, until, 'the agent draws nothing', async () =>
      (await agent.hand.screen()).trim() === '' ? undefined : true,
    );
    const found = (await find(deps, agent)) ?? run;
    return { stage, agent, run: found, watch, attempts: new MemoryAttempts() };
  } catch (error) {
    await watch?.stop();
    await agent.end();
    throw error;
  }
};

export const takeOff = async (cast: Cast | undefined): Promise<void> => {
  await cast?.watch.stop();
  await cast?.agent.end();
};

/** What the agent shows; what cannot be looked at any more shows nothing. */
export const screenOf = (agent: StagedAgent | undefined): Promise<string | undefined> =>
  agent === undefined ? Promise.resolve(undefined) : agent.hand.screen().catch(() => undefined);

const find = async (deps: CastDeps, agent: StagedAgent): Promise<RunHandle | undefined> => {
  const runs = await deps.provider.discover(deps.signal);
  return runs.find((run) => run.pane?.pane === agent.pane);
};

const inTime = async <T>(
  deps: CastDeps,
  agent: StagedAgent,
  until: number,
  what: string,
  ask: () => Promise<T | undefined> | T | undefined,
): Promise<T> => {
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    deps.signal.throwIfAborted();
    if (deps.clock.now() >= until) throw new NotReady(what, (await screenOf(agent)) ?? '');
    await deps.clock.sleep(ASK_EVERY_MS, deps.signal);
  }
};
