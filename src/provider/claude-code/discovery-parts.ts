import type { HostId } from '../../bridge/model/ids.ts';
import type { Clock } from '../../bridge/ports/clock.ts';
import { findSockets, type SocketName } from '../tmux/sockets.ts';
import type { Tmux } from '../tmux/tmux.ts';
import { Agents } from './agents.ts';
import { rememberedBranchOf } from './branch.ts';
import { Discovery } from './discover.ts';
import { PaneServers } from './pane-servers.ts';
import type { Processes } from './processes.ts';
import { LinuxProcesses } from './processes-linux.ts';
import { PsProcesses } from './processes-ps.ts';
import { Registry } from './registry.ts';

export interface DiscoveryPartsDeps {
  readonly clock: Clock;
  readonly host: HostId;
  readonly tmux: Tmux;
  /** The agent's default configuration directory. */
  readonly configDir: string;
  readonly sockets: 'auto' | readonly SocketName[];
  /** Also agents outside tmux (R8). */
  readonly includesOutside: boolean;
  readonly uid: number;
  readonly platform: NodeJS.Platform;
  /** `$TMUX_TMPDIR`. */
  readonly tmuxTmpdir?: string | undefined;
  readonly onProblem: (what: string, error: unknown) => void;
}

export interface DiscoveryParts {
  readonly registry: Registry;
  readonly processes: Processes;
  readonly discovery: Discovery;
}

/** Builds what finds runs and looks at their processes, for this machine. */
export const discoveryParts = (deps: DiscoveryPartsDeps): DiscoveryParts => {
  const { clock, tmux, onProblem } = deps;
  const registry = new Registry({ clock });
  const processes = deps.platform === 'linux' ? new LinuxProcesses() : new PsProcesses({ clock });
  const sockets = { uid: deps.uid, tmuxTmpdir: deps.tmuxTmpdir, configured: deps.sockets };
  const discovery = new Discovery({
    host: deps.host,
    agents: new Agents({ registry, processes, onProblem }),
    servers: new PaneServers({
      tmux,
      findSockets: (known) => findSockets(sockets, known),
      onProblem,
    }),
    processes,
    configDirs: [deps.configDir],
    includesOutside: deps.includesOutside,
    branchOf: rememberedBranchOf(clock),
  });
  return { registry, processes, discovery };
};
