import { randomUUID } from 'node:crypto';
import { BridgeError } from '../../bridge/model/errors.ts';
import type { PaneIdentity } from '../../bridge/model/run-state.ts';
import { type CallResult, callTmux, type TmuxDeps } from './call.ts';
import {
  guardOf,
  meansNoPane,
  meansNoServer,
  type PaneRefusal,
  type PaneRow,
  type PaneStatus,
  parseRows,
  parseServer,
  parseStatus,
  ROW_FORMAT,
  refusalOf,
  SERVER_FORMAT,
  type ServerIdentity,
  STATUS_FORMAT,
} from './formats.ts';
import { isPasteable, type Key, keyCommands } from './keys.ts';
import { type LaunchRequest, newSession, newWindow } from './launch.ts';
import { notifyClients } from './notify.ts';

export interface ServerPanes extends ServerIdentity {
  readonly socket: string;
  readonly panes: readonly PaneRow[];
}

/** Whether the keys went in. Not typed means: not one byte reached the pane. */
export type InputResult =
  | { readonly typed: true }
  | { readonly typed: false; readonly why: PaneRefusal };

/** What stands in a pane, or why it is not the pane that was meant. A dead pane or one in a mode has a screen as well. */
export type Look =
  | { readonly found: true; readonly status: PaneStatus; readonly screen: string }
  | { readonly found: false; readonly why: 'no-server' | 'other-server' | 'no-pane' };

/** What tmux says of a pane whose identity fits, or why it does not. */
export type PaneCheck =
  | { readonly found: true; readonly status: PaneStatus }
  | { readonly found: false; readonly why: 'no-server' | 'other-server' | 'no-pane' };

const TYPED = 'typed';

/** Commands that one step inside the server carries out or not. */
interface Guarded {
  readonly pane: PaneIdentity;
  readonly cursorColumn?: number | undefined;
  readonly before?: readonly string[];
  readonly commands: readonly string[];
  /** Instead of `commands`. */
  readonly otherwise?: readonly string[];
  readonly input?: string;
}

/**
 * tmux as the bridge needs it. Every call names its socket, has a time limit and asks the present;
 * nothing is remembered between two calls. Expected refusals are values; BridgeError
 * `tmux-timeout` (certain: false), `tmux-missing`, `tmux-failed` are thrown.
 */
export class Tmux {
  readonly #deps: TmuxDeps;

  constructor(deps: TmuxDeps = {}) {
    this.#deps = deps;
  }

  /** Who answers behind a socket now; `undefined`: nobody. */
  async serverIdentity(socket: string): Promise<ServerIdentity | undefined> {
    const result = await this.#call(socket, ['display-message', '-p', SERVER_FORMAT]);
    return result === undefined ? undefined : parseServer(result.stdout);
  }

