import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { CliError } from './exit-codes.ts';

export interface NewFile {
  readonly path: string;
  readonly content: string;
}

/** Copies what stands there to the first free name beside it. @returns that name; undefined: nothing was there. */
const keepOld = (path: string): string | undefined => {
  if (!existsSync(path)) return undefined;
  for (let n = 1; ; n++) {
    const kept = `${path}.bak${n === 1 ? '' : n}`;
    try {
      copyFileSync(path, kept, constants.COPYFILE_EXCL);
      chmodSync(kept, 0o600);
      return kept;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
};

/**
 * Writes files that only this user reads, each whole or not at all; what stood there before is kept
 * beside it. Throws CliError. @returns sentences about what was done.
 */
export const writePrivately = (files: readonly NewFile[]): readonly string[] => {
  const said: string[] = [];
  for (const { path, content } of files) {
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      if (existsSync(path) && readFileSync(path, 'utf8') === content) {
        chmodSync(path, 0o600);
        continue;
      }
      const kept = keepOld(path);
      const fresh = `${path}.${process.pid}.new`;
      writeFileSync(fresh, content, { mode: 0o600 });
      renameSync(fresh, path);
      said.push(kept === undefined ? `wrote ${path}` : `wrote ${path}; what was there is ${kept}`);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      throw new CliError('failed', `${path} cannot be written: ${code ?? String(error)}`);
    }
  }
  return said;
};
