import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type Config, secretsOf } from './config.ts';
import type { Problem } from './config-document.ts';
import { parseConfig } from './config-parse.ts';
import { resolveConfig } from './config-resolve.ts';

/** The configuration cannot be used; the message lists every problem as `file:line:col: what`. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}

export interface LoadDeps {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
}

export interface LoadedConfig {
  readonly config: Config;
  /** The file that was read; absent: there is none, everything is default. */
  readonly file: string | undefined;
  /** Sentences for the operator; nothing that stops. */
  readonly warnings: readonly string[];
}

/** Of this process. */
export const processDeps = (): LoadDeps => ({
  env: process.env,
  cwd: process.cwd(),
  home: homedir(),
});

const readText = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new ConfigError(`${path}: cannot be read (${code ?? String(error)})`);
  }
};

/** The file that was asked for must be there; those looked up by default may be missing. */
const find = (
  asked: string | undefined,
  deps: LoadDeps,
): { readonly path: string; readonly text: string } | undefined => {
  const named = asked ?? deps.env.AFK_BRIDGE_CONFIG;
  if (named !== undefined && named !== '') {
    const path = resolve(deps.cwd, named);
    const text = readText(path);
    if (text !== undefined) return { path, text };
    const by = asked === undefined ? '$AFK_BRIDGE_CONFIG' : '--config';
    throw new ConfigError(`${path}: no such file (named by ${by})`);
  }
  for (const path of [
    join(deps.cwd, 'afk-bridge.yaml'),
    join(deps.home, '.config', 'afk-bridge', 'config.yaml'),
  ]) {
    const text = readText(path);
    if (text !== undefined) return { path, text };
  }
  return undefined;
};

const readSecret = (path: string): string => {
  const text = readText(path);
  if (text === undefined) throw new ConfigError(`${path}: no such file`);
  return text;
};

const listed = (path: string, problems: readonly Problem[]): ConfigError =>
  new ConfigError(problems.map((p) => `${path}:${p.line}:${p.col}: ${p.message}`).join('\n'));

const warningsOf = (config: Config, path: string, text: string): readonly string[] => {
  const silent = [...(config.slack?.channels ?? []), ...(config.discord?.channels ?? [])]
    .filter(
      ({ match }) =>
        match.all !== true && (match.cwd ?? match.tmuxSession ?? match.name) === undefined,
    )
    .map((c) => `channel ${c.id} shows nothing: give it cwd, tmuxSession, name or all: true`);
  const isOpen = (statSync(path).mode & 0o077) !== 0;
  const holdsSecret = secretsOf(config).some((secret) => text.includes(secret));
  return isOpen && holdsSecret
    ? [...silent, `${path} holds a token and others can read it: chmod 600 ${path}`]
    : silent;
};

/**
 * Finds, reads and validates the configuration: --config, $AFK_BRIDGE_CONFIG, ./afk-bridge.yaml,
 * ~/.config/afk-bridge/config.yaml, else all defaults. Throws ConfigError.
 */
export const loadConfig = (asked: string | undefined, deps: LoadDeps): LoadedConfig => {
  const found = find(asked, deps);
  const parsed = parseConfig(found?.text ?? '', deps.env);
  if (!parsed.ok) throw listed(found?.path ?? '', parsed.problems);
  const { config, problems } = resolveConfig(parsed.file, parsed.document, {
    home: deps.home,
    base: found === undefined ? deps.cwd : dirname(found.path),
    readSecret,
  });
  if (problems.length > 0) throw listed(found?.path ?? '', problems);
  const warnings = found === undefined ? [] : warningsOf(config, found.path, found.text);
  return { config, file: found?.path, warnings };
};
