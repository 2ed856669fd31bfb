import { isAbsolute, join, normalize } from 'node:path';
import type { ChannelConfig, Config, TmuxSocket } from './config.ts';
import { parseAccess } from './config-access.ts';
import type { ConfigDocument, Problem } from './config-document.ts';
import type { FileConfig } from './config-schema.ts';
import { type ChannelId, id, type PlatformId } from './model/ids.ts';
import type { RunMatch } from './model/thread.ts';

/** What the meaning of a file depends on besides its text. */
export interface Surroundings {
  readonly home: string;
  /** Directory that relative paths start from: the file's own. */
  readonly base: string;
  /** The content of a secret file without the line end; throws with a sentence when it cannot be read. */
  readonly readSecret: (path: string) => string;
}

const expandHome = (path: string, home: string): string =>
  path === '~' ? home : path.startsWith('~/') ? join(home, path.slice(2)) : path;

const absolute = (path: string, from: Surroundings): string => {
  const expanded = expandHome(path, from.home);
  return normalize(isAbsolute(expanded) ? expanded : join(from.base, expanded));
};

const inHome = <T extends RunMatch>(match: T, home: string): T =>
  match.cwd === undefined ? match : { ...match, cwd: expandHome(match.cwd, home) };

type RawChannel = NonNullable<FileConfig['slack']>['channels'][number];

const channelsOf = (
  platform: 'slack' | 'discord',
  raw: readonly RawChannel[],
  home: string,
): readonly ChannelConfig[] =>
  raw.map(({ id: channel, verbosity, overview, ...match }) => ({
    id: id<ChannelId>(`${platform}:${channel}`),
    platform: id<PlatformId>(platform),
    match: inHome(match, home),
    verbosity,
    overview,
  }));

const socketOf = (text: string, from: Surroundings): TmuxSocket =>
  text.includes('/') ? { path: absolute(text, from) } : { name: text };

const withSlash = (url: string): string => url.replace(/\/*$/, '/');
const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

/** Fills the meaning in: paths, secret files, access entries. Problems carry the place in the file. */
export const resolveConfig = (
  file: FileConfig,
  document: ConfigDocument,
  from: Surroundings,
): { readonly config: Config; readonly problems: readonly Problem[] } => {
  const problems: Problem[] = [];
  const secret = (
    section: 'slack' | 'discord',
    key: 'botToken' | 'appToken',
    raw: { readonly value: string | undefined; readonly file: string | undefined },
  ): string => {
    const say = (at: string, message: string): string => {
      problems.push({ ...document.placeOf([section, at]), message: `${section}.${message}` });
      return '';
    };
    if (raw.value !== undefined && raw.file !== undefined) {
      return say(`${key}File`, `${key}File: ${key} is given too; keep one of them`);
    }
    if (raw.value !== undefined) return raw.value;
    if (raw.file === undefined) return say('', `${key}: is missing; ${key}File would do as well`);
    try {
      const value = from.readSecret(absolute(raw.file, from)).trim();
      return value === '' ? say(`${key}File`, `${key}File: the file is empty`) : value;
    } catch (error) {
      return say(
        `${key}File`,
        `${key}File: ${error instanceof Error ? error.message : 'unreadable'}`,
      );
    }
  };
  const { slack, discord, web } = file;
  const config: Config = {
    ...file,
    stateDir: absolute(file.stateDir, from),
    claudeCode: { ...file.claudeCode, configDir: absolute(file.claudeCode.configDir, from) },
    tmux: {
      sockets:
        file.tmux.sockets === 'auto'
          ? 'auto'
          : file.tmux.sockets.map((socket) => socketOf(socket, from)),
    },
    runs: { ...file.runs, rules: file.runs.rules?.map((rule) => inHome(rule, from.home)) },
    web: { ...web, baseUrl: web.baseUrl === undefined ? undefined : withoutSlash(web.baseUrl) },
    slack:
      slack === undefined
        ? undefined
        : {
            botToken: secret('slack', 'botToken', {
              value: slack.botToken,
              file: slack.botTokenFile,
            }),
            appToken: secret('slack', 'appToken', {
              value: slack.appToken,
              file: slack.appTokenFile,
            }),
            apiUrl: withSlash(slack.apiUrl),
            channels: channelsOf('slack', slack.channels, from.home),
          },
    discord:
      discord === undefined
        ? undefined
        : {
            botToken: secret('discord', 'botToken', {
              value: discord.botToken,
              file: discord.botTokenFile,
            }),
            apiUrl: withoutSlash(discord.apiUrl),
            channels: channelsOf('discord', discord.channels, from.home),
          },
    access: {
      owners: file.access.owners.flatMap((entry) => parseAccess(entry) ?? []),
      drivers: file.access.drivers.flatMap((entry) => parseAccess(entry) ?? []),
    },
  };
  return { config, problems };
};
