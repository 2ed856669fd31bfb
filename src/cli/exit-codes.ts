/** What a command ends with; documented in docs/cli.md. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  held: 3,
  notFound: 4,
  notPossible: 5,
  hurried: 130,
} as const;

export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: 'done',
  failed: 'failed; the message says why (`doctor`: a link is broken, or a scenario)',
  usage: 'wrong arguments, or a configuration that cannot be used',
  held: 'another afk-bridge holds the state directory',
  notFound: 'no such run, or more than one fits; no such file',
  notPossible: 'asks for something that this version, provider or machine does not have',
  hurried:
    '`start`: a second signal cut the shutdown short; `doctor --verify`: stopped by a signal, nothing recorded',
};

/** Ends a command with a sentence for the person and a code for the script. */
export class CliError extends Error {
  readonly exitCode: number;

  constructor(code: keyof typeof EXIT, message: string) {
    super(message);
    this.name = 'CliError';
    this.exitCode = EXIT[code];
  }
}
