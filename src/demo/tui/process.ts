import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Start time of a process in clock ticks since boot; undefined when there is none (or no /proc). */
export const procStartOf = (pid: number): string | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
};

/** Whether there is a process of this number; one of another user counts. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** The same as long as it is the same process; undefined once it is gone. */
export const lifeOf = (pid: number): string | undefined =>
  isAlive(pid) ? (procStartOf(pid) ?? 'alive') : undefined;

/** `session:@win.%pane` as Claude Code writes it, from the environment that tmux gave this process. */
export const tmuxOf = (env: NodeJS.ProcessEnv): string | undefined => {
  const socket = env.TMUX?.split(',')[0];
  const pane = env.TMUX_PANE;
  if (!socket || !pane) return undefined;
  const format = '#{session_name}:#{window_id}.#{pane_id}';
  const args = ['-S', socket, 'display-message', '-p', '-t', pane, format];
  return execFileSync('tmux', args, { encoding: 'utf8', timeout: 5000 }).trim();
};

/** Branch from git's own files; `HEAD` outside a repository, as in the rows of Claude Code. */
export const branchOf = (cwd: string): string => {
  try {
    const head = readFileSync(join(cwd, '.git', 'HEAD'), 'utf8').trim();
    return /^ref: refs\/heads\/(.+)$/.exec(head)?.[1] ?? 'HEAD';
  } catch {
    return 'HEAD';
  }
};
