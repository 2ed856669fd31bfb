import { execFile, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { byHand } from '../provider/tmux/by-hand.ts';
import { callTmux, type TmuxDeps } from '../provider/tmux/call.ts';
import type { AgentStage, StagedAgent } from './agent-stage.ts';
import { makePrivateHome, type PrivateHome } from './private-home.ts';
import { type ScriptedApi, startScriptedApi } from './scripted-api.ts';

export interface RealProgram {
  /** The agent program, as a path or from PATH. */
  readonly command: string;
  /** What it says of itself: suppresses its release notes. */
  readonly version: string;
}

const run = promisify(execFile);

/**
 * The mode in which approvals are asked for: `manual` on 2.1.332, `default` before. Not by the
 * settings: then a screen that offers another mode comes in between.
 */
const modeOf = async (program: RealProgram, home: PrivateHome): Promise<string> => {
  const options = { env: home.env(''), cwd: home.cwd, timeout: HELP_WITHIN_MS };
  const { stdout } = await run(program.command, ['--help'], options);
  return /"manual"/.test(stdout) ? 'manual' : 'default';
};

const HELP_WITHIN_MS = 20_000;
const END_WITHIN_MS = 3_000;

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const goneWithin = async (pid: number, ms: number): Promise<boolean> => {
  const until = Date.now() + ms;
  while (isAlive(pid) && Date.now() < until) await sleep(20);
  return !isAlive(pid);
};

/** Asks it to end; by force when it does not. */
const end = async (pid: number): Promise<void> => {
  if (!isAlive(pid)) return;
  process.kill(pid, 'SIGTERM');
  if (await goneWithin(pid, END_WITHIN_MS)) return;
  process.kill(pid, 'SIGKILL');
  await goneWithin(pid, END_WITHIN_MS);
};

/**
 * The real Claude Code with a HOME of its own, against the scripted API on loopback, in a tmux
 * server of its own. Nothing of the operator's is read, written or contacted.
 */
class RealStage implements AgentStage {
  readonly configDir: string;
  readonly socket: string;
  readonly cwd: string;
  readonly #program: RealProgram;
  readonly #api: ScriptedApi;
  readonly #home: PrivateHome;
  readonly #tmux: TmuxDeps;
  readonly #env: Readonly<Record<string, string>>;
  readonly #mode: string;
  #pids: readonly number[] = [];

  constructor(program: RealProgram, mode: string, api: ScriptedApi, home: PrivateHome) {
    this.#program = program;
    this.#mode = mode;
    this.#api = api;
    this.#home = home;
    this.configDir = home.configDir;
    this.cwd = home.cwd;
    this.socket = join(home.base, 'tmux.sock');
    this.#env = { ...home.env(api.url), TERM: 'xterm-256color' };
    // The server keeps the environment that it is started with: ours must not reach the agent.
    this.#tmux = { env: this.#env };
    process.on('exit', this.#abandon);
  }

  /** A process that dies half-way must not leave agents behind. */
  readonly #abandon = (): void => {
    for (const pid of this.#pids) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    spawnSync('tmux', ['-S', this.socket, 'kill-server'], { timeout: 2_000 });
    rmSync(this.#home.base, { recursive: true, force: true });
  };

  async start(): Promise<StagedAgent> {
    const format = '#{pane_id} #{pane_pid}';
    const { exitCode, stdout, stderr } = await callTmux(this.#tmux, this.socket, [
      ...['-f', '/dev/null', 'new-session', '-d', '-P', '-F', format, '-x', '100', '-y', '30'],
      ...['-c', this.cwd],
      ...Object.entries(this.#env).flatMap(([name, value]) => ['-e', `${name}=${value}`]),
      ...[this.#program.command, '--permission-mode', this.#mode],
    ]);
    const [pane = '', pid = ''] = stdout.trim().split(' ');
    if (exitCode !== 0) throw new Error(`tmux could not start the agent: ${stderr.trim()}`);
    const agent = { pane, pid: Number(pid) };
    this.#pids = [...this.#pids.filter(isAlive), agent.pid];
    return {
      ...agent,
      hand: byHand(this.#tmux, this.socket, pane),
      received: () => this.#api.texts(),
      told: () => this.#api.results().map(({ toolUseId, text }) => ({ call: toolUseId, text })),
      cutOff: () => this.#api.cutOff(),
      end: () => end(agent.pid),
    };
  }

  async stop(): Promise<void> {
    for (const pid of this.#pids) await end(pid);
    // The server is gone already when its last pane ended; then there is nothing to kill.
    await callTmux(this.#tmux, this.socket, ['kill-server']);
    await this.#api.close();
    await this.#home.remove();
    process.off('exit', this.#abandon);
  }
}

/** Throws where the program cannot be run at all. */
export const openRealStage = async (program: RealProgram): Promise<AgentStage> => {
  const home = await makePrivateHome({ version: program.version });
  try {
    const mode = await modeOf(program, home);
    return new RealStage(program, mode, await startScriptedApi(), home);
  } catch (error) {
    await home.remove();
    throw error;
  }
};
