import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const recordSchema = z.object({
  /** When the contract was kept, ISO 8601. */
  at: z.string(),
  /** Version of afk-bridge that played it. */
  by: z.string(),
});
const fileSchema = z.object({ claudeCode: z.record(z.string(), recordSchema) });
export type VerifiedRecord = z.output<typeof recordSchema>;
type Records = Readonly<Record<string, VerifiedRecord>>;

const fileIn = (stateDir: string): string => join(stateDir, 'verified.json');

/** Versions of Claude Code on which `doctor --verify` saw the whole contract kept on this host. */
export const readVerified = (stateDir: string): Records => {
  try {
    return fileSchema.parse(JSON.parse(readFileSync(fileIn(stateDir), 'utf8'))).claudeCode;
  } catch {
    // None yet, or not what we wrote: then no version counts as verified.
    return {};
  }
};

const write = (stateDir: string, claudeCode: Records): void => {
  const file = fileIn(stateDir);
  const own = `${file}.${process.pid}`;
  writeFileSync(own, `${JSON.stringify({ claudeCode }, null, 2)}\n`, { mode: 0o600 });
  renameSync(own, file);
};

export const recordVerified = (stateDir: string, version: string, record: VerifiedRecord): void =>
  write(stateDir, { ...readVerified(stateDir), [version]: record });

/** True where it was recorded before. */
export const forgetVerified = (stateDir: string, version: string): boolean => {
  const { [version]: record, ...others } = readVerified(stateDir);
  if (record === undefined) return false;
  write(stateDir, others);
  return true;
};
