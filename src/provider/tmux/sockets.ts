import { lstat, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';

/** A tmux server to look at, as people name it: `tmux -L name` or `tmux -S path`. */
export type SocketName = { readonly name: string } | { readonly path: string };

export interface SocketsDeps {
  readonly uid: number;
  /** `$TMUX_TMPDIR` of this process; tmux's own default is /tmp. */
  readonly tmuxTmpdir?: string | undefined;
  /** Looked at in any case. `auto`: whatever is found. */
  readonly configured: 'auto' | readonly SocketName[];
}

const directoriesOf = (deps: SocketsDeps): readonly string[] =>
  [...new Set([deps.tmuxTmpdir ?? '/tmp', '/tmp'])].map((base) => join(base, `tmux-${deps.uid}`));

/** Where `tmux -L name` has its socket. */
export const socketPathOf = (socket: SocketName, deps: SocketsDeps): string =>
  'path' in socket ? socket.path : join(directoriesOf(deps)[0] ?? '', socket.name);

/**
 * Sockets of this user's tmux servers: the default directories, or only those that are
 * configured, and `known` ones (from the environment of agents) where everything is looked at.
 * Only sockets that this user owns; each once, whatever paths lead to it.
 */
export const findSockets = async (
  deps: SocketsDeps,
  known: readonly string[],
): Promise<readonly OwnSocket[]> => {
  const paths =
    deps.configured === 'auto'
      ? [...(await Promise.all(directoriesOf(deps).map(listed))).flat(), ...known]
      : deps.configured.map((socket) => socketPathOf(socket, deps));
  const found = await Promise.all([...new Set(paths)].map((path) => ownSocket(path, deps.uid)));
  const byPath = new Map(found.flatMap((socket) => (socket ? [[socket.path, socket]] : [])));
  return [...byPath.values()];
};

export interface OwnSocket {
  readonly path: string;
  /** Changes whenever a server makes its socket anew. */
  readonly stamp: string;
}

const listed = async (directory: string): Promise<readonly string[]> => {
  try {
    return (await readdir(directory)).map((name) => join(directory, name));
  } catch {
    return [];
  }
};

const ownSocket = async (path: string, uid: number): Promise<OwnSocket | undefined> => {
  try {
    const real = await realpath(path);
    const info = await lstat(real, { bigint: true });
    if (!info.isSocket() || info.uid !== BigInt(uid)) return undefined;
    return { path: real, stamp: `${info.dev}:${info.ino}:${info.ctimeNs}` };
  } catch {
    return undefined;
  }
};
