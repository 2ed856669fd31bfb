import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // Not there, or not for us: both are no program.
    return false;
  }
};

/** Where a program is: a name is looked for in the directories of `searchPath`, a path is itself. */
export const findProgram = (name: string, searchPath: string): string | undefined =>
  name.includes('/')
    ? [name].find(isProgram)
    : searchPath
        .split(delimiter)
        .filter((directory) => directory !== '')
        .map((directory) => join(directory, name))
        .find(isProgram);
