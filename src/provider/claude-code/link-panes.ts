import type { PaneIdentity } from '../../bridge/model/run-state.ts';
import type { PaneRow } from '../tmux/formats.ts';
import type { ServerPanes } from '../tmux/tmux.ts';
import type { Agent } from './agents.ts';
import { reachesTerminal } from './processes.ts';

export interface AgentPlace {
  readonly agent: Agent;
  readonly pane?: PaneIdentity;
  /** Names for the rules of the configuration. */
  readonly tmuxSession?: string;
}

/**
 * Where each agent lives: in the pane whose process is its nearest ancestor (or itself) and whose
 * terminal it shares. An agent that another agent started is that one's tool and no run. PURE.
 */
export const linkPanes = (
  agents: readonly Agent[],
  servers: readonly ServerPanes[],
): readonly AgentPlace[] => {
  const pids = new Set(agents.map((agent) => agent.stat.pid));
  const panes = new Map(
    servers.flatMap((server) =>
      server.panes
        .filter((row) => !row.isDead)
        .map((row) => [row.panePid, { server, row }] as const),
    ),
  );
  return agents.flatMap((agent) => {
    const at = agent.chain.findIndex((stat) => panes.has(stat.pid));
    const within = at < 0 ? agent.chain : agent.chain.slice(0, at + 1);
    if (within.slice(1).some((stat) => pids.has(stat.pid))) return [];
    const found = panes.get(agent.chain[at]?.pid ?? -1);
    if (found === undefined || reachesTerminal(within, found.row.tty) === 'elsewhere')
      return [{ agent }];
    return [{ agent, ...placeIn(found.server, found.row, agent) }];
  });
};

const placeIn = (server: ServerPanes, row: PaneRow, agent: Agent): Omit<AgentPlace, 'agent'> => {
  const own = /^(.*):@\d+\.%\d+$/.exec(agent.entry?.tmux ?? '')?.[1];
  const session = row.sessions.find((name) => name === own) ?? row.sessions[0];
  return {
    pane: {
      socket: server.socket,
      serverPid: server.serverPid,
      serverStart: server.serverStart,
      pane: row.pane,
    },
    ...(session !== undefined && { tmuxSession: session }),
  };
};
