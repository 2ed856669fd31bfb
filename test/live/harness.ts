import { execFile, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makePrivateHome, type PrivateHome } from '../../src/verify/private-home.ts';
import { type ScriptedApi, startScriptedApi } from '../../src/verify/scripted-api.ts';
import { LiveAgent } from './live-agent.ts';
import type { LiveProgram } from './program.ts';
import { until } from './wait.ts';

const run = promisify(execFile);

export interface StageOptions {
  readonly isTrusted?: boolean;
  readonly isBypassAccepted?: boolean;
  readonly cwdName?: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly config?: Readonly<Record<string, unknown>>;
}

export interface StartOptions {
  /** Default `manual`; `none` passes no mode (the program's own default). */
  readonly mode?: string;
  /** More arguments: `--continue`, `--resume ID`, `--fork-session` … */
  readonly args?: readonly string[];
  /** `[columns, rows]`, default 100x30. */
  readonly size?: readonly [number, number];
  /** Name of the tmux server; another name is a second server. */
  readonly server?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** False: return as soon as the process is there (trust dialog, notices). */
  readonly untilIdle?: boolean;
  /** Typed into a shell, whose child it is: it can be suspended, and the shell remains when it ends. */
  readonly isInShell?: boolean;
}

/** Types the command line into the pane's shell; gives the pid of what it started. */
const typeInto = async (
  socket: string,
  pane: string,
  shell: string,
  argv: readonly string[],
): Promise<number> => {
  const send = (...keys: string[]) =>
    run('tmux', ['-S', socket, 'send-keys', '-t', pane, ...keys], { timeout: 5_000 });
  await send('-l', '--', argv.join(' '));
  await send('Enter');
  const children = `/proc/${shell}/task/${shell}/children`;
  return until('the shell started the agent', async () => {
    const [child] = (await readFile(children, 'utf8')).trim().split(' ');
    return child === undefined || child === '' ? undefined : Number(child);
  });
};

/**
 * One private HOME, one scripted API and any number of real agents in private tmux servers. All of
 * it is gone after `stop()`, also when a test failed half-way.
 */
export class Stage {
  readonly api: ScriptedApi;
  readonly home: PrivateHome;
  readonly #program: LiveProgram;
  readonly #servers = new Map<string, string>();
  readonly #agents: LiveAgent[] = [];

  private constructor(program: LiveProgram, api: ScriptedApi, home: PrivateHome) {
    this.#program = program;
    this.api = api;
    this.home = home;
    process.on('exit', this.#abandon);
    process.on('SIGTERM', this.#leave);
  }

  /** A worker that is ended from outside would not run its exit listeners by itself. */
  readonly #leave = (): void => {
    process.exit(143);
  };

  /** A test process that dies half-way must not leave agents behind. */
  readonly #abandon = (): void => {
    for (const agent of this.#agents) if (agent.isAlive()) process.kill(agent.pid, 'SIGKILL');
    for (const socket of this.#servers.values()) {
      spawnSync('tmux', ['-S', socket, 'kill-server'], { timeout: 2_000 });
    }
    rmSync(this.home.base, { recursive: true, force: true });
  };

  static async open(program: LiveProgram, options: StageOptions = {}): Promise<Stage> {
    const api = await startScriptedApi();
    try {
      return new Stage(
        program,
        api,
        await makePrivateHome({ version: program.version, ...options }),
      );
    } catch (error) {
      await api.close();
      throw error;
    }
  }

  /** Path of a server's socket; the first pane started on it starts the server. */
  socket(server = 'main'): string {
    return this.#servers.get(server) ?? join(this.home.base, `${server}.sock`);
  }

  /** Starts the agent in a new tmux session, and waits until its registry says idle. */
  async start(options: StartOptions = {}): Promise<LiveAgent> {
    const server = options.server ?? 'main';
    const socket = this.socket(server);
    const env = { ...this.home.env(this.api.url), TERM: 'xterm-256color', ...options.env };
    const [columns, rows] = options.size ?? [100, 30];
    const mode = options.mode ?? 'manual';
    const argv = [
      this.#program.command,
      ...(mode === 'none' ? [] : ['--permission-mode', mode]),
      ...(options.args ?? []),
    ];
    const { stdout } = await run(
      'tmux',
      [
        ...[
          '-S',
          socket,
          '-f',
          '/dev/null',
          'new-session',
          '-d',
          '-P',
          '-F',
          '#{pane_id} #{pane_pid}',
        ],
        ...['-x', String(columns), '-y', String(rows), '-c', options.cwd ?? this.home.cwd],
        ...Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]),
        ...(options.isInShell === true ? ['bash', '--norc', '--noprofile', '-i'] : argv),
      ],
      // The server keeps the environment that it is started with: ours must not reach the agent.
      { env, timeout: 10_000 },
    );
    this.#servers.set(server, socket);
    const [pane = '', pid = ''] = stdout.trim().split(' ');
    const agent = new LiveAgent({
      socket,
      pane,
      pid: options.isInShell === true ? await typeInto(socket, pane, pid, argv) : Number(pid),
      configDir: this.home.configDir,
    });
    this.#agents.push(agent);
    if (options.untilIdle ?? true) await agent.waitForStatus('idle');
    return agent;
  }

  /** Ends the agents by pid, the servers by their sockets, the API, and removes every file. */
  async stop(): Promise<void> {
    const problems: unknown[] = [];
    const attempt = async (what: () => Promise<unknown>) => {
      try {
        await what();
      } catch (error) {
        problems.push(error);
      }
    };
    for (const agent of this.#agents) await attempt(() => agent.end());
    for (const socket of this.#servers.values()) {
      // The server is gone already when its last pane ended.
      await run('tmux', ['-S', socket, 'kill-server'], { timeout: 5_000 }).catch(() => undefined);
    }
    await attempt(() => this.api.close());
    await attempt(() => this.home.remove());
    process.off('exit', this.#abandon);
    process.off('SIGTERM', this.#leave);
    if (problems.length > 0) throw new AggregateError(problems, 'the stage did not end cleanly');
  }
}
