import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { CliDeps } from './cli-deps.ts';
import { doctor } from './doctor.ts';
import { CliError } from './exit-codes.ts';
import { gatherByAsking } from './init-ask.ts';
import { initFile } from './init-file.ts';
import { gatherFromOptions, type InitOptions } from './init-flags.ts';
import { writePrivately } from './init-write.ts';

/** `--slack-manifest` and `--discord-invite`: what the platform's own pages take. */
const printApp = ({ slackManifest, discordInvite }: InitOptions, deps: CliDeps): boolean => {
  const { terminal, platforms } = deps;
  if (slackManifest === true) terminal.print(platforms.slackManifest());
  if (discordInvite !== undefined) {
    const link = platforms.discordInvite(discordInvite);
    if (link === undefined)
      throw new CliError('usage', '--discord-invite takes the application id (digits)');
    terminal.print(link);
  }
  return slackManifest === true || discordInvite !== undefined;
};

const pathOf = ({ config }: InitOptions, { cwd, home, env }: CliDeps): string => {
  const named = config ?? (env['AFK_BRIDGE_CONFIG'] || undefined);
  return named === undefined
    ? join(home, '.config', 'afk-bridge', 'config.yaml')
    : resolve(cwd, named);
};

/** Ends the command where a configuration is there and nobody wants another one. */
const mayWrite = async (path: string, options: InitOptions, deps: CliDeps): Promise<void> => {
  if (!existsSync(path) || options.replace === true) return;
  const isWanted =
    options.yes !== true &&
    (await deps.asker.confirm(`${path} is there already. Write another one, and keep it beside?`));
  if (isWanted) return;
  throw new CliError(
    'notPossible',
    `${path} is there already; nothing was written (--replace writes another one and keeps the old one beside it)`,
  );
};

/** `afk-bridge init`: asks, checks, writes the configuration, and ends with doctor. */
export const init = async (options: InitOptions, deps: CliDeps): Promise<void> => {
  if (printApp(options, deps)) return;
  const { terminal } = deps;
  if (options.yes !== true && !terminal.isTty)
    throw new CliError(
      'usage',
      'init asks at a terminal; for a script: --yes with the other options (afk-bridge init --help)',
    );
  const path = pathOf(options, deps);
  await mayWrite(path, options, deps);
  const { plan, files } =
    options.yes === true
      ? await gatherFromOptions(options, deps)
      : await gatherByAsking(options, path, deps);
  // Tokens first: a configuration that names a file that is not there would start nothing.
  for (const line of writePrivately([...files, { path, content: initFile(plan) }]))
    terminal.say(line);
  await doctor({ config: path }, deps);
  terminal.say('start it: afk-bridge start');
};
