import { linkSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { BridgeError } from './model/errors.ts';

/** Who holds a state directory. */
const holderSchema = z.object({
  pid: z.int().positive(),
  /** Start of the process in clock ticks since boot; absent where the system does not tell. */
  procStart: z.string().optional(),
  host: z.string(),
  /** ms since the epoch. */
  since: z.number(),
});
export type Holder = z.output<typeof holderSchema>;

export interface LockDeps {
  readonly pid: number;
  /** Host name: a state directory on a shared disk may be held elsewhere, where no pid can be looked at. */
  readonly host: string;
  readonly now: () => number;
  /** Start of a process in clock ticks since boot; undefined: there is none, or it cannot be told. */
  readonly procStart: (pid: number) => string | undefined;
  readonly isAlive: (pid: number) => boolean;
}

/** What can be held, in words: "Stop that one, or" the remedy. */
export interface Held {
  readonly name: string;
  readonly remedy: string;
}

/** Another instance has the state directory, or uses the same token (L3). */
export class HeldError extends BridgeError {
  readonly holder: Holder;

  constructor(what: Held, holder: Holder, file: string) {
    const since = new Date(holder.since).toISOString();
    const who = `process ${holder.pid} on ${holder.host}, since ${since}`;
    super('held', `${what.name} is held by another afk-bridge: ${who}`, {
      certain: true,
      userMessage: `${what.name} is held by another afk-bridge: ${who}. Stop that one, or ${what.remedy}. If it is certainly gone, remove ${file}.`,
    });
    this.name = 'HeldError';
    this.holder = holder;
  }
}

const FILE = /^lock\.(\d+)$/;

/** Generations that are there, lowest first. */
const generations = (dir: string): readonly number[] =>
  readdirSync(dir)
    .flatMap((name) => FILE.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);

const readHolder = (file: string): Holder | undefined => {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return holderSchema.parse(JSON.parse(text));
  } catch {
    // Files are linked into place whole: one that cannot be read is not a lock of ours (a full disk, a hand).
    return undefined;
  }
};

const isHeld = (holder: Holder, deps: LockDeps): boolean => {
  if (holder.host !== deps.host) return true;
  if (!deps.isAlive(holder.pid)) return false;
  const start = deps.procStart(holder.pid);
  return start === undefined || holder.procStart === undefined || start === holder.procStart;
};

/**
 * Takes the state directory for this process, or throws HeldError. A lock is a file `lock.N`; whoever
 * finds the highest one left behind by a dead process makes `lock.N+1`, which only one can. Numbers
 * are never used again, so nobody can take a lock away that was given anew in between; a file is not
 * removed when its process ends, only by the next holder.
 */
export const acquireLock = (
  stateDir: string,
  deps: LockDeps,
  what: Held = { name: stateDir, remedy: 'use another stateDir' },
): Holder => {
  const start = deps.procStart(deps.pid);
  const own: Holder = {
    pid: deps.pid,
    ...(start === undefined ? {} : { procStart: start }),
    host: deps.host,
    since: deps.now(),
  };
  const staged = join(stateDir, `lock-${deps.pid}.tmp`);
  writeFileSync(staged, `${JSON.stringify(own)}\n`, { mode: 0o600 });
  try {
    for (;;) {
      const highest = generations(stateDir).at(-1) ?? 0;
      const current = join(stateDir, `lock.${highest}`);
      const holder = readHolder(current);
      if (holder !== undefined && isHeld(holder, deps)) {
        throw new HeldError(what, holder, current);
      }
      const next = join(stateDir, `lock.${highest + 1}`);
      try {
        linkSync(staged, next);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
        throw error;
      }
      const all = generations(stateDir);
      if (all.at(-1) === highest + 1) {
        for (const old of all.slice(0, -1)) rmSync(join(stateDir, `lock.${old}`), { force: true });
        return own;
      }
      // Our number had been used and removed meanwhile: a later one holds.
      rmSync(next, { force: true });
    }
  } finally {
    rmSync(staged, { force: true });
  }
};

/** Who holds the directory now; undefined: nobody. Changes nothing. */
export const findHolder = (stateDir: string, deps: LockDeps): Holder | undefined => {
  const highest = generations(stateDir).at(-1);
  const holder = highest === undefined ? undefined : readHolder(join(stateDir, `lock.${highest}`));
  return holder !== undefined && isHeld(holder, deps) ? holder : undefined;
};
