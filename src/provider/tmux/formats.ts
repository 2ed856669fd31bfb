import type { PaneIdentity } from '../../bridge/model/run-state.ts';

/** One pane as tmux describes it in the moment of the call. */
export interface PaneStatus {
  readonly serverPid: number;
  /** Seconds since the epoch. */
  readonly serverStart: number;
  /** `%12`. */
  readonly pane: string;
  /** The process that tmux started in the pane (often a shell), not the agent. */
  readonly panePid: number;
  /** `/dev/pts/7`. */
  readonly tty: string;
  /** The process is gone and the pane was kept (`remain-on-exit`). Never paste here (compat/tmux §1). */
  readonly isDead: boolean;
  /** Copy mode, choose-tree, view mode …: keys go to tmux and not to the agent. */
  readonly isInMode: boolean;
  /** `select-pane -d`: tmux drops keys silently. */
  readonly isInputOff: boolean;
  /** `synchronize-panes` with neighbours: a key would reach other panes as well. */
  readonly isSynchronized: boolean;
  readonly cols: number;
  readonly rows: number;
  /** From 0. The row is of no use: it is kept on the screen. */
  readonly cursorColumn: number;
}

/** One row of `list-panes -a`; a pane of grouped sessions or linked windows is one row with several sessions. */
export interface PaneRow extends PaneStatus {
  /** Names for the rules of the configuration, never a key. */
  readonly sessions: readonly string[];
  /** `@3`. */
  readonly window: string;
  /** Name of the foreground program, printable ASCII only. */
  readonly command: string;
}

export interface ServerIdentity {
  readonly serverPid: number;
  /** Seconds since the epoch. */
  readonly serverStart: number;
}

/** Why nothing was typed into a pane. */
export type PaneRefusal =
  | 'no-server'
  | 'other-server'
  | 'no-pane'
  | 'dead'
  | 'in-mode'
  | 'input-off'
  | 'synchronized'
  | 'cursor-moved';

export const SERVER_FORMAT = '#{pid}\t#{start_time}';

export const STATUS_FORMAT = [
  SERVER_FORMAT,
  '#{pane_id}',
  '#{pane_pid}',
  '#{pane_tty}',
  '#{pane_dead}',
  '#{pane_in_mode}',
  '#{pane_input_off}',
  '#{pane_synchronized}',
  '#{window_panes}',
  '#{pane_width}',
  '#{pane_height}',
  '#{cursor_x}',
].join('\t');

/**
 * tmux escapes control characters in session names itself; a program's name can hold anything, so
 * it stands last and without them.
 */
export const ROW_FORMAT = `${STATUS_FORMAT}\t#{window_id}\t#{session_name}\t#{s/[^ -~]/?/:pane_current_command}`;

/** The condition under which a key may go into this very pane; expanded by the server, atomic with the command that it guards. */
export const guardOf = (pane: PaneIdentity, cursorColumn?: number): string =>
  [
    ...(cursorColumn === undefined ? [] : [`#{==:#{cursor_x},${cursorColumn}}`]),
    `#{==:#{pid},${pane.serverPid}}`,
    `#{==:#{start_time},${pane.serverStart}}`,
    `#{==:#{pane_id},${pane.pane}}`,
    '#{==:#{pane_dead},0}',
    '#{==:#{pane_in_mode},0}',
    '#{==:#{pane_input_off},0}',
    '#{||:#{==:#{pane_synchronized},0},#{==:#{window_panes},1}}',
  ].reduceRight((rest, test) => `#{&&:${test},${rest}}`);

const number = (text: string | undefined): number => Number(text === '' ? Number.NaN : text);

export const parseServer = (line: string): ServerIdentity | undefined => serverIn(line.split('\t'));

const serverIn = (fields: readonly string[]): ServerIdentity | undefined => {
  const [serverPid, serverStart] = [number(fields[0]), number(fields[1])];
  const isWhole = Number.isSafeInteger(serverPid) && Number.isSafeInteger(serverStart);
  return isWhole ? { serverPid, serverStart } : undefined;
};

/** Reads one line of STATUS_FORMAT; `undefined`: tmux found no such pane. */
export const parseStatus = (line: string): PaneStatus | undefined => statusIn(line.split('\t'));

const statusIn = (fields: readonly string[]): PaneStatus | undefined => {
  const server = serverIn(fields);
  const [, , pane, panePid, tty, dead, mode, inputOff, synced, panes, cols, rows, cursor] = fields;
  if (server === undefined || pane === undefined || !isPaneId(pane) || cursor === undefined)
    return undefined;
  return {
    ...server,
    pane,
    panePid: number(panePid),
    tty: tty ?? '',
    isDead: dead !== '0',
    isInMode: mode !== '0',
    isInputOff: inputOff !== '0',
    isSynchronized: synced !== '0' && panes !== '1',
    cols: number(cols),
    rows: number(rows),
    cursorColumn: number(cursor),
  };
};

/** Reads all lines of ROW_FORMAT; what is no such line is left out. */
export const parseRows = (lines: readonly string[]): readonly PaneRow[] => {
  const rows = new Map<string, PaneRow>();
  for (const line of lines) {
    const fields = line.split('\t');
    const status = statusIn(fields);
    const [window, session, command] = fields.slice(13);
    if (status === undefined || window === undefined || session === undefined) continue;
    const known = rows.get(status.pane)?.sessions ?? [];
    const sessions = known.includes(session) ? known : [...known, session];
    rows.set(status.pane, { ...status, window, sessions, command: command ?? '' });
  }
  return [...rows.values()];
};

/** What forbids typing into `pane`, given what tmux says of it now; `undefined`: nothing does. */
export const refusalOf = (
  pane: PaneIdentity,
  status: PaneStatus | ServerIdentity | undefined,
): PaneRefusal | undefined => {
  if (status === undefined) return 'no-server';
  if (status.serverPid !== pane.serverPid || status.serverStart !== pane.serverStart)
    return 'other-server';
  if (!('pane' in status) || status.pane !== pane.pane) return 'no-pane';
  if (status.isDead) return 'dead';
  if (status.isInMode) return 'in-mode';
  if (status.isInputOff) return 'input-off';
  return status.isSynchronized ? 'synchronized' : undefined;
};

export const isPaneId = (text: string): boolean => /^%\d+$/.test(text);

/** stderr of a tmux that found nobody behind the socket (3.3a: both wordings, compat/tmux §2). */
export const meansNoServer = (stderr: string): boolean =>
  /^(no server running on|error connecting to|server exited|lost server)/m.test(stderr);

/** stderr of a tmux whose server lives and has no such pane. */
export const meansNoPane = (stderr: string): boolean => /^can't find (pane|window)/m.test(stderr);
