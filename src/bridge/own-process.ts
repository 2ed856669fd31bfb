import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { LockDeps } from './instance-lock.ts';

/** Field 22 of /proc/PID/stat, counted after the program's name, which may hold anything. */
const procStart = (pid: number): string | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    // No such process, or a system without /proc.
    return undefined;
  }
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user is alive all the same.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** What the instance lock needs, of this process and machine. */
export const ownProcess = (now: () => number): LockDeps => ({
  pid: process.pid,
  host: hostname(),
  now,
  procStart,
  isAlive,
});
