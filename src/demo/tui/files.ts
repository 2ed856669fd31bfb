import { createHash } from 'node:crypto';
import {
  appendFileSync,
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from './script.ts';
import type { RegistryPatch, Truth } from './state.ts';

/** Directory name of a project's transcripts: every unit outside [A-Za-z0-9] is a dash. */
const slugOf = (cwd: string): string => {
  const slug = realpathSync(cwd).replace(/[^A-Za-z0-9]/g, '-');
  if (slug.length <= 200) return slug;
  const hash = createHash('sha256').update(slug).digest('hex').slice(0, 6);
  return `${slug.slice(0, 200)}-${hash}`;
};

/** Appends whole lines in one write, to a file that is there from the first prompt on. */
export const transcriptFile = (configDir: string, cwd: string) => {
  const directory = join(configDir, 'projects', slugOf(cwd));
  return {
    /** Throws where there is no such session. */
    read: (session: string): string => readFileSync(join(directory, `${session}.jsonl`), 'utf8'),
    append(session: string, rows: readonly JsonObject[]): void {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
      appendFileSync(join(directory, `${session}.jsonl`), text, { mode: 0o600 });
    },
  };
};

export interface RegistryFacts {
  readonly pid: number;
  readonly procStart: string;
  readonly sessionId: string;
  readonly cwd: string;
  readonly version: string;
  readonly name: string;
  readonly tmux: string | undefined;
}

/** `<config dir>/sessions/<pid>.json` and its key file: written in place, removed at a proper end. */
export const registryFile = (configDir: string, facts: RegistryFacts) => {
  const directory = join(configDir, 'sessions');
  const hash = createHash('sha256').update(`${facts.pid}:${facts.procStart}`).digest('hex');
  const path = join(directory, `${facts.pid}.json`);
  const keyPath = join(directory, `${facts.pid}.${hash}.key`);
  const startedAt = Date.now();
  let fields: Record<string, unknown> | undefined;
  const begin = (): Record<string, unknown> => ({
    pid: facts.pid,
    sessionId: facts.sessionId,
    cwd: facts.cwd,
    startedAt,
    procStart: facts.procStart,
    version: facts.version,
    peerProtocol: 1,
    peerFeatures: ['notify_idle'],
    kind: 'interactive',
    entrypoint: 'cli',
    pidDomain: 'linux:scripted',
    asksForConvertedSkills: null,
    ...(facts.tmux === undefined ? {} : { tmux: facts.tmux }),
    name: facts.name,
    nameSource: 'derived',
    nameSince: startedAt,
  });
  return {
    /** The key file is there before the registry file: trust and other start-up screens have only it. */
    writeKey(): void {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      const key = { peerToken: hash.slice(0, 32), procStart: facts.procStart };
      writeFileSync(keyPath, JSON.stringify(key), { mode: 0o600 });
    },
    /** In place, without a rename: a reader may see it torn. */
    patch(change: RegistryPatch): void {
      const now = Date.now();
      fields = { ...(fields ?? begin()), ...change, updatedAt: now };
      if (change.status !== undefined) fields = { ...fields, statusUpdatedAt: now };
      const text = JSON.stringify(fields);
      const file = openSync(path, 'a+', 0o644);
      closeSync(file);
      const inPlace = openSync(path, 'r+');
      writeSync(inPlace, text, 0);
      ftruncateSync(inPlace, Buffer.byteLength(text));
      closeSync(inPlace);
    },
    remove(): void {
      for (const file of [path, keyPath]) rmSync(file, { force: true });
    },
  };
};

/** The truth for tests: one JSON line for each thing that really reached the agent. */
export const truthFile = (path: string | undefined) => ({
  write(entry: Truth, at: number): void {
    if (path !== undefined) appendFileSync(path, `${JSON.stringify({ ...entry, at })}\n`);
  },
});
