import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { findTranscript, readRows, until } from './wait.ts';

const run = promisify(execFile);

const Entry = z.looseObject({
  pid: z.number(),
  sessionId: z.string(),
  procStart: z.string(),
  version: z.string(),
  status: z.string(),
  waitingFor: z.string().optional(),
  tmux: z.string().optional(),
  statusUpdatedAt: z.number().optional(),
});
export type LiveEntry = z.infer<typeof Entry>;

/** False where there is no /proc: there only the signal tells. */
const isZombie = (pid: number): boolean => {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

/** One real Claude Code in a pane, looked at by hand: nothing of the bridge is in between. */
export class LiveAgent {
  readonly socket: string;
  readonly pane: string;
  readonly pid: number;
  readonly configDir: string;

  constructor(at: { socket: string; pane: string; pid: number; configDir: string }) {
    this.socket = at.socket;
    this.pane = at.pane;
    this.pid = at.pid;
    this.configDir = at.configDir;
  }

  async tmux(...args: string[]): Promise<string> {
    const { stdout } = await run('tmux', ['-S', this.socket, ...args], { timeout: 5_000 });
    return stdout;
  }

  /** The registry file now; undefined while it is missing or torn. */
  async registry(): Promise<LiveEntry | undefined> {
    const file = join(this.configDir, 'sessions', `${this.pid}.json`);
    const text = await readFile(file, 'utf8').catch(() => '');
    try {
      return Entry.parse(JSON.parse(text));
    } catch {
      return undefined;
    }
  }

  async session(): Promise<string> {
    return (await until('a registry file', () => this.registry())).sessionId;
  }

  /** Waits until the registry says so; `waitingFor` too when it is given. */
  async waitForStatus(
    status: 'idle' | 'busy' | 'waiting',
    waitingFor?: string,
    withinMs = 15_000,
  ): Promise<LiveEntry> {
    const what = `registry of ${this.pid} says ${status} ${waitingFor ?? ''}`;
    try {
      return await until(
        what,
        async () => {
          const entry = await this.registry();
          const fits = waitingFor === undefined || entry?.waitingFor === waitingFor;
          return entry?.status === status && fits ? entry : undefined;
        },
        withinMs,
      );
    } catch (error) {
      const screen = await this.screen().catch(() => '(no screen)');
      throw new Error(`${what}: not in time; the screen is\n${screen}`, { cause: error });
    }
  }

  /** The screen as plain text, or with escapes. */
  screen(hasEscapes = false): Promise<string> {
    return this.tmux('capture-pane', '-p', ...(hasEscapes ? ['-e'] : []), '-t', this.pane);
  }

  async waitForScreen(wanted: string | RegExp, withinMs = 10_000): Promise<string> {
    let last = '';
    try {
      return await until(
        `screen shows ${wanted}`,
        async () => {
          last = await this.screen();
          const isThere = typeof wanted === 'string' ? last.includes(wanted) : wanted.test(last);
          return isThere ? last : undefined;
        },
        withinMs,
      );
    } catch (error) {
      throw new Error(`the screen never showed ${wanted}; it is\n${last}`, { cause: error });
    }
  }

  /** Types as a person's terminal would, without Enter. */
  async type(text: string): Promise<void> {
    await this.tmux('send-keys', '-t', this.pane, '-l', '--', text);
  }

  async keys(...names: string[]): Promise<void> {
    await this.tmux('send-keys', '-t', this.pane, ...names);
  }

  /** Types one line and sends it, by hand: text, until the box shows it, Enter alone. */
  async say(line: string): Promise<void> {
    await this.type(line);
    await this.waitForScreen(line.slice(0, 40));
    await this.keys('Enter');
  }

  async transcript(): Promise<string | undefined> {
    return findTranscript(this.configDir, await this.session());
  }

  /** Rows of the present session's transcript; none while there is no file. */
  async rows(): Promise<readonly Record<string, unknown>[]> {
    const file = await this.transcript();
    return file === undefined ? [] : readRows(file);
  }

  isAlive(): boolean {
    try {
      process.kill(this.pid, 0);
    } catch {
      return false;
    }
    // When the tmux server ends with its last pane nobody takes the exit code for a while.
    return !isZombie(this.pid);
  }

  /** Asks it to end; by force when it does not within 3 s. */
  async end(): Promise<void> {
    if (!this.isAlive()) return;
    process.kill(this.pid, 'SIGTERM');
    const isGone = () => (this.isAlive() ? undefined : true);
    await until('the agent ends', isGone, 3_000).catch(() => {
      if (this.isAlive()) process.kill(this.pid, 'SIGKILL');
    });
    await until('the agent is gone', isGone, 15_000);
  }
}
