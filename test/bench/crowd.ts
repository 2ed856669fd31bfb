import { execFile } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startOf } from './process-cost.ts';

const call = promisify(execFile);
const RECORDED = new URL(
  '../../compat/claude-code/fixtures/transcripts/plain-turns-2.1.332.jsonl',
  import.meta.url,
);
const PANES_PER_CALL = 20;
/** No process has it: the files that ended runs left behind. */
const FIRST_DEAD_PID = 5_000_000;

export interface CrowdMember {
  readonly pid: number;
  readonly session: string;
  readonly transcript: string;
}

/** Runs that rest: processes that sleep in panes, with registry files and recorded transcripts. */
export class Crowd {
  readonly dir: string;
  readonly configDir: string;
  readonly socket: string;
  readonly members: CrowdMember[] = [];

  constructor() {
    this.dir = mkdtempSync(join(tmpdir(), 'afk-bench-'));
    this.configDir = join(this.dir, 'claude');
    this.socket = join(this.dir, 'tmux');
    mkdirSync(join(this.configDir, 'sessions'), { recursive: true });
  }

  /** `left`: registry files of processes that are gone. */
  async fill(live: number, left: number): Promise<void> {
    for (let made = 0; made < live; made += PANES_PER_CALL) {
      const count = Math.min(PANES_PER_CALL, live - made);
      const first = made === 0 ? ['new-session', '-d', 'exec sleep 86400'] : [];
      const others = Array.from({ length: count - (made === 0 ? 1 : 0) }, () => [
        ...[';', 'new-window', '-d', 'exec sleep 86400'],
      ]).flat();
      const words = first.length === 0 ? others.slice(1) : [...first, ...others];
      await this.#tmux(...words);
    }
    const panes = live === 0 ? '' : await this.#tmux('list-panes', '-a', '-F', '#{pane_pid}');
    const pids = panes.split('\n').filter((line) => line !== '');
    for (const [n, pid] of pids.entries()) this.members.push(this.#join(n, Number(pid)));
    for (let n = 0; n < left; n += 1) this.#register(live + n, FIRST_DEAD_PID + n, '1');
  }

  /** A row of the agent's, as the real program appends it. */
  say(member: CrowdMember, text: string, n: number): void {
    const row = {
      parentUuid: null,
      isSidechain: false,
      message: { role: 'assistant', content: [{ type: 'text', text }] },
      type: 'assistant',
      uuid: `00000000-0000-4000-9000-${String(n).padStart(12, '0')}`,
      timestamp: new Date().toISOString(),
      sessionId: member.session,
    };
    appendFileSync(member.transcript, `${JSON.stringify(row)}\n`);
  }

  /** Ends the panes and removes everything. */
  async leave(): Promise<void> {
    if (this.members.length > 0) await this.#tmux('kill-server');
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 5 });
  }

  #join(n: number, pid: number): CrowdMember {
    const { session, cwd } = this.#register(n, pid, startOf(pid));
    const project = join(this.configDir, 'projects', cwd.replaceAll(/[^\w]/g, '-'));
    mkdirSync(project, { recursive: true });
    mkdirSync(join(cwd, '.git'), { recursive: true });
    writeFileSync(join(cwd, '.git', 'HEAD'), 'ref: refs/heads/main\n');
    const transcript = join(project, `${session}.jsonl`);
    const rows = readFileSync(RECORDED, 'utf8');
    const recorded = /"sessionId":"([^"]+)"/.exec(rows)?.[1] ?? '';
    writeFileSync(transcript, rows.replaceAll(recorded, session));
    return { pid, session, transcript };
  }

  #register(n: number, pid: number, procStart: string): { session: string; cwd: string } {
    const session = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
    const cwd = join(this.dir, 'work', `project-${n}`);
    const entry = {
      pid,
      sessionId: session,
      cwd,
      startedAt: Date.now() - 60_000,
      procStart,
      version: '2.1.332',
      kind: 'interactive',
      entrypoint: 'cli',
      status: 'idle',
      statusUpdatedAt: Date.now(),
    };
    writeFileSync(join(this.configDir, 'sessions', `${pid}.json`), JSON.stringify(entry));
    return { session, cwd };
  }

  async #tmux(...words: readonly string[]): Promise<string> {
    const all = ['-f', '/dev/null', '-S', this.socket, ...words];
    return (await call('tmux', all, { env: { ...process.env, TMUX: '' } })).stdout;
  }
}
