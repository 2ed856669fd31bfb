import { statSync } from 'node:fs';
import { join } from 'node:path';
import { watch } from 'chokidar';
import type { Clock } from '../../bridge/ports/clock.ts';

export interface WatchRegistryDeps {
  readonly clock: Clock;
  /** Directories to watch; asked again at each look, since agents bring new ones. */
  readonly configDirs: () => readonly string[];
  readonly onProblem: (what: string, error: unknown) => void;
}

/** ms between two looks at the directories, for file systems that report nothing. */
const LOOK_MS = 1000;
/** A young agent's file is written in steps; an older one's changes are its follower's business. */
const YOUNG_MS = 20_000;

/**
 * Calls `onHint` soon after an agent started, ended or changed its state: within 2 s, mostly at
 * once. Only a hint to discover again; several changes may be one hint. Resolves when the signal
 * aborts and nothing is watched any more.
 */
export const watchRegistry = async (
  deps: WatchRegistryDeps,
  signal: AbortSignal,
  onHint: () => void,
): Promise<void> => {
  const watcher = watch([], { ignoreInitial: true, depth: 0 });
  const young = new Map<string, number>();
  watcher.on('all', (event, path) => {
    const now = deps.clock.now();
    for (const [known, since] of young) if (now - since > YOUNG_MS) young.delete(known);
    if (event === 'add') young.set(path, now);
    if (event !== 'change' || young.has(path)) onHint();
  });
  watcher.on('error', (error) => deps.onProblem('watching the registry', error));
  const watched = new Set<string>();
  let names = '';
  while (!signal.aborted) {
    const directories = deps.configDirs().map((dir) => join(dir, 'sessions'));
    const now = directories.map(stampOf);
    for (const [index, directory] of directories.entries()) {
      if (watched.has(directory) || now[index] === undefined) continue;
      watched.add(directory);
      watcher.add(directory);
    }
    const next = JSON.stringify(now);
    if (names !== '' && next !== names) onHint();
    names = next;
    await deps.clock.sleep(LOOK_MS, signal);
  }
  await watcher.close();
};

/** Changes with the names in it; `undefined`: not there (yet), or not to be looked at. */
const stampOf = (directory: string): string | undefined => {
  try {
    const { ino, mtimeMs } = statSync(directory);
    return `${ino}:${mtimeMs}`;
  } catch {
    return undefined;
  }
};
