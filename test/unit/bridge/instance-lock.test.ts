import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  acquireLock,
  findHolder,
  HeldError,
  type LockDeps,
} from '../../../src/bridge/instance-lock.ts';
import { ownProcess } from '../../../src/bridge/own-process.ts';
import { tempDir } from '../../fakes/temp-dir.ts';

/** Processes of a pretended machine: pid → start. */
const machine = (processes: Map<number, string>, host = 'here') => ({
  as: (pid: number): LockDeps => ({
    pid,
    host,
    now: () => 1_800_000_000_000,
    procStart: (p) => processes.get(p),
    isAlive: (p) => processes.has(p),
  }),
});

describe('acquireLock (L3)', () => {
  it('O07 gives the directory to one, and tells the second who has it', () => {
    const dir = tempDir();
    const { as } = machine(
      new Map([
        [10, 'a'],
        [11, 'b'],
      ]),
    );
    acquireLock(dir, as(10));
    expect(() => acquireLock(dir, as(11))).toThrow(HeldError);
    expect(() => acquireLock(dir, as(11))).toThrow(/process 10 on here, since 2027-01-15/);
    expect(findHolder(dir, as(11))).toMatchObject({ pid: 10, procStart: 'a' });
  });

  it('takes over from a process that is gone, also when its pid was given again', () => {
    const dir = tempDir();
    const processes = new Map([
      [10, 'a'],
      [11, 'b'],
    ]);
    const { as } = machine(processes);
    acquireLock(dir, as(10));
    processes.set(10, 'reused');
    expect(findHolder(dir, as(11))).toBeUndefined();
    expect(acquireLock(dir, as(11))).toMatchObject({ pid: 11 });
    processes.delete(11);
    expect(acquireLock(dir, as(10))).toMatchObject({ pid: 10, procStart: 'reused' });
    expect(readdirSync(dir)).toEqual(['lock.3']);
  });

  it('does not judge a process of another machine', () => {
    const dir = tempDir();
    acquireLock(dir, machine(new Map([[10, 'a']]), 'there').as(10));
    expect(() => acquireLock(dir, machine(new Map([[11, 'b']])).as(11))).toThrow(
      expect.objectContaining({ userMessage: expect.stringMatching(/remove .*lock\.1/) }),
    );
  });

  it('is not stopped by a lock file that is no lock', () => {
    const dir = tempDir();
    writeFileSync(join(dir, 'lock.4'), '{"pid":');
    expect(acquireLock(dir, machine(new Map([[10, 'a']])).as(10)).pid).toBe(10);
    expect(readdirSync(dir)).toEqual(['lock.5']);
  });
});

describe('acquireLock between real processes (L3)', () => {
  const holder = async (dir: string): Promise<ChildProcess> => {
    const child = spawn(process.execPath, ['--import', 'tsx', 'test/fakes/lock-holder.ts', dir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    return child;
  };

  it('invariant 5: one bridge per state directory, also after SIGKILL of the one before', async () => {
    const dir = tempDir();
    const child = await holder(dir);
    const deps = ownProcess(Date.now);
    expect(() => acquireLock(dir, deps)).toThrow(new RegExp(`process ${child.pid} on `));
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(acquireLock(dir, deps).pid).toBe(process.pid);
  });
});
