import { execa } from 'execa';
import { BridgeError } from '../../bridge/model/errors.ts';

export interface TmuxDeps {
  /** Program to run; default `tmux` from PATH. */
  readonly program?: string;
  /** ms until a call is given up; default 3000. A call into a pane in copy mode can hang for ever. */
  readonly timeoutMs?: number;
  /** Environment of the calls; default the process's own. */
  readonly env?: NodeJS.ProcessEnv;
}

export interface CallResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * The only spawn of tmux: argument vectors, an explicit socket, a time limit. A refusal by tmux is
 * a value (exit code and stderr); throws BridgeError `tmux-timeout` (certain: false), `tmux-missing`
 * or `tmux-failed`.
 */
export const callTmux = async (
  deps: TmuxDeps,
  socket: string,
  args: readonly string[],
  input?: string,
): Promise<CallResult> => {
  // `-u`: without a UTF-8 locale tmux would print `_` for every other character.
  const { TMUX: _server, TMUX_PANE: _pane, ...env } = deps.env ?? process.env;
  const timeoutMs = deps.timeoutMs ?? 3000;
  const child = execa(deps.program ?? 'tmux', ['-u', '-S', socket, ...args], {
    env,
    extendEnv: false,
    reject: false,
    stripFinalNewline: false,
    ...(input === undefined ? { stdin: 'ignore' as const } : { input }),
  });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
    // A tmux client hands its own stdin and stdout to the server: while a stopped server holds
    // them our ends never see their end, and execa would wait for it (seen with tmux 3.3a).
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
  }, timeoutMs);
  const result = await child;
  clearTimeout(timer);
  if (isLate) {
    throw new BridgeError('tmux-timeout', `tmux did not answer within ${timeoutMs} ms`, {
      certain: false,
      userMessage: `tmux did not answer within ${timeoutMs / 1000} s. Is its server stopped or overloaded?`,
    });
  }
  if (result.exitCode === undefined) {
    const isMissing = result.code === 'ENOENT';
    throw new BridgeError(
      isMissing ? 'tmux-missing' : 'tmux-failed',
      result.shortMessage ?? 'tmux could not be run',
      {
        certain: isMissing,
        cause: result,
        ...(isMissing && { userMessage: 'tmux is not installed or not in PATH.' }),
      },
    );
  }
  return { exitCode: result.exitCode, stdout: result.stdout, stderr: result.stderr };
};
