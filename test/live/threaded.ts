import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Config } from '../../src/bridge/config.ts';
import { loadConfig } from '../../src/bridge/config-load.ts';
import { createLog } from '../../src/bridge/log.ts';
import { type ActorId, type ChannelId, id } from '../../src/bridge/model/ids.ts';
import type { Verbosity } from '../../src/bridge/model/thread.ts';
import { prepareStateDir } from '../../src/bridge/state-dir.ts';
import type { BridgeProcess } from '../../src/cli/cli-deps.ts';
import { makeBridge } from '../../src/cli/compose.ts';
import { inProcess, MemoryAdapter, memoryPlatformId } from '../conformance/memory-adapter.ts';
import { eventually, PageClient } from '../e2e/page-client.ts';
import { MemoryPlatform } from '../fakes/memory-platform.ts';
import { type ReadThread, readThreads } from '../fakes/memory-threads.ts';
import { Stage, type StageOptions } from './harness.ts';
import type { LiveProgram } from './program.ts';

const driver = id<ActorId>('memory:user:bob');
const channelOf = (verbosity: Verbosity): ChannelId => id<ChannelId>(`memory:${verbosity}`);

export interface ThreadedOptions extends StageOptions {
  /** The test starts the bridge itself. */
  readonly isBridgeLate?: boolean;
  /** One channel for each, that shows every run; default: one, `normal`. */
  readonly verbosities?: readonly Verbosity[];
}

/** The real Claude Code, the bridge in this process, and channels that show every run. */
export class Threaded {
  readonly stage: Stage;
  readonly platform = new MemoryPlatform();
  readonly #dir = mkdtempSync(join(tmpdir(), 'afk-threaded-'));
  #bridge: BridgeProcess | undefined;
  #page: PageClient | undefined;

  readonly #verbosities: readonly Verbosity[];

  private constructor(stage: Stage, verbosities: readonly Verbosity[]) {
    this.stage = stage;
    this.#verbosities = verbosities;
  }

  static async open(program: LiveProgram, options: ThreadedOptions = {}): Promise<Threaded> {
    const stage = await Stage.open(program, options);
    const threaded = new Threaded(stage, options.verbosities ?? ['normal']);
    try {
      if (options.isBridgeLate !== true) await threaded.startBridge();
      return threaded;
    } catch (error) {
      await threaded.stop();
      throw error;
    }
  }

  get page(): PageClient {
    if (this.#page === undefined) throw new Error('the bridge does not run');
    return this.#page;
  }

  /** With the state of the one before, if there was one. */
  async startBridge(): Promise<void> {
    const file = join(this.#dir, 'afk-bridge.yaml');
    writeFileSync(
      file,
      stringify({
        stateDir: join(this.#dir, 'state'),
        claudeCode: { configDir: this.stage.home.configDir },
        tmux: { sockets: [this.stage.socket()] },
        web: { port: 0 },
      }),
    );
    const { config } = loadConfig(file, { env: {}, cwd: this.#dir, home: this.#dir });
    const drivers = [{ platform: 'memory', kind: 'user', id: 'bob' }];
    // A platform of the tests only: the configuration file knows no access entry for it.
    const withDriver = { ...config, access: { owners: [], drivers } } as unknown as Config;
    const level = process.env.AFK_TEST_LOG === undefined ? 'silent' : 'debug';
    this.#bridge = makeBridge(
      withDriver,
      prepareStateDir(config.stateDir),
      createLog({ level, file: process.env.AFK_TEST_LOG, secrets: [] }),
      {
        adapters: [new MemoryAdapter({ call: inProcess(this.platform) })],
        channels: this.#verbosities.map((verbosity) => ({
          id: channelOf(verbosity),
          platform: memoryPlatformId,
          match: { all: true },
          verbosity,
        })),
      },
    );
    const { url, token } = await this.#bridge.start();
    this.#page = await PageClient.login(`${url}#token=${token}`);
  }

  async stopBridge(): Promise<void> {
    this.#page = undefined;
    await this.#bridge?.stop();
    this.#bridge = undefined;
  }

  threads(): readonly ReadThread[] {
    return readThreads(this.platform);
  }

  /** The one thread in which this text stands, once it stands there. */
  threadWith(text: string, withinMs?: number): Promise<ReadThread> {
    return this.until(
      `a thread with ${JSON.stringify(text)}`,
      () => this.threads().find((thread) => thread.all().includes(text)),
      withinMs,
    );
  }

  /** Asks until it gives something; a failure shows every thread as it is. */
  async until<T>(what: string, check: () => T | false | undefined, withinMs = 20_000): Promise<T> {
    try {
      return await eventually(what, () => check() || undefined, withinMs);
    } catch (error) {
      const shown = this.threads().map((t) => `--- ${t.thread}\n${t.all()}`);
      throw new Error(`${what}: not in time; the threads are\n${shown.join('\n')}`, {
        cause: error,
      });
    }
  }

  /** A person writes into a thread; gives the message. */
  say(thread: string, text: string): string {
    const of = this.threads().find((t) => t.thread === thread);
    return this.platform.say(of?.channel ?? '', thread, driver, text);
  }

  async stop(): Promise<void> {
    try {
      await this.stopBridge();
    } finally {
      await this.stage.stop();
      rmSync(this.#dir, { recursive: true, force: true });
    }
  }
}
