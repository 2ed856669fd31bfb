import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import type { Clock } from '../../bridge/ports/clock.ts';

/** A file's text; '' where it is none. */
const textOf = async (path: string): Promise<string> => {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch {
    return '';
  }
};

/**
 * The branch that a directory is on, from git's own files: worktrees and submodules included, the
 * first 8 characters of the commit on a detached HEAD, `undefined` outside a repository.
 */
export const branchOf = async (directory: string): Promise<string | undefined> => {
  for (let at = directory; ; at = dirname(at)) {
    const dotGit = join(at, '.git');
    const head = (await textOf(join(dotGit, 'HEAD'))) || (await headOfFile(dotGit, at));
    if (head !== '') return nameOf(head);
    if (at === dirname(at)) return undefined;
  }
};

/** A worktree's or submodule's `.git` is a file that says where its git directory is. */
const headOfFile = async (dotGit: string, base: string): Promise<string> => {
  const target = /^gitdir: (.+)$/m.exec(await textOf(dotGit))?.[1];
  if (target === undefined) return '';
  return textOf(join(isAbsolute(target) ? target : join(base, target), 'HEAD'));
};

const nameOf = (head: string): string | undefined => {
  const ref = /^ref: (?:refs\/heads\/)?(.+)$/.exec(head)?.[1];
  return ref ?? (/^[0-9a-f]{40,64}$/.test(head) ? head.slice(0, 8) : undefined);
};

/** Only shown to people: asked again for the same directory after this time. */
const FRESH_MS = 15_000;

/** `branchOf`, asked at most every 15 s for each directory. */
export const rememberedBranchOf = (
  clock: Clock,
): ((directory: string) => Promise<string | undefined>) => {
  const known = new Map<string, { readonly at: number; readonly branch: string | undefined }>();
  return async (directory) => {
    const found = known.get(directory);
    if (found !== undefined && clock.now() - found.at < FRESH_MS) return found.branch;
    const branch = await branchOf(directory);
    known.set(directory, { at: clock.now(), branch });
    return branch;
  };
};
