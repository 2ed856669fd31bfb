import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { branchOf, rememberedBranchOf } from '../../../../src/provider/claude-code/branch.ts';

describe('branch from git’s own files', () => {
  let base: string;
  let repo: string;
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', repo, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH ?? '', HOME: base },
    }).trim();
  beforeAll(() => {
    base = mkdtempSync(join(tmpdir(), 'afk-branch-'));
    repo = join(base, 'repo');
    mkdirSync(join(repo, 'deep', 'er'), { recursive: true });
    git('init', '-q', '-b', 'feat/one');
    git('commit', '-q', '--allow-empty', '-m', 'x');
  });
  afterAll(() => rmSync(base, { recursive: true, force: true }));

  it('reads it in the tree, below it, and in a worktree', async () => {
    expect(await branchOf(repo)).toBe('feat/one');
    git('worktree', 'add', '-q', '-b', 'side', join(base, 'tree'));
    expect(await branchOf(join(base, 'tree'))).toBe('side');
    git('checkout', '-q', '-b', 'feat/deep');
    expect(await branchOf(join(repo, 'deep', 'er'))).toBe('feat/deep');
  });

  it('gives the short commit of a detached HEAD', async () => {
    const commit = git('rev-parse', 'HEAD');
    git('worktree', 'add', '-q', '--detach', join(base, 'detached'));
    expect(await branchOf(join(base, 'detached'))).toBe(commit.slice(0, 8));
  });

  it('gives nothing outside a repository, and for nonsense', async () => {
    expect(await branchOf(join(base, 'nowhere'))).toBeUndefined();
    mkdirSync(join(base, 'odd'));
    writeFileSync(join(base, 'odd', '.git'), 'gitdir: /no/such/place\n');
    expect(await branchOf(join(base, 'odd'))).toBeUndefined();
  });

  it('asks again after 15 s', async () => {
    let now = 0;
    const remembered = rememberedBranchOf({ now: () => now, sleep: async () => undefined });
    git('checkout', '-q', '-b', 'before');
    expect(await remembered(repo)).toBe('before');
    git('checkout', '-q', '-b', 'after');
    expect(await remembered(repo)).toBe('before');
    now = 15_000;
    expect(await remembered(repo)).toBe('after');
  });
});
