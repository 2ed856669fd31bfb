import { statSync } from 'node:fs';
import type { TranscriptFacts } from './fold.ts';
import type { Present } from './observe-view.ts';

/**
 * What these files look like from outside; another stamp means that one of them was written,
 * replaced or removed. Synchronous on purpose: an asynchronous call costs ten times as much, and
 * hundreds of runs are looked at every few seconds.
 */
export const stampOf = (paths: readonly string[]): string =>
  paths
    .map((path) => {
      const seen = statSync(path, { throwIfNoEntry: false });
      return seen === undefined ? '-' : `${seen.ino}:${seen.size}:${seen.mtimeMs}`;
    })
    .join(' ');

/**
 * Nothing runs and nothing is asked: whatever happens next is written to the registry file or the
 * transcript, so that these tell all. While anything runs, other files may change too.
 */
export const isResting = (now: Present, facts: TranscriptFacts): boolean =>
  typeof now.entry !== 'string' &&
  now.entry.status === 'idle' &&
  now.entry.isUnfinished === undefined &&
  now.isAlive &&
  now.screen === undefined &&
  now.paneTrouble === undefined &&
  facts.background === 0 &&
  facts.openCalls.length === 0;
