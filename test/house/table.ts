/** One row of the import table of docs/ARCHITECTURE.md. Paths are folders of files, with what is below them. */
export interface FolderRule {
  readonly folder: string;
  /** Only the files right in the folder: those below have rows of their own. */
  readonly isFlat?: true;
  /** Folders of ours, besides its own. */
  readonly may: readonly string[];
  /** Packages, besides Node's own modules. */
  readonly packages: readonly string[];
}

const CONTRACTS = ['src/bridge/model', 'src/bridge/ports'] as const;
const ALL = ['src'] as const;

/** The most specific folder decides. `zod` may stand wherever outside data is parsed. */
export const FOLDERS: readonly FolderRule[] = [
  { folder: 'src/bridge/model', may: [], packages: ['zod'] },
  { folder: 'src/bridge/ports', may: ['src/bridge/model'], packages: [] },
  {
    folder: 'src/bridge/text',
    may: ['src/bridge/model'],
    packages: ['mdast', 'mdast-util-from-markdown', 'mdast-util-gfm', 'micromark-extension-gfm'],
  },
  { folder: 'src/bridge/host', may: [...CONTRACTS, 'src/bridge/text'], packages: ['zod'] },
  { folder: 'src/bridge/chat', may: [...CONTRACTS, 'src/bridge/text'], packages: ['zod'] },
  { folder: 'src/bridge/store', may: CONTRACTS, packages: ['better-sqlite3', 'zod'] },
  { folder: 'src/bridge/link', may: CONTRACTS, packages: ['zod'] },
  {
    folder: 'src/bridge',
    isFlat: true,
    may: [
      ...CONTRACTS,
      'src/bridge/text',
      'src/bridge/host',
      'src/bridge/chat',
      'src/bridge/store',
      'src/bridge/link',
    ],
    packages: ['pino', 'prom-client', 'yaml', 'zod'],
  },
  {
    folder: 'src/adapters/slack',
    may: [...CONTRACTS, 'src/bridge/text'],
    packages: ['@slack/bolt', 'mdast', 'zod'],
  },
  {
    folder: 'src/adapters/discord',
    may: [...CONTRACTS, 'src/bridge/text'],
    packages: ['discord.js', 'zod'],
  },
  {
    folder: 'src/adapters/web',
    may: [...CONTRACTS, 'src/bridge/text'],
    packages: ['hono', '@hono/node-server', 'zod'],
  },
  {
    folder: 'src/provider/claude-code',
    may: [...CONTRACTS, 'src/bridge/text', 'src/provider/tmux'],
    packages: ['chokidar', 'zod'],
  },
  { folder: 'src/provider/tmux', may: ['src/bridge/model'], packages: ['execa', 'zod'] },
  {
    folder: 'src/verify',
    may: [...CONTRACTS, 'src/provider'],
    packages: ['hono', '@hono/node-server', 'zod'],
  },
  {
    folder: 'src/demo',
    // The scripted TUI and the scripted API understand the same commands.
    may: [...CONTRACTS, 'src/provider', 'src/verify'],
    packages: ['hono', '@hono/node-server', 'zod'],
  },
  { folder: 'src/cli', may: ALL, packages: ['commander', '@clack/prompts', 'zod'] },
  { folder: 'src', isFlat: true, may: ALL, packages: [] },
];

/** Where a row of its own does not say more: these may be imported as types from every folder but pure ones. */
export const TYPES_FOR_ALL: readonly string[] = ['src/bridge/log.ts', 'src/bridge/metrics.ts'];

/** Nobody imports these, but the entry and they themselves. */
export const ENTRIES: readonly string[] = ['src/cli', 'src/main.ts'];

/** Packages that stand in one place only. */
export const HOMES: Readonly<Record<string, readonly string[]>> = {
  'discord.js': ['src/adapters/discord'],
  '@slack/bolt': ['src/adapters/slack'],
  '@slack/web-api': ['src/adapters/slack'],
  '@slack/socket-mode': ['src/adapters/slack'],
  execa: ['src/provider/tmux'],
  'better-sqlite3': ['src/bridge/store'],
  'node:child_process': [
    'src/cli',
    'src/verify',
    'src/demo',
    'src/provider/claude-code/processes-ps.ts',
  ],
};

/** Files that decide and touch nothing: no timers, clock, randomness, file, process or network. */
export const PURE: readonly RegExp[] = [
  /^src\/bridge\/(model|ports|text)\//,
  /^src\/bridge\/config(-(schema|access|document|keys|suggest|parse))?\.ts$/,
  /^src\/bridge\/host\/readiness[\w-]*\.ts$/,
  /^src\/bridge\/chat\/[\w-]+\.lane\.ts$/,
  /^src\/bridge\/chat\/(plan|present|threads|ledger-view|outbox-order|outbox-data|redact-message|redact-item|commands|decide|policy|notice|backoff)[\w-]*\.ts$/,
  /^src\/provider\/claude-code\/(schema|parse|fold|evidence|state|cursor|screen|recipes)[\w-]*\.ts$/,
  /^src\/provider\/tmux\/keys\.ts$/,
  /^src\/verify\/contract(-(steps|replies|dialogs|turns))?\.ts$/,
  /^src\/adapters\/[\w-]+\/(inbound|encode|limits|classify)[\w-]*\.ts$/,
];

/** What a pure file may take from Node: computations on their arguments. */
export const PURE_OF_NODE: Readonly<Record<string, readonly string[]>> = {
  'node:buffer': ['isAscii', 'isUtf8'],
  'node:crypto': ['createHash'],
};
