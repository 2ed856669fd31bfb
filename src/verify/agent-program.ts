import { spawn } from 'node:child_process';
import { access, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

/** A Claude Code that can be started, or why there is none. */
export type AgentProgram =
  | { readonly status: 'installed'; readonly command: string; readonly version: string }
  | {
      readonly status: 'unavailable';
      readonly reason: string;
      /** The package registry could not be reached: no fault of this machine's set-up. */
      readonly isOffline: boolean;
    };

const Pin = z.object({ version: z.string(), package: z.string() });
const pinFile = new URL('../../compat/claude-code/pin.json', import.meta.url);

/** The version that the compat record speaks of. */
export const readPin = async (): Promise<z.infer<typeof Pin>> =>
  Pin.parse(JSON.parse(await readFile(pinFile, 'utf8')));

const cacheRoot = (): string =>
  join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'afk-bridge-live');

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

const installMs = 5 * 60_000;
const offline = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET/;

/** Runs npm in `dir`; gives what it printed, and whether it ended well. */
const npmInstall = (dir: string, spec: string): Promise<{ isOk: boolean; output: string }> =>
  new Promise((resolve) => {
    const child = spawn(
      'npm',
      ['install', '--prefix', dir, '--no-audit', '--no-fund', '--no-save', spec],
      { stdio: ['ignore', 'pipe', 'pipe'], timeout: installMs },
    );
    let output = '';
    const keep = (data: Buffer) => {
      output = (output + data.toString('utf8')).slice(-4_000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) => resolve({ isOk: false, output: error.message }));
    child.on('close', (code) => resolve({ isOk: code === 0, output }));
  });

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Takes the lock directory, or takes it over from a process that is gone; false at the deadline. */
const takeLock = async (lock: string, deadline: number): Promise<boolean> => {
  while (Date.now() < deadline) {
    const isOurs = await mkdir(lock).then(
      () => true,
      () => false,
    );
    if (isOurs) {
      await writeFile(join(lock, 'pid'), String(process.pid));
      return true;
    }
    const holder = Number(await readFile(join(lock, 'pid'), 'utf8').catch(() => ''));
    if (holder > 0 && !isAlive(holder)) await rm(lock, { recursive: true, force: true });
    await sleep(200);
  }
  return false;
};

/**
 * Finds the given version (the pinned one by default) in the cache directory outside any
 * node_modules, and installs it there when it is missing: about 390 MB, 10 to 15 s. Two callers
 * do not install at once. Never throws for a missing network.
 */
export const findAgentProgram = async (
  options: { readonly version?: string; readonly root?: string } = {},
): Promise<AgentProgram> => {
  const pin = await readPin();
  const version = options.version ?? pin.version;
  if (!/^\d+\.\d+\.\d+$/.test(version)) {
    return { status: 'unavailable', reason: `“${version}” is no version`, isOffline: false };
  }
  const root = options.root ?? cacheRoot();
  const dir = join(root, `claude-code-${version}`);
  const command = join(dir, 'node_modules', '.bin', 'claude');
  const installed = { status: 'installed', command, version } as const;
  if (await exists(command)) return installed;
  await mkdir(root, { recursive: true, mode: 0o700 });
  const lock = `${dir}.lock`;
  if (!(await takeLock(lock, Date.now() + installMs))) {
    return {
      status: 'unavailable',
      reason: `${lock} is held by another install`,
      isOffline: false,
    };
  }
  try {
    if (await exists(command)) return installed;
    const fresh = await mkdtemp(join(root, 'install-'));
    const { isOk, output } = await npmInstall(fresh, `${pin.package}@${version}`);
    if (isOk && (await exists(join(fresh, 'node_modules', '.bin', 'claude')))) {
      await rm(dir, { recursive: true, force: true });
      await rename(fresh, dir);
      return installed;
    }
    await rm(fresh, { recursive: true, force: true });
    const isOffline = offline.test(output);
    const last = output.trim().split('\n').slice(-3).join(' ').slice(0, 300);
    return {
      status: 'unavailable',
      isOffline,
      reason: isOffline
        ? 'the npm registry cannot be reached'
        : `npm could not install it: ${last}`,
    };
  } finally {
    await rm(lock, { recursive: true, force: true });
  }
};
