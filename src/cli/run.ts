import { isRunLauncher } from '../bridge/ports/agent-provider.ts';
import { prepareStateDir } from '../bridge/state-dir.ts';
import { hookLine, hookSettings } from '../provider/claude-code/hook-settings.ts';
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
  // Settings of a person's own come alone: Claude Code takes one file or text.
  const hasOwn = rest.some((word) => word === '--settings' || word.startsWith('--settings='));
  const hook = hookSettings(hookLine(deps.program, deps.hookSocket(config.stateDir)));
  const settings = hasOwn ? [] : ['--settings', JSON.stringify({ hooks: hook })];
  if (hasOwn)
    deps.terminal.say('--settings is given: the hook of afk-bridge is not added for this run');
  const { attachCommand } = await provider.launch([command, ...settings, ...rest], deps.cwd);
  deps.terminal.print(`started; to see it: ${attachCommand}`);
};