  /** All panes of a server in one call; `undefined`: no server. */
  async listPanes(socket: string): Promise<ServerPanes | undefined> {
    const result = await this.#call(socket, [
      ...['display-message', '-p', SERVER_FORMAT, ';'],
      ...['list-panes', '-a', '-F', ROW_FORMAT],
    ]);
    if (result === undefined) return undefined;
    const [first, ...lines] = result.stdout.split('\n');
    const server = parseServer(first ?? '');
    return server && { socket, ...server, panes: parseRows(lines) };
  }

  /** One call: does the identity still fit, and what is the pane's condition. */
  async paneStatus(pane: PaneIdentity): Promise<PaneCheck> {
    const look = await this.#look(pane, []);
    return look.found ? { found: true, status: look.status } : look;
  }

  /**
   * One call: status and the visible screen with its escape sequences and trailing blanks, of the pane that was meant
   * and no other. In a mode the screen is the agent's own, below the mode.
   */
  async look(pane: PaneIdentity): Promise<Look> {
    return this.#look(pane, [';', 'capture-pane', '-p', '-e', '-N', '-t', pane.pane]);
  }

  /** Leaves copy mode, choose-tree and every other mode, where the pane is in one; nothing otherwise. */
  async leaveMode(pane: PaneIdentity): Promise<PaneCheck> {
    const id = paneId(pane);
    await this.#call(pane.socket, [
      ...['if-shell', '-F', '-t', id, sameMode(pane), `copy-mode -q -t ${id}`],
    ]);
    return this.paneStatus(pane);
  }

  /**
   * Pastes text, bracketed where the program asked for it, line feeds kept, from a private buffer
   * that is gone afterwards. Guard and paste are one step inside the server: never into a dead
   * pane, a mode, another server's pane of the same number. Throws `tmux-unsafe-text` for control
   * characters other than line feed and tab.
   */
  async paste(pane: PaneIdentity, text: string): Promise<InputResult> {
    if (!isPasteable(text))
      throw new BridgeError('tmux-unsafe-text', 'text with control characters', { certain: true });
    const buffer = `afk-bridge-${randomUUID()}`;
    try {
      return await this.#guarded({
        pane,
        before: ['load-buffer', '-b', buffer, '-', ';'],
        commands: [`paste-buffer -p -r -d -b ${buffer} -t ${paneId(pane)}`],
        otherwise: [`delete-buffer -b ${buffer}`],
        input: text,
      });
    } catch (error) {
      await this.#forget(pane.socket, buffer);
      throw error;
    }
  }

  /**
   * Presses named keys and digits; never into a dead pane, a mode or synchronized neighbours. With
   * `cursorColumn` only while the cursor stands there, as it did when the pane was looked at: what
   * somebody has typed since has moved it.
   */
  async keys(
    pane: PaneIdentity,
    keys: readonly Key[],
    cursorColumn?: number,
  ): Promise<InputResult> {
    return this.#guarded({ pane, cursorColumn, commands: keyCommands(paneId(pane), keys) });
  }

  /**
   * Shows a line to whoever is attached to a session with this pane. A courtesy beside a delivery
   * that has its own outcome: neither nobody attached nor a server that does not answer is an error.
   */
  async notify(pane: PaneIdentity, text: string): Promise<void> {
    try {
      await notifyClients(this.#deps, pane, text);
    } catch (error) {
      if (!(error instanceof BridgeError)) throw error;
    }
  }

  /** Starts a program in a new detached session. Throws `tmux-failed`. */
  async newSession(socket: string, request: LaunchRequest): Promise<PaneIdentity> {
    return newSession(this.#deps, socket, request);
  }

  /** Starts a program in a new window next to a pane (`%3`). Throws `tmux-failed`. */
  async newWindow(socket: string, besides: string, request: LaunchRequest): Promise<PaneIdentity> {
    return newWindow(this.#deps, socket, besides, request);
  }

  async #guarded({
    pane,
    cursorColumn,
    before = [],
    commands,
    otherwise = [],
    input,
  }: Guarded): Promise<InputResult> {
    const id = paneId(pane);
    const result = await this.#call(
      pane.socket,
      [
        ...before,
        ...['if-shell', '-F', '-t', id, guardOf(pane, cursorColumn)],
        [...commands, `display-message -p ${TYPED}`].join(' ; '),
        [...otherwise, `display-message -p -t ${id} '${STATUS_FORMAT}'`].join(' ; '),
      ],
      input,
    );
    if (result === undefined) return { typed: false, why: 'no-server' };
    const lines = result.stdout.split('\n');
    if (lines.includes(TYPED)) return { typed: true };
    const line = lines[0] ?? '';
    const status = parseStatus(line);
    const now = status ?? parseServer(line);
    const why = now && refusalOf(pane, now);
    if (why !== undefined) return { typed: false, why };
    if (status === undefined || cursorColumn === undefined) throw failed(result);
    return { typed: false, why: 'cursor-moved' };
  }

  async #look(pane: PaneIdentity, more: readonly string[]): Promise<Look> {
    const result = await this.#call(pane.socket, [
      ...['display-message', '-p', '-t', paneId(pane), STATUS_FORMAT],
      ...more,
    ]);
    if (result === undefined) return { found: false, why: 'no-server' };
    const end = result.stdout.indexOf('\n');
    const line = result.stdout.slice(0, end);
    const status = parseStatus(line);
    const why = refusalOf(pane, status ?? parseServer(line));
    if (why === 'no-server' || why === 'other-server' || why === 'no-pane')
      return { found: false, why };
    if (status === undefined) return { found: false, why: 'no-pane' };
    return { found: true, status, screen: result.stdout.slice(end + 1) };
  }

  /** `undefined`: no server. A missing pane is left to the caller, who sees it in the status line. */
  async #call(
    socket: string,
    args: readonly string[],
    input?: string,
  ): Promise<CallResult | undefined> {
    const result = await callTmux(this.#deps, socket, args, input);
    if (result.exitCode === 0 || meansNoPane(result.stderr)) return result;
    if (meansNoServer(result.stderr)) return undefined;
    throw failed(result);
  }

  /** After an uncertain paste: the text must not stay behind in a buffer. The first error is the one that counts. */
  async #forget(socket: string, buffer: string): Promise<void> {
    await callTmux(this.#deps, socket, ['delete-buffer', '-b', buffer]).catch(() => undefined);
  }
}

const failed = (result: CallResult): BridgeError =>
  new BridgeError('tmux-failed', `tmux failed: ${result.stderr.trim() || result.exitCode}`, {
    certain: false,
  });

/** Pane ids stand inside tmux command strings: only `%` and digits may. */
const paneId = (pane: PaneIdentity): string => {
  if (/^%\d+$/.test(pane.pane)) return pane.pane;
  throw new BridgeError('tmux-bad-pane', 'not a pane id', { certain: true });
};

const sameMode = (pane: PaneIdentity): string =>
  `#{&&:#{==:#{pid} #{start_time} #{pane_id},${pane.serverPid} ${pane.serverStart} ${pane.pane}},#{pane_in_mode}}`;
