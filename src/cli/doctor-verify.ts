import type { Config } from '../bridge/config.ts';
import { prepareStateDir } from '../bridge/state-dir.ts';
import { contract } from '../verify/contract.ts';
import { type ContractReport, isKept, type ScenarioResult } from '../verify/contract-play.ts';
import type { RealProgram } from '../verify/real-stage.ts';
import type { CliDeps } from './cli-deps.ts';
import { CliError } from './exit-codes.ts';
import { untilSignal } from './until-signal.ts';
import { forgetVerified, recordVerified } from './verified-versions.ts';

export interface Verification {
  /** The version that was played. */
  readonly version: string;
  /** Everything was kept, and that is recorded for this host. */
  readonly isVerified: boolean;
  readonly results: readonly ScenarioResult[];
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

const resultLines = ({
  name,
  title,
  status,
  ms,
  why,
  means,
}: ScenarioResult): readonly string[] => [
  `${status.padEnd(10)} ${name.padEnd(16)} ${title}${status === 'not-played' ? '' : ` (${seconds(ms)})`}`,
  ...(why === undefined ? [] : [`           seen: ${why}`]),
  ...(means === undefined ? [] : [`           that means: ${means}`]),
];

/**
 * Plays the contract on the operator's own Claude Code and writes down the result for this host:
 * the version counts as verified, or no longer. Throws CliError where a signal stops it: then
 * nothing is written.
 */
export const verify = async (
  config: Config,
  program: RealProgram,
  isJson: boolean,
  deps: CliDeps,
): Promise<Verification> => {
  const stateDir = prepareStateDir(config.stateDir);
  const { terminal } = deps;
  const stopped = new AbortController();
  const { came, release } = untilSignal(deps);
  void came.then(() => stopped.abort());
  terminal.say(
    `playing the contract on Claude Code ${program.version}: a private home, a scripted API on loopback, about a minute`,
  );
  let report: ContractReport;
  try {
    report = await deps.playContract(config, stateDir, program, {
      signal: stopped.signal,
      onBegin: ({ title }, index) => terminal.say(`${index + 1}/${contract.length} ${title} …`),
      onEnd: (result) => {
        if (!isJson) for (const line of resultLines(result)) terminal.print(line);
      },
    });
  } catch (error) {
    if (stopped.signal.aborted) throw new CliError('hurried', 'stopped; nothing was recorded');
    throw error;
  } finally {
    release();
  }
  const version = report.version ?? program.version;
  const isVerified = isKept(report);
  if (isVerified) {
    const at = new Date(deps.clock.now()).toISOString();
    recordVerified(stateDir.path, version, { at, by: deps.version });
  } else {
    forgetVerified(stateDir.path, version);
  }
  return { version, isVerified, results: report.results };
};
