import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../bridge/ports/clock.ts';

/** One scan serves every run that waits for its transcript. */
const RESCAN_MS = 250;

/** What one directory held when its time stamp was last seen. */
interface Known {
  readonly stamp: number;
  readonly names: ReadonlySet<string>;
}

/** `undefined` where it vanished meanwhile or may not be read: another run's trouble (L4). */
const changedAt = async (path: string): Promise<number | undefined> => {
  try {
    return (await stat(path)).mtimeMs;
  } catch {
    return undefined;
  }
};

const namesIn = async (path: string): Promise<readonly string[]> => {
  try {
    return await readdir(path);
  } catch {
    return [];
  }
};

/**
 * Finds transcripts by session id in `<config dir>/projects/<any>/`: the directory's name is never
 * computed, since its rule is the agent's own (compat/claude-code, "Transcript location").
 */
export class Locator {
  readonly #clock: Clock;
  readonly #known = new Map<string, Known>();
  readonly #scans = new Map<string, { at: number; done: Promise<void> }>();

  constructor(deps: { readonly clock: Clock }) {
    this.#clock = deps.clock;
  }

  /** The transcript's path; the newest where two directories hold one; `undefined` until it is born. */
  async find(projectsDir: string, session: string): Promise<string | undefined> {
    await this.#scan(projectsDir);
    const name = `${session}.jsonl`;
    const found = [...this.#known]
      .filter(
        ([directory, { names }]) => directory.startsWith(`${projectsDir}/`) && names.has(name),
      )
      .map(([directory]) => join(directory, name));
    if (found.length <= 1) return found[0];
    const dated = await Promise.all(
      found.map(async (path) => ({ path, at: (await changedAt(path)) ?? 0 })),
    );
    return dated.sort((a, b) => b.at - a.at)[0]?.path;
  }

  #scan(projectsDir: string): Promise<void> {
    const now = this.#clock.now();
    const last = this.#scans.get(projectsDir);
    if (last !== undefined && now - last.at < RESCAN_MS) return last.done;
    const done = this.#read(projectsDir);
    this.#scans.set(projectsDir, { at: now, done });
    return done;
  }

  async #read(projectsDir: string): Promise<void> {
    const directories = (await namesIn(projectsDir)).map((name) => join(projectsDir, name));
    const present = new Set(directories);
    for (const known of this.#known.keys()) {
      if (known.startsWith(`${projectsDir}/`) && !present.has(known)) this.#known.delete(known);
    }
    await Promise.all(
      directories.map(async (directory) => {
        const stamp = await changedAt(directory);
        if (stamp === undefined) return;
        // A directory that changed a moment ago may change again under the same stamp.
        const isFresh = this.#clock.now() - stamp < 2 * 1000;
        if (!isFresh && this.#known.get(directory)?.stamp === stamp) return;
        this.#known.set(directory, { stamp, names: new Set(await namesIn(directory)) });
      }),
    );
  }
}
