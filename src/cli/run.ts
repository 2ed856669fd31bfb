import { isRunLauncher } from '../bridge/ports/agent-provider.ts';
import { prepareStateDir } from '../bridge/state-dir.ts';
import type { CliDeps, GlobalOptions } from './cli-deps.ts';
import { CliError } from './exit-codes.ts';

/** `afk-bridge run -- claude …`: starts the agent in tmux and says how to see it. */
export const run = async (
  argv: readonly string[],
  options: GlobalOptions,
  deps: CliDeps,
): Promise<void> => {
  const [program, ...rest] = argv;
  if (program !== 'claude') {
    throw new CliError('usage', 'write: afk-bridge run -- claude [its own arguments]');
  }
  const { config } = deps.load(options.config);
  const provider = deps.makeProvider(config, prepareStateDir(config.stateDir));
  if (!isRunLauncher(provider)) {
    throw new CliError('notPossible', `${provider.displayName} cannot be started from here yet`);
  }
  const { command } = config.claudeCode;
  if (deps.findProgram(command) === undefined) {
    throw new CliError(
      'notPossible',
      `${command} is not installed or not in PATH; claudeCode.command in the configuration can name its path`,
    );
  }
  const { attachCommand } = await provider.launch([command, ...rest], deps.cwd);
  deps.terminal.print(`started; to see it: ${attachCommand}`);
};
