import { readFileSync } from 'node:fs';

/** USER_HZ on every Linux that Node runs on. */
const TICK_MS = 10;
const MB = 2 ** 20;

export interface ProcessCost {
  /** ms of CPU of the process and of its children that ended, since it started. */
  readonly cpuMs: number;
  readonly residentMb: number;
}

/** What a process has used so far, by /proc. Throws where it is gone. */
export const costOf = (pid: number): ProcessCost => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // Fields 14 to 17 of proc(5): user and system time, own and of waited-for children.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kb = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
  return { cpuMs: ticks * TICK_MS, residentMb: (kb * 1024) / MB };
};

/** Clock ticks since boot at which a process started, as registry files have it. */
export const startOf = (pid: number): string => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
};
