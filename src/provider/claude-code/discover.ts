import { type HostId, id, type RunId, type SessionId } from '../../bridge/model/ids.ts';
import type { RunHandle } from '../../bridge/model/run-state.ts';
import type { Agents, AgentsSeen } from './agents.ts';
import { type AgentPlace, linkPanes } from './link-panes.ts';
import type { PaneServers, ServersSeen } from './pane-servers.ts';
import { isAlive, type Processes, socketOf } from './processes.ts';

export interface DiscoveryDeps {
  readonly host: HostId;
  readonly agents: Agents;
  readonly servers: PaneServers;
  readonly processes: Processes;
  /** Configuration directories that are looked at in any case. */
  readonly configDirs: readonly string[];
  /** Also agents that live in no tmux pane (R8). */
  readonly includesOutside: boolean;
  readonly branchOf: (cwd: string) => Promise<string | undefined>;
}

/** Finds every run of this user (R1): registry and key files, the processes behind them, the panes around those. */
export class Discovery {
  readonly #deps: DiscoveryDeps;
  /** Directories that agents were seen to use; dropped when none of them is left. */
  #extraDirs: readonly string[] = [];
  #last: readonly RunHandle[] = [];

  constructor(deps: DiscoveryDeps) {
    this.#deps = deps;
  }

  /** Configuration directories that are worth watching now. */
  get configDirs(): readonly string[] {
    return [...new Set([...this.#deps.configDirs, ...this.#extraDirs])];
  }

  /**
   * All live runs now. A run whose process lives and whose file or tmux server could not be read
   * this time is given as it was last seen. Throws when the signal aborts.
   */
  async discover(signal: AbortSignal): Promise<readonly RunHandle[]> {
    signal.throwIfAborted();
    this.#extraDirs = [...new Set([...this.#extraDirs, ...(await this.#deps.agents.scan())])];
    const agents = await this.#deps.agents.inDirectories(this.configDirs);
    signal.throwIfAborted();
    this.#extraDirs = this.#extraDirs.filter((dir) =>
      agents.agents.some((agent) => agent.configDir === dir),
    );
    const sockets = agents.agents.flatMap((agent) => socketOf(agent.environment) ?? []);
    const servers = await this.#deps.servers.list([...new Set(sockets)]);
    signal.throwIfAborted();
    const places = linkPanes(agents.agents, servers.servers).filter(
      (place) => place.pane !== undefined || this.#isOutside(place, servers),
    );
    const found = await Promise.all(places.map((place) => this.#handle(place)));
    this.#last = [...found, ...(await this.#unseen(found, agents, servers))];
    return this.#last;
  }

  /** Outside tmux for certain: not merely in a server that is silent now. */
  #isOutside(place: AgentPlace, servers: ServersSeen): boolean {
    const socket = socketOf(place.agent.environment);
    const isInSilent = socket !== undefined && servers.silent.has(socket);
    return this.#deps.includesOutside && !isInSilent;
  }

  async #handle({ agent, pane, tmuxSession }: AgentPlace): Promise<RunHandle> {
    const { entry, stat } = agent;
    const cwd = entry?.cwd ?? (await this.#deps.processes.cwd(stat.pid)) ?? '';
    const branch = cwd === '' ? undefined : await this.#deps.branchOf(cwd);
    const link = deepLinkOf(entry?.bridgeSessionId);
    return {
      id: id<RunId>(`${this.#deps.host}-${stat.pid}-${stat.start}`),
      pid: stat.pid,
      procStart: stat.start,
      startedAt: stat.startedAt,
      cwd,
      configDir: agent.configDir,
      ...(pane && { pane }),
      ...(branch !== undefined && { branch }),
      ...(entry && { session: id<SessionId>(entry.sessionId) }),
      ...(tmuxSession !== undefined && { tmuxSession }),
      ...(entry?.name !== undefined && { name: entry.name }),
      ...(entry?.version && { version: entry.version }),
      ...(link !== undefined && { deepLink: link }),
    };
  }

  async #unseen(
    found: readonly RunHandle[],
    agents: AgentsSeen,
    servers: ServersSeen,
  ): Promise<readonly RunHandle[]> {
    const ids = new Set(found.map((run) => run.id));
    const missing = this.#last.filter(
      (run) =>
        !ids.has(run.id) &&
        (agents.unreadable.has(run.pid) ||
          (run.pane !== undefined && servers.silent.has(run.pane.socket))),
    );
    const stats = await Promise.all(missing.map((run) => this.#deps.processes.stat(run.pid)));
    return missing.filter((run, index) => {
      const stat = stats[index];
      return isAlive(stat) && stat.start === run.procStart;
    });
  }
}

/** The run's own page at claude.ai, where it has remote control (documented, not seen). */
const deepLinkOf = (bridgeSessionId: string | undefined): string | undefined =>
  bridgeSessionId !== undefined && /^[\w-]{1,200}$/.test(bridgeSessionId)
    ? `https://claude.ai/code/${bridgeSessionId}`
    : undefined;
