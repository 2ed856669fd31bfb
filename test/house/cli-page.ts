import type { Command } from 'commander';
import type { CliDeps } from '../../src/cli/cli-deps.ts';
import { EXIT, EXIT_MEANINGS } from '../../src/cli/exit-codes.ts';
import { createProgram } from '../../src/cli/program.ts';

const nothing = (): never => {
  throw new Error('the help needs nothing of the outside');
};

const deps: CliDeps = {
  version: '',
  home: '',
  cwd: '',
  terminal: { print: nothing, say: nothing, isTty: false },
  clock: { now: nothing, sleep: nothing },
  lock: { pid: 0, host: '', now: nothing, procStart: nothing, isAlive: nothing },
  load: nothing,
  makeProvider: nothing,
  makeBridge: nothing,
  machine: {
    nodeVersion: '',
    tmuxVersion: nothing,
    agentVersion: nothing,
    isDirectory: nothing,
    stateDirTrouble: nothing,
    isFree: nothing,
  },
  playContract: nothing,
  platforms: {
    slack: nothing,
    discord: nothing,
    slackManifest: nothing,
    discordInvite: nothing,
  },
  asker: { tell: nothing, text: nothing, secret: nothing, choose: nothing, confirm: nothing },
  env: {},
  findProgram: nothing,
  onSignal: nothing,
  program: [],
  hookSocket: nothing,
  exit: nothing,
};

const section = (command: Command): string =>
  `## ${command.name()}\n\n\`\`\`\n${command.helpInformation().trimEnd()}\n\`\`\`\n`;

/** docs/cli.md. */
export const cliPage = (): string => {
  const program = createProgram(deps);
  const codes = (Object.keys(EXIT) as (keyof typeof EXIT)[]).map(
    (name) => `| ${EXIT[name]} | ${EXIT_MEANINGS[name]} |`,
  );
  return `<!-- Generated from src/cli/program.ts by \`npm run docs\`. -->
# Commands

\`\`\`
${program.helpInformation().trimEnd()}
\`\`\`

${program.commands.map(section).join('\n')}
## Exit codes

| code | meaning |
|---|---|
${codes.join('\n')}

What is asked for goes to stdout, everything else to stderr. Control characters in what agents and people wrote are dropped before it is printed.
`;
};
