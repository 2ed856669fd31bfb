import type { Channel, RunRule } from './model/thread.ts';

/** A tmux server to look at: `tmux -L name` or `tmux -S path`. */
export type TmuxSocket = { readonly name: string } | { readonly path: string };

/** One entry of `access`: `platform:[team/]kind:id`. */
export interface AccessEntry {
  readonly platform: 'slack' | 'discord';
  /** Slack team or Discord guild; absent: any that the bot serves. */
  readonly team?: string;
  readonly kind: 'user' | 'usergroup' | 'role';
  readonly id: string;
}

export interface ChannelConfig extends Channel {
  /** One message in the channel that shows the state of its runs. */
  readonly overview: boolean;
}

export interface SlackConfig {
  readonly botToken: string;
  readonly appToken: string;
  /** With a final slash. */
  readonly apiUrl: string;
  readonly channels: readonly ChannelConfig[];
}

export interface DiscordConfig {
  readonly botToken: string;
  /** Without a final slash. */
  readonly apiUrl: string;
  readonly channels: readonly ChannelConfig[];
}

/** What a person's YAML means: defaults filled in, paths absolute, variables and secret files read. */
export interface Config {
  readonly stateDir: string;
  readonly logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
  readonly retentionDays: number;
  readonly claudeCode: { readonly configDir: string; readonly command: string };
  readonly tmux: { readonly sockets: 'auto' | readonly TmuxSocket[] };
  readonly runs: {
    readonly outsideTmux: boolean;
    /** Absent: all runs are shown. */
    readonly rules?: readonly RunRule[] | undefined;
  };
  readonly web: {
    /** A loopback address, never another. */
    readonly host: string;
    /** 0: any free port. */
    readonly port: number;
    /** Without a final slash; only where a proxy serves the page elsewhere. */
    readonly baseUrl?: string | undefined;
  };
  readonly slack?: SlackConfig | undefined;
  readonly discord?: DiscordConfig | undefined;
  readonly access: {
    readonly owners: readonly AccessEntry[];
    readonly drivers: readonly AccessEntry[];
  };
  readonly interrupt: {
    readonly reactions: readonly string[];
    readonly confirmWithinSeconds: number;
  };
  readonly replies: {
    readonly holdForSeconds: number;
    readonly maxKilobytes: number;
    readonly commands: readonly string[];
    readonly attachments: { readonly dir: string; readonly maxMegabytes: number };
  };
  readonly redact: {
    /** Sources of regular expressions (flags `gu`), in addition to what is always masked. */
    readonly patterns: readonly string[];
  };
}

/** The bridge's own secrets in a configuration: masked in posts and logs. */
export const secretsOf = (config: Config): readonly string[] =>
  [config.slack?.botToken, config.slack?.appToken, config.discord?.botToken].filter(
    (secret) => secret !== undefined,
  );
