import { type BigIntStats, statSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../bridge/ports/clock.ts';
import { isAbsent } from './is-absent.ts';
import type { RegistryEntry } from './registry-entry.ts';
import { parseRegistryEntry, registryFileOf } from './registry-schema.ts';

/** `absent`: no file, or one that is not finished yet. `unreadable`: a file that stayed torn or strange through all tries. */
export type RegistryReading = RegistryEntry | 'absent' | 'unreadable';

export interface RegistryListing {
  readonly entries: readonly RegistryEntry[];
  /** Processes whose file is there and could not be read this time: alive as far as we know. */
  readonly unreadable: readonly number[];
  /** Processes with a key file; on a start-up screen they have nothing else. */
  readonly keyPids: readonly number[];
}

export interface RegistryDeps {
  readonly clock: Clock;
}

/** Claude Code writes in place and not atomically: a torn file is whole again within a few ms (compat, Registry). */
const TRIES = 6;
const PAUSE_MS = 8;
/** A file is taken from memory only if it had rested for so long when it was read: a later write cannot have the same time. */
const RESTED_MS = 2000;

interface Remembered {
  readonly stamp: string;
  readonly entry: RegistryEntry;
}

/**
 * `--continue` names a fresh session first and the real one some 50 ms later; the status comes last,
 * half a second after the file (seen 2026-11-30 with 2.1.332). Later than this it is a version that has none.
 */
const FINISHED_WITHIN_MS = 15_000;

/** The agent's own list of live sessions: `<config dir>/sessions/`. Only read, never written. */
export class Registry {
  readonly #clock: Clock;
  readonly #remembered = new Map<string, Remembered>();

  constructor(deps: RegistryDeps) {
    this.#clock = deps.clock;
  }

  /** One file, from the disk, now. Throws where the directory is there and forbidden. */
  async read(configDir: string, pid: number): Promise<RegistryReading> {
    const path = join(configDir, 'sessions', `${pid}.json`);
    for (let tried = 1; ; tried += 1) {
      const content = await readFile(path, 'utf8').catch((error: unknown) => {
        if (isAbsent(error)) return undefined;
        throw error;
      });
      if (content === undefined) return 'absent';
      const entry = parseRegistryEntry(content, pid);
      if (entry !== undefined) return this.#isYoung(entry) ? 'absent' : entry;
      if (tried === TRIES) return 'unreadable';
      await this.#clock.sleep(PAUSE_MS);
    }
  }

  /** The whole directory; empty where there is none. Files that rest are not read again. */
  async list(configDir: string): Promise<RegistryListing> {
    const directory = join(configDir, 'sessions');
    const names = await readdir(directory).catch((error: unknown) => {
      if (isAbsent(error)) return [];
      throw error;
    });
    const files = names.flatMap((name) => registryFileOf(name) ?? []);
    const pids = files.filter((file) => file.type === 'entry').map((file) => file.pid);
    const readings = await Promise.all(
      pids.map(async (pid) => ({ pid, reading: await this.#readRested(configDir, pid) })),
    );
    this.#forgetOthers(directory, new Set(pids));
    return {
      entries: readings.flatMap(({ reading }) => (typeof reading === 'string' ? [] : reading)),
      unreadable: readings.flatMap(({ pid, reading }) => (reading === 'unreadable' ? pid : [])),
      keyPids: [...new Set(files.filter((file) => file.type === 'key').map((file) => file.pid))],
    };
  }

  #isYoung(entry: RegistryEntry): boolean {
    const isUnfinished = entry.isUnfinished === true;
    return isUnfinished && this.#clock.now() - entry.startedAt < FINISHED_WITHIN_MS;
  }

  async #readRested(configDir: string, pid: number): Promise<RegistryReading> {
    const path = join(configDir, 'sessions', `${pid}.json`);
    // Synchronous on purpose: a tenth of the cost, and there is one for each run at each look.
    const before: BigIntStats | undefined = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (before === undefined) return 'absent';
    const stamp = `${before.ino}:${before.size}:${before.mtimeNs}`;
    const known = this.#remembered.get(path);
    if (known?.stamp === stamp) return known.entry;
    const reading = await this.read(configDir, pid);
    const hasRested = this.#clock.now() - Number(before.mtimeMs) > RESTED_MS;
    if (typeof reading !== 'string' && hasRested)
      this.#remembered.set(path, { stamp, entry: reading });
    else this.#remembered.delete(path);
    return reading;
  }

  #forgetOthers(directory: string, pids: ReadonlySet<number>): void {
    for (const path of this.#remembered.keys()) {
      const name = path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : '';
      const file = registryFileOf(name);
      if (file !== undefined && !pids.has(file.pid)) this.#remembered.delete(path);
    }
  }
}
