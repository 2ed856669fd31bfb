import { BridgeError } from '../../bridge/model/errors.ts';
import type { PaneIdentity } from '../../bridge/model/run-state.ts';
import { callTmux, type TmuxDeps } from './call.ts';
import { isPaneId } from './formats.ts';
import { argument } from './keys.ts';
import { shellWord } from './shell-word.ts';

export interface LaunchRequest {
  /** Program and arguments, run as they are; no shell is between. */
  readonly argv: readonly string[];
  readonly cwd: string;
  /** Added to the environment of the program. */
  readonly env?: Readonly<Record<string, string>>;
  /** Name of the new session or window; tmux picks one otherwise. */
  readonly name?: string;
}

const IDENTITY = '#{pid} #{start_time} #{pane_id}';

const programArguments = (request: LaunchRequest): readonly string[] => [
  ...Object.entries(request.env ?? {}).flatMap(([name, value]) => [
    '-e',
    argument(`${name}=${value}`),
  ]),
  ...['-c', argument(request.cwd), '--'],
  // A single word would be given to a shell; two or more are executed as they are.
  ...[...(request.argv.length === 1 ? ['env'] : []), ...request.argv].map(argument),
];

/** A new detached session with one pane; starts the server where there is none. Throws `tmux-failed`. */
export const newSession = (
  deps: TmuxDeps,
  socket: string,
  request: LaunchRequest,
): Promise<PaneIdentity> =>
  launch(deps, socket, [
    ...['new-session', '-d', '-P', '-F', IDENTITY, '-x', '200', '-y', '50'],
    ...(request.name === undefined ? [] : ['-s', argument(request.name)]),
    ...programArguments(request),
  ]);

/** A new window after that of a pane, in the background. Throws `tmux-failed`. */
export const newWindow = async (
  deps: TmuxDeps,
  socket: string,
  besides: string,
  request: LaunchRequest,
): Promise<PaneIdentity> => {
  // new-window takes no pane as its target.
  const asked = ['display-message', '-p', '-t', argument(besides), '#{window_id}'];
  const { stdout } = await callTmux(deps, socket, asked);
  return launch(deps, socket, [
    ...['new-window', '-d', '-P', '-F', IDENTITY, '-a', '-t', stdout.trim() || 'no such window'],
    ...(request.name === undefined ? [] : ['-n', argument(request.name)]),
    ...programArguments(request),
  ]);
};

const launch = async (
  deps: TmuxDeps,
  socket: string,
  args: readonly string[],
): Promise<PaneIdentity> => {
  const { exitCode, stdout, stderr } = await callTmux(deps, socket, args);
  const [pid, start, pane] = stdout.trim().split(' ');
  if (exitCode === 0 && pane !== undefined && isPaneId(pane))
    return { socket, serverPid: Number(pid), serverStart: Number(start), pane };
  throw new BridgeError('tmux-failed', `tmux could not start it: ${stderr.trim() || exitCode}`, {
    certain: exitCode !== 0,
    userMessage: `tmux could not start it: ${stderr.trim() || exitCode}`,
  });
};

/** What a person types within the same tmux server to see a pane: there is no attaching from inside. */
export const selectCommandOf = (pane: PaneIdentity): string =>
  `tmux select-window -t '${pane.pane}'`;

/** What a person types on the host to see a pane; by its id, since names change. */
export const attachCommandOf = (pane: PaneIdentity, uid: number): string => {
  const isDefault = pane.socket.endsWith(`/tmux-${uid}/default`);
  const socket = isDefault ? '' : ` -S ${shellWord(pane.socket)}`;
  return `tmux${socket} attach -t '${pane.pane}'`;
};
