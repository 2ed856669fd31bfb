import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { scriptedTui } from '../../src/demo/launch.ts';
import type { Truth } from '../../src/demo/tui/state.ts';
import { eventually } from '../e2e/page-client.ts';

const run = promisify(execFile);

/** After the loader of TypeScript, before the program. */
const withPreload = (argv: readonly string[], preload: string | undefined): readonly string[] =>
  preload === undefined ? argv : [...argv.slice(0, 3), '--import', preload, ...argv.slice(3)];

/** One scripted TUI in a pane of a private tmux server. */
export class ScriptedAgent {
  readonly #socket: string;
  readonly #truthFile: string;
  readonly #configDir: string;
  readonly pane: string;
  readonly pid: number;

  constructor(at: {
    socket: string;
    configDir: string;
    truthFile: string;
    pane: string;
    pid: number;
  }) {
    this.#configDir = at.configDir;
    this.#socket = at.socket;
    this.#truthFile = at.truthFile;
    this.pane = at.pane;
    this.pid = at.pid;
  }

  async tmux(...args: string[]): Promise<string> {
    return (await run('tmux', ['-S', this.#socket, ...args], { timeout: 5_000 })).stdout;
  }

  async keys(...names: string[]): Promise<void> {
    await this.tmux('send-keys', '-t', this.pane, ...names);
  }

  async screen(): Promise<string> {
    return this.tmux('capture-pane', '-p', '-t', this.pane);
  }

  /** As a person at the terminal: the text, then Enter alone; resolves when it reached the agent. */
  async say(text: string): Promise<void> {
    // Before it has started the terminal itself would show what is typed.
    await eventually('it has started', () => this.#entry()?.status);
    const before = this.received().length;
    await this.tmux('send-keys', '-t', this.pane, '-l', '--', text);
    await eventually('the text in the box', async () =>
      (await this.screen()).includes(text) ? true : undefined,
    );
    await this.keys('Enter');
    await eventually('it reached the agent', () =>
      this.received().length > before ? true : undefined,
    );
  }

  /** The transcript of its present session, once there is one. */
  transcript(): string | undefined {
    const sessionId = this.#entry()?.sessionId;
    const projects = join(this.#configDir, 'projects');
    return (existsSync(projects) ? readdirSync(projects) : [])
      .map((name) => join(projects, name, `${sessionId}.jsonl`))
      .find((path) => existsSync(path));
  }

  #entry(): { readonly sessionId: string; readonly status?: string } | undefined {
    try {
      const file = join(this.#configDir, 'sessions', `${this.pid}.json`);
      return JSON.parse(readFileSync(file, 'utf8'));
    } catch {
      // Not there yet, or torn: whoever asks will ask again.
      return undefined;
    }
  }

  /** What really reached the agent, in order. */
  truth(): readonly Truth[] {
    if (!existsSync(this.#truthFile)) return [];
    return readFileSync(this.#truthFile, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Truth);
  }

  received(): readonly string[] {
    return this.truth().flatMap((t) => (t.type === 'received' ? [t.text] : []));
  }
}

/** A private tmux server and configuration directory for scripted agents; `stop` leaves nothing behind. */
export class ScriptedStage {
  readonly dir = mkdtempSync(join(tmpdir(), 'afk-scripted-'));
  readonly socket = join(this.dir, 'tmux.sock');
  readonly configDir = join(this.dir, 'claude');
  #count = 0;

  async start(
    options: {
      pace?: number;
      isUntrusted?: boolean;
      /** A module that is loaded before the program, and makes it a wrong one. */
      preload?: string;
      /** The version that it claims to be; its behaviour stays that of the pinned one. */
      version?: string;
    } = {},
  ): Promise<ScriptedAgent> {
    this.#count += 1;
    mkdirSync(this.configDir, { recursive: true });
    const truthFile = join(this.dir, `truth-${this.#count}.jsonl`);
    const { argv, env } = scriptedTui({
      configDir: this.configDir,
      groundTruth: truthFile,
      pace: options.pace ?? 0.3,
      watchPid: process.pid,
      ...(options.isUntrusted === true ? { isUntrusted: true } : {}),
    });
    const { stdout } = await run(
      'tmux',
      [
        ...[
          '-S',
          this.socket,
          '-f',
          '/dev/null',
          'new-session',
          '-d',
          '-P',
          '-F',
          '#{pane_id} #{pane_pid}',
        ],
        ...['-x', '100', '-y', '30', '-c', this.dir],
        ...Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]),
        ...withPreload(argv, options.preload),
        ...(options.version === undefined ? [] : ['--agent-version', options.version]),
      ],
      { timeout: 10_000 },
    );
    const [pane = '', pid = ''] = stdout.trim().split(' ');
    const { socket, configDir } = this;
    return new ScriptedAgent({ socket, configDir, truthFile, pane, pid: Number(pid) });
  }

  async stop(): Promise<void> {
    // A server that is gone already is what is wanted.
    await run('tmux', ['-S', this.socket, 'kill-server'], { timeout: 5_000 }).catch(
      () => undefined,
    );
    rmSync(this.dir, { recursive: true, force: true });
  }
}
