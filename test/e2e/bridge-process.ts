import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { eventually, PageClient } from './page-client.ts';

const ROOT = join(import.meta.dirname, '..', '..');

export interface BridgeOptions {
  /** A directory of this test's own; the state goes to `state` in it. */
  readonly dir: string;
  readonly configDir: string;
  readonly sockets: readonly string[];
  readonly config?: Readonly<Record<string, unknown>>;
  /** Another entry than the command itself: a bridge with fail points. */
  readonly entry?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The real command `afk-bridge start` in a process of its own, which can be killed at any instant. */
export class BridgeProcess {
  readonly #options: BridgeOptions;
  #child: ChildProcess | undefined;
  #output = '';
  #link = '';

  constructor(options: BridgeOptions) {
    this.#options = options;
  }

  get stateDir(): string {
    return join(this.#options.dir, 'state');
  }

  /** All that it wrote to its terminal, for messages of failed tests. */
  get output(): string {
    return this.#output;
  }

  /** The page's address with the token. */
  get link(): string {
    return this.#link;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Starts it and logs in; resolves when the page answers. */
  async start(): Promise<PageClient> {
    const { dir, configDir, sockets, config, env, entry } = this.#options;
    mkdirSync(dir, { recursive: true });
    const file = join(dir, 'afk-bridge.yaml');
    writeFileSync(
      file,
      stringify({
        stateDir: this.stateDir,
        logLevel: 'debug',
        claudeCode: { configDir },
        tmux: { sockets },
        web: { port: this.#link === '' ? 0 : Number(new URL(this.#link).port) },
        ...config,
      }),
    );
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', entry ?? join(ROOT, 'src', 'main.ts'), '--config', file, 'start'],
      { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, HOME: dir, ...env } },
    );
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.#output = (this.#output + chunk.toString()).slice(-64_000);
      });
    }
    const note = join(this.stateDir, 'page.json');
    const link = await eventually(
      'the bridge’s page',
      () => {
        if (child.exitCode !== null) throw new Error(`the bridge ended:\n${this.#output}`);
        if (!existsSync(note)) return undefined;
        const { pid, link } = JSON.parse(readFileSync(note, 'utf8')) as {
          pid: number;
          link: string;
        };
        return pid === child.pid ? link : undefined;
      },
      20_000,
    ).catch((error: unknown) => {
      throw new Error(`the bridge did not start:\n${this.#output}`, { cause: error });
    });
    this.#link = link;
    return PageClient.login(link);
  }

  /** SIGKILL: nothing can be said or written any more. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** As a person's Ctrl-C. */
  async stop(): Promise<void> {
    await this.#end('SIGTERM');
  }

  /** Resolves when it has ended by itself; with the signal that ended it. */
  async ended(withinMs = 30_000): Promise<NodeJS.Signals | null> {
    const child = this.#child;
    return eventually(
      'the bridge has ended',
      () =>
        child?.signalCode != null || child?.exitCode != null
          ? { signal: child.signalCode }
          : undefined,
      withinMs,
    ).then(({ signal }) => signal);
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill(signal);
    const late = setTimeout(() => child.kill('SIGKILL'), 8_000);
    await ended;
    clearTimeout(late);
  }
}
