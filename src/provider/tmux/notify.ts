import type { PaneIdentity } from '../../bridge/model/run-state.ts';
import { callTmux, type TmuxDeps } from './call.ts';
import { isPaneId } from './formats.ts';
import { messageText } from './keys.ts';

/** ms for which the line stands; tmux holds the pane's redraw back for so long. */
const SHOWN_MS = 1500;

/**
 * Shows a line to whoever is attached to a session with this pane (D8). Nobody attached, a pane or
 * a server that is gone: nothing happens. Throws BridgeError `tmux-timeout`.
 */
export const notifyClients = async (
  deps: TmuxDeps,
  pane: PaneIdentity,
  text: string,
): Promise<void> => {
  if (!isPaneId(pane.pane)) return;
  const clients = await clientsOf(deps, pane);
  if (clients.length === 0) return;
  const show = ['display-message', '-d', String(SHOWN_MS), '-c'];
  const calls = clients.flatMap((client) => [';', ...show, client, messageText(text)]);
  await callTmux(deps, pane.socket, calls.slice(1));
};

const clientsOf = async (deps: TmuxDeps, pane: PaneIdentity): Promise<readonly string[]> => {
  const { stdout } = await callTmux(deps, pane.socket, [
    ...['list-clients', '-F', 'client #{session_id} #{client_name}', ';'],
    ...['list-panes', '-a', '-f', `#{==:#{pane_id},${pane.pane}}`],
    ...['-F', 'session #{session_id} #{pid} #{start_time}'],
  ]);
  const lines = stdout.split('\n').map((line) => line.split(' '));
  const sessions = lines
    .filter(
      ([kind, , pid, start]) =>
        kind === 'session' && Number(pid) === pane.serverPid && Number(start) === pane.serverStart,
    )
    .map(([, session]) => session);
  return lines.flatMap(([kind, session, client]) =>
    kind === 'client' && client !== undefined && sessions.includes(session) ? client : [],
  );
};
