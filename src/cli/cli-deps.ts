import type { Config } from '../bridge/config.ts';
import type { LoadedConfig } from '../bridge/config-load.ts';
import type { LockDeps } from '../bridge/instance-lock.ts';
import type { RootLog } from '../bridge/log.ts';
import type { AgentProvider } from '../bridge/ports/agent-provider.ts';
import type { Clock } from '../bridge/ports/clock.ts';
import type { RunReader } from '../bridge/ports/run-reader.ts';
import type { StateDir } from '../bridge/state-dir.ts';
import type { Asker } from './asker.ts';
import type { PlayContract } from './compose-contract.ts';
import type { Machine } from './machine.ts';
import type { PlatformChecks } from './platform-links.ts';

/** A bridge as `start` sees it. */
export interface BridgeProcess {
  /** Resolves when the page listens. The token is for the operator's eyes only. */
  start(): Promise<{ readonly url: string; readonly token: string }>;
  /** Ends within 5 s. */
  stop(): Promise<void>;
  readonly reader: RunReader;
}

/** Where a command writes. */
export interface Terminal {
  /** The result, on stdout. */
  print(line: string): void;
  /** Everything else, on stderr. */
  say(line: string): void;
  /** Stdout is a terminal: a person looks. */
  readonly isTty: boolean;
}

/** All that commands touch, so that tests can give them something else. */
export interface CliDeps {
  readonly version: string;
  readonly home: string;
  readonly cwd: string;
  readonly terminal: Terminal;
  readonly clock: Clock;
  readonly lock: LockDeps;
  readonly load: (asked: string | undefined) => LoadedConfig;
  readonly makeProvider: (config: Config, stateDir: StateDir) => AgentProvider;
  readonly makeBridge: (config: Config, stateDir: StateDir, log: RootLog) => BridgeProcess;
  /** For `doctor`. */
  readonly machine: Machine;
  readonly playContract: PlayContract;
  /** For `doctor` and `init`. */
  readonly platforms: PlatformChecks;
  /** For `init`: puts questions to the person at the terminal. */
  readonly asker: Asker;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where a program is, by PATH as a shell would look, or by its path; undefined where there is none. */
  readonly findProgram: (name: string) => string | undefined;
  /** Calls back at each SIGINT, SIGTERM and SIGHUP; the result ends that. */
  readonly onSignal: (listener: () => void) => () => void;
  /** How this program is started again: node, its arguments, the script. */
  readonly program: readonly string[];
  /** Where the hooks of a state directory meet its bridge. */
  readonly hookSocket: (stateDir: string) => string;
  /** Ends the process at once; only for a second signal. */
  readonly exit: (code: number) => void;
}

/** What `afk-bridge` itself takes, before the command. */
export interface GlobalOptions {
  readonly config?: string;
}
