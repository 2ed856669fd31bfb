/** Where a token comes from: an environment variable, or a file beside the configuration. */
export type TokenSource = { readonly env: string } | { readonly file: string };

/** A platform as `init` writes it. */
export interface PlatformPlan {
  readonly tokens: Readonly<Record<'botToken' | 'appToken', TokenSource | undefined>>;
  /** Only where it is not the platform's own. */
  readonly apiUrl: string | undefined;
  /** The platform's own ids. */
  readonly channels: readonly string[];
}

export interface InitPlan {
  readonly slack: PlatformPlan | undefined;
  readonly discord: PlatformPlan | undefined;
  /** Glob over the working directories whose runs the channels show; undefined: every run. */
  readonly shows: string | undefined;
  /** `platform:[team/]kind:id`. */
  readonly owners: readonly string[];
  readonly drivers: readonly string[];
}

/** JSON's strings are YAML's as well. */
const quoted = (text: string): string => JSON.stringify(text);

const tokenLines = (tokens: PlatformPlan['tokens']): readonly string[] =>
  (['botToken', 'appToken'] as const).flatMap((key) => {
    const source = tokens[key];
    if (source === undefined) return [];
    return 'env' in source
      ? [`  ${key}: \${${source.env}}`]
      : [`  ${key}File: ${quoted(source.file)}`];
  });

const platformLines = (
  name: 'slack' | 'discord',
  plan: PlatformPlan | undefined,
  shows: string | undefined,
): readonly string[] => {
  if (plan === undefined) return [];
  const selector = shows === undefined ? 'all: true' : `cwd: ${quoted(shows)}`;
  return [
    '',
    `${name}:`,
    ...tokenLines(plan.tokens),
    ...(plan.apiUrl === undefined ? [] : [`  apiUrl: ${quoted(plan.apiUrl)}`]),
    '  channels: # which runs each of them shows: all, or a glob as cwd, tmuxSession, name',
    ...plan.channels.map((id) => `    - { id: ${quoted(id)}, ${selector} }`),
  ];
};

const listLines = (key: string, what: string, entries: readonly string[]): readonly string[] => [
  `  ${key}: [${entries.map(quoted).join(', ')}] # ${what}`,
];

/** The configuration file. It holds no token. */
export const initFile = ({ slack, discord, shows, owners, drivers }: InitPlan): string =>
  [
    '# Written by afk-bridge init. All that can be set: docs/configuration.md. Check it: afk-bridge doctor.',
    '# Tokens stand in files of their own or in the environment, not here.',
    ...platformLines('slack', slack, shows),
    ...platformLines('discord', discord, shows),
    ...(slack === undefined && discord === undefined
      ? [
          '',
          '# No chat platform: every run of this user is shown on the web page.',
          'web:',
          '  port: 4317',
        ]
      : [
          '',
          'access: # who may act on runs: platform:[team/]kind:id; everyone else only reads',
          ...listLines('owners', 'grant, ignore, verbosity, and all that drivers do', owners),
          ...listLines('drivers', 'reply, answer, interrupt', drivers),
        ]),
    '',
  ].join('\n');
