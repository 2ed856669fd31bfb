import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../../src/bridge/config.ts';
import { loadConfig } from '../../../src/bridge/config-load.ts';
import { ownProcess } from '../../../src/bridge/own-process.ts';
import type { AgentProvider } from '../../../src/bridge/ports/agent-provider.ts';
import type { Asker } from '../../../src/cli/asker.ts';
import type { BridgeProcess, CliDeps } from '../../../src/cli/cli-deps.ts';
import type { PlayContract } from '../../../src/cli/compose-contract.ts';
import { type Machine, thisMachine } from '../../../src/cli/machine.ts';
import type { PlatformChecks } from '../../../src/cli/platform-links.ts';
import { runProgram } from '../../../src/cli/program.ts';
import { FakeClock } from '../../fakes/fake-clock.ts';
import { fakeProvider } from '../../fakes/fake-provider.ts';
import { tempDir } from '../../fakes/temp-dir.ts';

const nobody = (): never => {
  throw new Error('this test has nobody who answers');
};
const noAsker: Asker = {
  tell: nobody,
  text: nobody,
  secret: nobody,
  choose: nobody,
  confirm: nobody,
};

export interface CliFixture {
  readonly dir: string;
  readonly out: string[];
  readonly err: string[];
  readonly exits: number[];
  readonly clock: FakeClock;
  /** Sends a signal to the command. */
  signal(): void;
  configure(yaml: string): void;
  run(...argv: string[]): Promise<number>;
}

/** The command line in a directory of its own, with pretended provider and bridge. */
export const cliFixture = (
  over: {
    readonly provider?: AgentProvider;
    readonly bridge?: BridgeProcess;
    readonly isTty?: boolean;
    readonly home?: string;
    /** A program that this machine does not have. */
    readonly missing?: string;
    /** What `doctor` finds; otherwise all is well. */
    readonly machine?: Partial<Machine>;
    readonly playContract?: PlayContract;
    /** What the platforms say of tokens and channels; otherwise nothing. */
    readonly platforms?: Partial<PlatformChecks>;
    readonly asker?: Asker;
    readonly env?: Readonly<Record<string, string>>;
    /** Sees the configuration that the bridge is made with. */
    readonly onConfig?: (config: Config) => void;
  } = {},
): CliFixture => {
  const dir = tempDir();
  const [out, err]: [string[], string[]] = [[], []];
  const exits: number[] = [];
  const listeners = new Set<() => void>();
  const clock = new FakeClock();
  const deps: CliDeps = {
    version: '1.2.3',
    home: over.home ?? '/home/a',
    cwd: dir,
    terminal: {
      print: (line) => void out.push(line),
      say: (line) => void err.push(line),
      isTty: over.isTty ?? false,
    },
    clock,
    lock: ownProcess(() => clock.now()),
    load: (asked) => loadConfig(asked, { env: over.env ?? {}, cwd: dir, home: dir }),
    makeProvider: () => over.provider ?? fakeProvider([]),
    makeBridge: (config) => {
      over.onConfig?.(config);
      if (over.bridge === undefined) throw new Error('this test has no bridge');
      return over.bridge;
    },
    machine: {
      nodeVersion: '20.20.0',
      tmuxVersion: () => Promise.resolve('tmux 3.3a'),
      agentVersion: () => Promise.resolve({ version: '2.1.332' }),
      isDirectory: () => true,
      stateDirTrouble: (path) => thisMachine.stateDirTrouble(path),
      isFree: () => Promise.resolve(true),
      ...over.machine,
    },
    playContract:
      over.playContract ?? (() => Promise.reject(new Error('this test has no contract'))),
    platforms: {
      slack: async () => [],
      discord: async () => [],
      slackManifest: () => '{}',
      discordInvite: () => undefined,
      ...over.platforms,
    },
    asker: over.asker ?? noAsker,
    env: over.env ?? {},
    findProgram: (name) => (over.missing === name ? undefined : `/usr/bin/${name}`),
    onSignal: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    exit: (code) => void exits.push(code),
    program: ['/usr/bin/node', '/opt/afk-bridge/main.js'],
    hookSocket: (stateDir) => join(stateDir, 'hook.sock'),
  };
  return {
    dir,
    out,
    err,
    exits,
    clock,
    signal: () => {
      for (const listener of listeners) listener();
    },
    configure: (yaml) => writeFileSync(join(dir, 'afk-bridge.yaml'), yaml, { mode: 0o600 }),
    run: (...argv) => runProgram(argv, deps),
  };
};
