import { Command, CommanderError, Option } from 'commander';
import { ConfigError } from '../bridge/config-load.ts';
import { BridgeError } from '../bridge/model/errors.ts';
import { runHook } from '../provider/claude-code/hook-client.ts';
import type { CliDeps, GlobalOptions } from './cli-deps.ts';
import { type DeliveriesOptions, deliveries } from './deliveries.ts';
import { demo } from './demo.ts';
import { type DoctorOptions, doctor } from './doctor.ts';
import { CliError, EXIT } from './exit-codes.ts';
import { hooksInstall, hooksStatus, hooksUninstall } from './hooks.ts';
import { init } from './init.ts';
import type { InitOptions } from './init-flags.ts';
import { type LsOptions, ls } from './ls.ts';
import { type ReplayOptions, replay } from './replay.ts';
import { run } from './run.ts';
import { type StartOptions, start } from './start.ts';
import { type StatusOptions, status } from './status.ts';

const JSON_FLAG = ['--json', 'print JSON, for scripts'] as const;

/** The command line. Parsing rejects with CommanderError for wrong usage; commands reject with CliError. */
export const createProgram = (deps: CliDeps): Command => {
  const program = new Command('afk-bridge');
  const { terminal } = deps;
  program
    .description(
      'Shows each coding-agent run (Claude Code in tmux) as one chat thread and on a web page, and carries replies, answers and interrupts back with proof of delivery.',
    )
    .version(deps.version, '--version', 'print the version')
    .helpOption('--help', 'print help')
    .helpCommand(false)
    .option('--config <file>', 'configuration file (else $AFK_BRIDGE_CONFIG and the usual places)')
    .configureHelp({ helpWidth: 100, showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      writeErr: (text) => terminal.say(text.trimEnd()),
      outputError: (text, write) => write(text),
    })
    .showHelpAfterError('What there is: afk-bridge --help')
    .exitOverride();
  const globals = (): GlobalOptions => program.opts<GlobalOptions>();

  program
    .command('init')
    .description(
      'Ask which platforms, tokens, channels and people there are, check each of them, and write the configuration.',
    )
    .option('--yes', 'ask nothing: take what the other options and the environment say')
    .option('--replace', 'write another configuration where one is; the old one is kept beside it')
    .option('--slack-channel <id...>', 'channels in Slack')
    .option('--slack-bot-token-file <file>', 'file with the bot token (else $SLACK_BOT_TOKEN)')
    .option(
      '--slack-app-token-file <file>',
      'file with the app-level token (else $SLACK_APP_TOKEN)',
    )
    .option('--slack-api-url <url>', 'root of Slack’s API, where it is not Slack’s own')
    .option('--discord-channel <id...>', 'text channels or forums in Discord')
    .option('--discord-bot-token-file <file>', 'file with the bot token (else $DISCORD_BOT_TOKEN)')
    .option('--discord-api-url <url>', 'root of Discord’s API, where it is not Discord’s own')
    .option('--shows <glob>', 'directories whose runs these channels show (else all runs)')
    .option('--owner <entry...>', 'people who may do everything: platform:[team/]kind:id')
    .option('--driver <entry...>', 'people who may reply, answer and interrupt')
    .option('--slack-manifest', 'only print the manifest of the Slack app')
    .option('--discord-invite <application>', 'only print the link that invites the bot')
    .action((options: Omit<InitOptions, 'config'>) => init({ ...globals(), ...options }, deps));

  program
    .command('doctor')
    .description(
      'Check each link from the agents to the page, and say what to do about what is broken.',
    )
    .option(
      '--verify',
      'also play the contract on your own Claude Code, with a private home and a scripted API on loopback, and record its version as verified on this host (about a minute)',
    )
    .option(...JSON_FLAG)
    .action((options: Omit<DoctorOptions, 'config'>) => doctor({ ...globals(), ...options }, deps));

  program
    .command('start')
    .description('Run the bridge until it is stopped (Ctrl-C or SIGTERM).')
    .option(
      '--log-file <file>',
      'where the log goes (else: a terminal → the state directory, otherwise stderr)',
    )
    .action((options: Omit<StartOptions, 'config'>) => start({ ...globals(), ...options }, deps));

  program
    .command('run')
    .description(
      'Start Claude Code in tmux, in a window beside this one or a session of its own: afk-bridge run -- claude [arguments]',
    )
    .argument('<command...>', 'claude and its own arguments, after --')
    .passThroughOptions(false)
    .action((argv: readonly string[]) => run(argv, globals(), deps));

  program
    .command('ls')
    .description('List the runs there are now, and the address of the page with its token.')
    .option(...JSON_FLAG)
    .action((options: Omit<LsOptions, 'config'>) => ls({ ...globals(), ...options }, deps));

  program
    .command('status')
    .description('Show how the bridge is, or how one run is.')
    .argument(
      '[run]',
      'id or its beginning, pane (%12), process id, session id, name or tmux session',
    )
    .option('--screen', 'print what the screen reader sees, and why a reply would or would not go')
    .option(...JSON_FLAG)
    .action((name: string | undefined, options: Omit<StatusOptions, 'config'>) =>
      status(name, { ...globals(), ...options }, deps),
    );

  program
    .command('deliveries')
    .description('Show who did what to a run, or to all, and what came of it.')
    .argument('[run]', 'id or its beginning, pane (%12), process id, session id or name')
    .option(...JSON_FLAG)
    .action((name: string | undefined, options: Omit<DeliveriesOptions, 'config'>) =>
      deliveries(name, { ...globals(), ...options }, deps),
    );

  program
    .command('replay')
    .description('Print what a transcript would post to a thread of its own, without posting it.')
    .argument('<file>', 'a transcript (JSONL)')
    .addOption(
      new Option('--verbosity <level>', 'what is selected')
        .choices(['quiet', 'normal', 'full'])
        .default('normal'),
    )
    .option(...JSON_FLAG)
    .action((file: string, options: Omit<ReplayOptions, 'config'>) =>
      replay(file, { ...globals(), ...options }, deps),
    );

  const hooks = program
    .command('hooks')
    .description('The hook by which every dialog can be answered from a thread.');
  hooks
    .command('install')
    .description("Add it to Claude Code's settings of this user; nothing else there changes.")
    .action(() => hooksInstall(globals(), deps));
  hooks
    .command('uninstall')
    .description("Take it out of Claude Code's settings again.")
    .action(() => hooksUninstall(globals(), deps));
  hooks
    .command('status')
    .description('Say whether it is installed, names this program, and finds the bridge.')
    .option(...JSON_FLAG)
    .action((options: { json?: boolean }) => hooksStatus({ ...globals(), ...options }, deps));

  program
    .command('hook')
    .description('What Claude Code starts for a dialog; not for people.')
    .option('--socket <path>', 'where the bridge listens')
    .action(({ socket }: { socket?: string }) =>
      runHook(socket === undefined ? [] : ['--socket', socket]),
    );

  program
    .command('demo')
    .description(
      'Show three scripted agents on the page: no account, no configuration, no network.',
    )
    .action(() => demo(deps));

  return program;
};

/** Runs the command line; the result is the exit code. Every expected fault ends in one sentence, not in a stack. */
export const runProgram = async (argv: readonly string[], deps: CliDeps): Promise<number> => {
  try {
    await createProgram(deps).parseAsync(argv, { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    if (error instanceof ConfigError) {
      deps.terminal.say(error.message);
      return EXIT.usage;
    }
    if (error instanceof CliError) {
      deps.terminal.say(`afk-bridge: ${error.message}`);
      return error.exitCode;
    }
    if (error instanceof BridgeError) {
      deps.terminal.say(`afk-bridge: ${error.userMessage ?? error.message}`);
      return EXIT.failed;
    }
    deps.terminal.say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return EXIT.failed;
  }
};
