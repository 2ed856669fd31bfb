import { tmpdir } from 'node:os';
import { loadConfig } from '../../src/bridge/config-load.ts';
import { type HostId, id } from '../../src/bridge/model/ids.ts';
import { makeProvider } from '../../src/cli/compose-provider.ts';
import { FileWatcher } from '../../src/provider/claude-code/watch.ts';
import type { AgentStage } from '../../src/verify/agent-stage.ts';
import type { ContractReport } from '../../src/verify/contract-play.ts';
import type { ContractProvider } from '../../src/verify/contract-scene.ts';

/** The real provider, as the program composes it, for one stage. */
export const contractProvider = (
  stage: AgentStage,
  stateDir = stage.configDir,
): { readonly provider: ContractProvider; close(): Promise<void> } => {
  const onProblem = (): void => undefined;
  const hints = new FileWatcher({ onError: onProblem });
  const { config } = loadConfig(undefined, { env: {}, cwd: tmpdir(), home: tmpdir() });
  const { provider } = makeProvider(
    {
      ...config,
      claudeCode: { ...config.claudeCode, configDir: stage.configDir },
      tmux: { sockets: [{ path: stage.socket }] },
    },
    { path: stateDir, host: id<HostId>('contract') },
    { onProblem, hints },
  );
  return { provider, close: () => hints.close() };
};

/** Throws what was seen instead, with the screen. */
export const mustBeKept = (report: ContractReport, name: string): void => {
  const result = report.results.find((each) => each.name === name);
  if (result?.status === 'kept') return;
  throw new Error(`${result?.why ?? result?.status ?? 'not played'}\n${result?.screen ?? ''}`);
};
