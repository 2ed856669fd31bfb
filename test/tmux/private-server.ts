import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PaneIdentity } from '../../src/bridge/model/run-state.ts';

/** A real tmux server on a private socket; ends with `stop()`. */
export class PrivateServer {
  readonly dir: string;
  readonly socket: string;

  constructor() {
    this.dir = mkdtempSync(join(tmpdir(), 'afk-tmux-'));
    this.socket = join(this.dir, 'sock');
  }

  /** Runs one tmux command and gives its output; throws where tmux fails. */
  tmux(...args: readonly string[]): string {
    const { TMUX: _server, TMUX_PANE: _pane, ...env } = process.env;
    return execFileSync('tmux', ['-u', '-f', '/dev/null', '-S', this.socket, ...args], {
      encoding: 'utf8',
      env,
      timeout: 5000,
    }).trimEnd();
  }

  /** A new session with one pane that runs `command`; the server is started with it where there is none. */
  session(command: string, name?: string, cols = 80, rows = 24): PaneIdentity {
    const size = ['-x', String(cols), '-y', String(rows)];
    const named = name === undefined ? [] : ['-s', name];
    return this.identity(
      this.tmux('new-session', '-d', ...size, ...named, '-P', '-F', '#{pane_id}', command),
    );
  }

  identity(pane: string): PaneIdentity {
    const [pid, start] = this.tmux('display-message', '-p', '#{pid} #{start_time}').split(' ');
    return { socket: this.socket, serverPid: Number(pid), serverStart: Number(start), pane };
  }

  screen(pane: PaneIdentity): string {
    return this.tmux('capture-pane', '-p', '-t', pane.pane).trimEnd();
  }

  /** Ends the server and everything in it; the socket's directory goes as well. */
  stop(): void {
    spawnSync('tmux', ['-S', this.socket, 'kill-server'], { timeout: 5000 });
    rmSync(this.dir, { recursive: true, force: true });
  }
}
