import { type ConfigKey, configKeys } from '../../src/bridge/config-keys.ts';

const row = ({ path, type, default: value, description }: ConfigKey): string =>
  `| \`${path}\` | ${type} | ${value === undefined ? '–' : `\`${value}\``} | ${description} |`;

/** docs/configuration.md. */
export const configurationPage =
  (): string => `<!-- Generated from src/bridge/config-schema.ts by \`npm run docs\`. -->
# Configuration

One YAML file. It is looked for in this order, and the first one found is read:

1. \`--config FILE\`
2. \`$AFK_BRIDGE_CONFIG\`
3. \`./afk-bridge.yaml\`
4. \`~/.config/afk-bridge/config.yaml\`

Without a file everything has its default: the web page shows all runs of this user. A whole example: [config-example.yaml](config-example.yaml).

- \`\${NAME}\` in a value takes an environment variable; one that is not set or empty is an error. A literal \`\${\` is written \`$\${\`.
- \`botTokenFile\` and \`appTokenFile\` read the secret from a file; a final line end is dropped.
- \`~\` means the home directory. Relative paths start at the configuration file's directory.
- Globs in \`cwd\`, \`tmuxSession\` and \`name\`: \`*\` within a path segment, \`**\` across segments, \`?\` one character; \`dir/**\` means \`dir\` itself as well.
- Anchors and aliases of YAML are not read. Ids may be written without quotes.
- An unknown key, a wrong value or a missing variable is an error, with file, line and column; all of them are reported at once. No value is ever quoted: it could be a secret.

\`runs.rules\` says which runs are shown at all: the first match wins, and with a list no match is private. A channel shows, of those, what its own \`cwd\`, \`tmuxSession\` or \`name\` matches, or everything with \`all: true\`.

| key | type | default | meaning |
|---|---|---|---|
${configKeys().map(row).join('\n')}
`;
