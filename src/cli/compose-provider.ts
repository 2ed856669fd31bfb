import type { Config } from '../bridge/config.ts';
import type { Cursor } from '../bridge/model/events.ts';
import type { RunId, SessionId } from '../bridge/model/ids.ts';
import type { FailPoint } from '../bridge/ports/fail-point.ts';
import type { StateDir } from '../bridge/state-dir.ts';
import { systemClock } from '../bridge/system-clock.ts';
import { discoveryParts } from '../provider/claude-code/discovery-parts.ts';
import type { HookServer } from '../provider/claude-code/hook-server.ts';
import { Locator } from '../provider/claude-code/locate.ts';
import { ClaudeCodeProvider } from '../provider/claude-code/provider.ts';
import type { FileWatcher } from '../provider/claude-code/watch.ts';
import { watchRegistry } from '../provider/claude-code/watch-registry.ts';
import { type SocketName, socketPathOf } from '../provider/tmux/sockets.ts';
import { Tmux } from '../provider/tmux/tmux.ts';
import type { OnProblem } from './trouble.ts';
import { readVerified } from './verified-versions.ts';

export interface ProviderOptions {
  /** Something could not be looked at this time; it will be again. */
  readonly onProblem: OnProblem;
  readonly cursorOfSession?: (session: SessionId, run: RunId) => Cursor | undefined;
  readonly lastCursorOf?: (run: RunId) => Cursor | undefined;
  /** Files are watched, not only polled: for a process that stays. */
  readonly hints?: FileWatcher;
  readonly failPoint?: FailPoint;
  /** Where hooks wait for answers: for a process that stays. */
  readonly hooks?: HookServer;
  /** Versions whose recipes count as verified besides the table; default: what `doctor --verify` recorded. */
  readonly verifiedVersions?: () => readonly string[];
}

export interface ComposedProvider {
  readonly provider: ClaudeCodeProvider;
  /** Calls back when runs may have changed, until the signal aborts. */
  watch(signal: AbortSignal, onHint: () => void): Promise<void>;
}

/** The first configured server, else tmux's own default. */
const named = (config: Config): SocketName =>
  (config.tmux.sockets === 'auto' ? undefined : config.tmux.sockets[0]) ?? { name: 'default' };

/** Inside tmux a window beside the present one; else a session of the server at `socket`. */
const launchAt = (
  env: Readonly<Record<string, string | undefined>>,
  socket: string,
): { socket: string; besides?: string } => {
  const own = env.TMUX?.split(',')[0];
  return own === undefined || own === '' || env.TMUX_PANE === undefined
    ? { socket }
    : { socket: own, besides: env.TMUX_PANE };
};

/** Claude Code and tmux as they are on this machine, by the configuration. */
export const makeProvider = (
  config: Config,
  stateDir: StateDir,
  options: ProviderOptions,
): ComposedProvider => {
  const clock = systemClock;
  const tmux = new Tmux();
  const { configDir } = config.claudeCode;
  const { onProblem, ...saved } = options;
  const uid = process.getuid?.() ?? 0;
  const { registry, processes, discovery } = discoveryParts({
    clock,
    tmux,
    host: stateDir.host,
    configDir,
    sockets: config.tmux.sockets,
    includesOutside: config.runs.outsideTmux,
    uid,
    platform: process.platform,
    tmuxTmpdir: process.env.TMUX_TMPDIR,
    onProblem,
  });
  const provider = new ClaudeCodeProvider({
    clock,
    tmux,
    registry,
    processes,
    configDir,
    uid,
    launchAt: launchAt(
      process.env,
      socketPathOf(named(config), { uid, tmuxTmpdir: process.env.TMUX_TMPDIR, configured: 'auto' }),
    ),
    locator: new Locator({ clock }),
    discover: (signal) => discovery.discover(signal),
    verifiedVersions: () => Object.keys(readVerified(stateDir.path)),
    ...saved,
  });
  return {
    provider,
    watch: (signal, onHint) =>
      watchRegistry({ clock, onProblem, configDirs: () => discovery.configDirs }, signal, onHint),
  };
};
