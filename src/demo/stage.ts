import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { callTmux, type TmuxDeps } from '../provider/tmux/call.ts';
import { isAlive, lifeOf } from './tui/process.ts';

/** Where one demo lives: a temporary directory that goes with it. */
export interface Stage {
  readonly root: string;
  readonly stateDir: string;
  /** Configuration directory of the scripted agents. */
  readonly configDir: string;
  /** Socket of the demo's own tmux server. */
  readonly socket: string;
  readonly workDir: string;
}

const prefix = 'afk-bridge-demo-';
const ownerFile = 'owner.json';
const ownerSchema = z.object({ pid: z.int().positive(), life: z.string() });
/** A directory without its owner's note is one that begins, or one that a crash left behind, ms. */
const beginsWithinMs = 60_000;
/** How long scripted agents may take to end after their server went, ms. */
const endsWithinMs = 3000;

export const openStage = (tempDir: string): Stage => {
  const root = mkdtempSync(join(tempDir, prefix));
  const owner = { pid: process.pid, life: lifeOf(process.pid) };
  writeFileSync(join(root, ownerFile), JSON.stringify(owner));
  const stage = {
    root,
    stateDir: join(root, 'state'),
    configDir: join(root, 'claude'),
    socket: join(root, 'tmux.sock'),
    workDir: join(root, 'work'),
  };
  for (const dir of [stage.stateDir, stage.configDir, stage.workDir])
    mkdirSync(dir, { mode: 0o700 });
  return stage;
};

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Ends the tmux server of a demo with all that runs in it, and removes its directory. */
export const clearStage = async (root: string, tmux: TmuxDeps): Promise<void> => {
  const socket = join(root, 'tmux.sock');
  const panes = await callTmux(tmux, socket, ['list-panes', '-a', '-F', '#{pane_pid}']);
  const pids = panes.exitCode === 0 ? panes.stdout.trim().split('\n').map(Number) : [];
  if (panes.exitCode === 0) await callTmux(tmux, socket, ['kill-server']);
  const deadline = Date.now() + endsWithinMs;
  while (pids.some(isAlive) && Date.now() < deadline) await wait(25);
  for (const pid of pids.filter(isAlive)) process.kill(pid, 'SIGKILL');
  rmSync(root, { recursive: true, force: true });
};

const readOwner = (root: string): z.output<typeof ownerSchema> | undefined => {
  try {
    return ownerSchema.parse(JSON.parse(readFileSync(join(root, ownerFile), 'utf8')));
  } catch {
    // Not written yet, or half: the directory's age decides.
    return undefined;
  }
};

const isAbandoned = (root: string): boolean => {
  const stat = statSync(root, { throwIfNoEntry: false });
  if (stat === undefined || stat.uid !== process.getuid?.()) return false;
  const owner = readOwner(root);
  if (!owner) return Date.now() - stat.mtimeMs > beginsWithinMs;
  return lifeOf(owner.pid) !== owner.life;
};

/** Clears what demos of this user left behind that were killed; gives their number. */
export const sweepStages = async (tempDir: string, tmux: TmuxDeps): Promise<number> => {
  const roots = readdirSync(tempDir)
    .filter((name) => name.startsWith(prefix))
    .map((name) => join(tempDir, name))
    .filter(isAbandoned);
  for (const root of roots) await clearStage(root, tmux);
  return roots.length;
};
