import type { Config } from '../bridge/config.ts';
import type { StateDir } from '../bridge/state-dir.ts';
import { systemClock } from '../bridge/system-clock.ts';
import { FileWatcher } from '../provider/claude-code/watch.ts';
import { contract } from '../verify/contract.ts';
import { type ContractDeps, type ContractReport, playContract } from '../verify/contract-play.ts';
import { openRealStage, type RealProgram } from '../verify/real-stage.ts';
import { makeProvider } from './compose-provider.ts';

/** Plays the contract on an agent program of this machine. Leaves nothing behind; throws when the signal aborts. */
export type PlayContract = (
  config: Config,
  stateDir: StateDir,
  program: RealProgram,
  options: Pick<ContractDeps, 'signal' | 'onBegin' | 'onEnd'>,
) => Promise<ContractReport>;

/** With the provider as `start` has it, but for a stage of its own, and with the version on trial taken as verified. */
export const playOnThisMachine: PlayContract = async (config, stateDir, program, options) => {
  const onProblem = (): void => undefined;
  const stage = await openRealStage(program);
  const hints = new FileWatcher({ onError: onProblem });
  try {
    const { provider } = makeProvider(
      {
        ...config,
        claudeCode: { ...config.claudeCode, configDir: stage.configDir },
        tmux: { sockets: [{ path: stage.socket }] },
      },
      stateDir,
      { onProblem, hints, verifiedVersions: () => [program.version] },
    );
    return await playContract({
      ...options,
      stage,
      provider,
      clock: systemClock,
      scenarios: contract,
    });
  } finally {
    await hints.close();
    await stage.stop();
  }
};
