import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** What a running bridge leaves in its state directory for the other commands; private to the user. */
const noteSchema = z.object({
  pid: z.int(),
  version: z.string(),
  /** Address of the page with its token: whoever has it is owner there. */
  link: z.string(),
});
export type PageNote = z.output<typeof noteSchema>;

const fileIn = (stateDir: string): string => join(stateDir, 'page.json');

/** The page's address that logs a device in. The token stands in the fragment: it is not sent or logged by anyone. */
export const pageLink = (url: string, token: string): string =>
  `${url.replace(/\/+$/, '')}/#token=${token}`;

export const writePageNote = (stateDir: string, note: PageNote): void => {
  const file = fileIn(stateDir);
  rmSync(file, { force: true });
  writeFileSync(file, `${JSON.stringify(note)}\n`, { mode: 0o600, flag: 'wx' });
};

export const removePageNote = (stateDir: string): void => rmSync(fileIn(stateDir), { force: true });

/** The note of the bridge with this pid; undefined where there is none or it is another one's. */
export const readPageNote = (stateDir: string, pid: number): PageNote | undefined => {
  try {
    const note = noteSchema.parse(JSON.parse(readFileSync(fileIn(stateDir), 'utf8')));
    return note.pid === pid ? note : undefined;
  } catch {
    // Not written yet, removed, or half written: then the address is not known.
    return undefined;
  }
};
