import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** Puts `write` between the program and files whose name ends like that. */
export const writeFiles = (name: RegExp, write: (text: string) => string): void => {
  const append = fs.appendFileSync;
  fs.appendFileSync = (path, data, options) => {
    const isMeant = typeof path === 'string' && name.test(path) && typeof data === 'string';
    append(path, isMeant ? write(data) : data, options);
  };
  syncBuiltinESMExports();
};
