import {
  ancestry,
  askingOnce,
  configDirOf,
  isAgentCommand,
  isAlive,
  mayBeAgent,
  type ProcessEnvironment,
  type Processes,
  type ProcessStat,
} from './processes.ts';
import type { Registry } from './registry.ts';
import type { RegistryEntry } from './registry-entry.ts';

/** A live agent process, wherever it runs. */
export interface Agent {
  readonly configDir: string;
  /** Absent on a start-up screen: only its key file is there. */
  readonly entry?: RegistryEntry;
  readonly stat: ProcessStat;
  /** Itself and its ancestors, nearest first. */
  readonly chain: readonly ProcessStat[];
  readonly environment: ProcessEnvironment;
}

export interface AgentsDeps {
  readonly registry: Registry;
  readonly processes: Processes;
  readonly onProblem: (what: string, error: unknown) => void;
}

export interface AgentsSeen {
  readonly agents: readonly Agent[];
  /** Processes whose registry file could not be read this time. */
  readonly unreadable: ReadonlySet<number>;
}

/** All processes are looked at in every so many scans; only new ones in between. */
const FULL_SCAN_EVERY = 5;

/** Finds live agents by the registry's files, and registries by live agents. */
export class Agents {
  readonly #deps: AgentsDeps;
  /** A process's environment at its start never changes: kept per process life. */
  #environments = new Map<string, ProcessEnvironment>();
  #scanned = new Set<number>();
  #scans = 0;

  constructor(deps: AgentsDeps) {
    this.#deps = deps;
  }

  async inDirectories(configDirs: readonly string[]): Promise<AgentsSeen> {
    const now = askingOnce(this.#deps.processes);
    const seen = await Promise.all(configDirs.map((dir) => this.#inDirectory(dir, now)));
    const agents = new Map(
      seen.flatMap((one) => one.agents).map((agent) => [agent.stat.pid, agent]),
    );
    this.#environments = new Map(
      [...agents.values()].map((agent) => [lifeOf(agent.stat), agent.environment]),
    );
    return {
      agents: [...agents.values()],
      unreadable: new Set(seen.flatMap((one) => [...one.unreadable])),
    };
  }

  /**
   * Configuration directories of agents that run now, by their own environment: for agents that
   * keep theirs in an unusual place.
   */
  async scan(): Promise<readonly string[]> {
    const pids = await this.#deps.processes.pids();
    const isFull = this.#scans % FULL_SCAN_EVERY === 0;
    this.#scans += 1;
    const fresh = isFull ? pids : pids.filter((pid) => !this.#scanned.has(pid));
    this.#scanned = new Set(pids);
    const found = await Promise.all(fresh.map((pid) => this.#configDirOf(pid)));
    return [...new Set(found.flatMap((dir) => dir ?? []))];
  }

  async #configDirOf(pid: number): Promise<string | undefined> {
    const { processes } = this.#deps;
    const stat = await processes.stat(pid);
    if (!isAlive(stat) || stat.tty === '' || !mayBeAgent(stat)) return undefined;
    if (!isAgentCommand(await processes.argv(pid))) return undefined;
    return configDirOf(await this.#environmentOf(stat));
  }

  async #inDirectory(configDir: string, now: Now): Promise<AgentsSeen> {
    const listing = await this.#deps.registry.list(configDir).catch((error: unknown) => {
      this.#deps.onProblem(`registry in ${configDir} cannot be read`, error);
      return { entries: [], unreadable: [], keyPids: [] };
    });
    const named = new Set([...listing.entries.map((entry) => entry.pid), ...listing.unreadable]);
    const agents = await Promise.all([
      ...listing.entries.map((entry) => this.#ofEntry(configDir, entry, now)),
      ...listing.keyPids
        .filter((pid) => !named.has(pid))
        .map((pid) => this.#ofKey(configDir, pid, now)),
    ]);
    return {
      agents: agents.flatMap((agent) => agent ?? []),
      unreadable: new Set(listing.unreadable),
    };
  }

  /** A file that was left behind, or names a process number that was given away since, is no agent. */
  async #ofEntry(configDir: string, entry: RegistryEntry, now: Now): Promise<Agent | undefined> {
    const stat = await now.stat(entry.pid);
    if (entry.kind === 'bg' || !isAlive(stat)) return undefined;
    if (!this.#deps.processes.isSame(stat, entry)) return undefined;
    return { ...(await this.#agent(configDir, stat, now)), entry };
  }

  /** A key file says nothing but a process number: the program must be the agent's. */
  async #ofKey(configDir: string, pid: number, now: Now): Promise<Agent | undefined> {
    const stat = await now.stat(pid);
    if (!isAlive(stat) || stat.tty === '') return undefined;
    if (!isAgentCommand(await this.#deps.processes.argv(pid))) return undefined;
    return this.#agent(configDir, stat, now);
  }

  async #agent(configDir: string, stat: ProcessStat, now: Now): Promise<Agent> {
    const [chain, environment] = await Promise.all([
      ancestry(now, stat),
      this.#environmentOf(stat),
    ]);
    return { configDir, stat, chain, environment };
  }

  async #environmentOf(stat: ProcessStat): Promise<ProcessEnvironment> {
    const known = this.#environments.get(lifeOf(stat));
    if (known !== undefined) return known;
    const environment = await this.#deps.processes.environment(stat.pid);
    this.#environments.set(lifeOf(stat), environment);
    return environment;
  }
}

type Now = Pick<Processes, 'stat'>;

const lifeOf = (stat: ProcessStat): string => `${stat.pid}:${stat.start}`;
