import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Rows of a JSONL file, a torn last line left out. */
export const readRows = async (file: string): Promise<readonly Record<string, unknown>[]> => {
  const lines = (await readFile(file, 'utf8')).split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
};

/** The transcript of a session, once there is one. */
export const findTranscript = async (
  configDir: string,
  session: string,
): Promise<string | undefined> => {
  const projects = join(configDir, 'projects');
  for (const slug of await readdir(projects).catch((): string[] => [])) {
    const files = await readdir(join(projects, slug)).catch((): string[] => []);
    if (files.includes(`${session}.jsonl`)) return join(projects, slug, `${session}.jsonl`);
  }
  return undefined;
};

/** Asks every 20 ms until the answer is not undefined; throws with `what` at the deadline. */
export const until = async <T>(
  what: string,
  ask: () => Promise<T | undefined> | T | undefined,
  withinMs = 10_000,
): Promise<T> => {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`);
    await sleep(20);
  }
};

/** For `until`: true once so much time has gone by since now; what the agent itself wants time for. */
export const pause = (ms: number): (() => true | undefined) => {
  const since = Date.now();
  return () => (Date.now() - since >= ms ? true : undefined);
};
