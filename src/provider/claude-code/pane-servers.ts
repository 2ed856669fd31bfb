import type { OwnSocket } from '../tmux/sockets.ts';
import type { ServerPanes } from '../tmux/tmux.ts';

export interface PaneServersDeps {
  readonly tmux: { listPanes(socket: string): Promise<ServerPanes | undefined> };
  /** This user's sockets: those that are found, and `known` ones. */
  readonly findSockets: (known: readonly string[]) => Promise<readonly OwnSocket[]>;
  readonly onProblem: (what: string, error: unknown) => void;
}

export interface ServersSeen {
  readonly servers: readonly ServerPanes[];
  /** Sockets whose server lives and did not answer this time. */
  readonly silent: ReadonlySet<string>;
}

/** All panes of all servers of this user, one tmux call per server. */
export class PaneServers {
  readonly #deps: PaneServersDeps;
  /** Sockets that nobody listens on, with their stamp: a new server makes a new socket. */
  readonly #deserted = new Map<string, string>();

  constructor(deps: PaneServersDeps) {
    this.#deps = deps;
  }

  async list(known: readonly string[]): Promise<ServersSeen> {
    const sockets = await this.#deps.findSockets(known);
    const silent = new Set<string>();
    const asked = sockets.filter((socket) => this.#deserted.get(socket.path) !== socket.stamp);
    const servers = await Promise.all(
      asked.map(async (socket) => {
        try {
          const panes = await this.#deps.tmux.listPanes(socket.path);
          if (panes === undefined) this.#deserted.set(socket.path, socket.stamp);
          else this.#deserted.delete(socket.path);
          return panes;
        } catch (error) {
          silent.add(socket.path);
          this.#deps.onProblem(`tmux server ${socket.path} did not answer`, error);
          return undefined;
        }
      }),
    );
    return { servers: servers.flatMap((panes) => panes ?? []), silent };
  }
}
