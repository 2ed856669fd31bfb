import { describe, test } from 'vitest';
import type { Backstage } from './backstage.ts';
import { type AdapterCase, adapterCases } from './chat-adapter.cases.ts';

export type { Backstage } from './backstage.ts';

/** Plays one case on a stage of its own. Rejects as the case does, or when it does not end in time. */
export const playCase = async (
  one: AdapterCase,
  setUp: () => Promise<Backstage>,
  withinMs = 15_000,
): Promise<void> => {
  const stage = await setUp();
  const aborted = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end within ${withinMs} ms`)), withinMs);
  });
  try {
    await Promise.race([one.run(stage, aborted.signal), late]);
  } finally {
    clearTimeout(timer);
    aborted.abort();
    await stage.stop();
  }
};

/** The obligations of the ports' doc comments, for every chat platform. */
export const describeChatAdapter = (name: string, setUp: () => Promise<Backstage>): void => {
  describe(`${name} keeps what ChatAdapter promises`, () => {
    for (const one of adapterCases) test(one.title, () => playCase(one, setUp));
  });
};
