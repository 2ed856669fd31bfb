import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { BridgeError } from '../bridge/model/errors.ts';
import { prepareStateDir } from '../bridge/state-dir.ts';
import { callTmux } from '../provider/tmux/call.ts';

/** What `doctor` asks of this machine. Nothing of it throws; a sentence says what is wrong. */
export interface Machine {
  /** `20.20.0`. */
  readonly nodeVersion: string;
  /** What `tmux -V` prints; undefined: there is no tmux. */
  tmuxVersion(): Promise<string | undefined>;
  /** The version that the agent program says it has, or why it says none. */
  agentVersion(command: string): Promise<{ readonly version: string } | { readonly why: string }>;
  isDirectory(path: string): boolean;
  /** Makes the state directory, private, and writes into it; undefined: it can be used. */
  stateDirTrouble(path: string): Promise<string | undefined>;
  /** Nobody listens there. */
  isFree(host: string, port: number): Promise<boolean>;
}

const VERSION_WITHIN_MS = 20_000;

const tmuxVersion = async (): Promise<string | undefined> => {
  try {
    return (await callTmux({}, '/dev/null', ['-V'])).stdout.trim();
  } catch (error) {
    if (error instanceof BridgeError) return undefined;
    throw error;
  }
};

const agentVersion: Machine['agentVersion'] = (command) =>
  new Promise((resolve) => {
    const env = { ...process.env, DISABLE_AUTOUPDATER: '1' };
    execFile(command, ['--version'], { env, timeout: VERSION_WITHIN_MS }, (error, stdout) => {
      const version = /\d+\.\d+\.\d+[\w.-]*/.exec(stdout)?.[0];
      if (version !== undefined) resolve({ version });
      else
        resolve({ why: error?.message.split('\n')[0] ?? `it printed ${JSON.stringify(stdout)}` });
    });
  });

const stateDirTrouble = async (path: string): Promise<string | undefined> => {
  try {
    const stateDir = prepareStateDir(path);
    const probe = await mkdtemp(join(stateDir.path, 'doctor-'));
    try {
      await writeFile(join(probe, 'written'), 'x');
    } finally {
      await rm(probe, { recursive: true });
    }
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

const isFree = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });

export const thisMachine: Machine = {
  nodeVersion: process.versions.node,
  tmuxVersion,
  agentVersion,
  isDirectory: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true,
  stateDirTrouble,
  isFree,
};
