import { renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Tried } from './try-cell.ts';

const Count = z.object({
  n: z.number(),
  right: z.number(),
  losses: z.number(),
  doubles: z.number(),
  alterations: z.number(),
  wrongKeys: z.number(),
  stolenDrafts: z.number(),
  wrongOutcomes: z.number(),
  /** Tries whose situation did not come about; not in `n`. */
  missed: z.number(),
  /** How often each first outcome came. */
  outcomes: z.record(z.string(), z.number()),
  /** From the command to `confirmed` or `queued`, one number per proven try. */
  proofMs: z.array(z.number()),
});
export type Count = z.infer<typeof Count>;

const Results = z.object({
  version: z.string(),
  tmux: z.string(),
  cells: z.record(z.string(), Count),
});
export type Results = z.infer<typeof Results>;

export const emptyCount = (): Count => ({
  ...{ n: 0, right: 0, losses: 0, doubles: 0, alterations: 0, wrongKeys: 0, stolenDrafts: 0 },
  ...{ wrongOutcomes: 0, missed: 0, outcomes: {}, proofMs: [] },
});

const one = (is: boolean): number => (is ? 1 : 0);

/** PURE. */
export const counted = (count: Count, { isRight, faults, outcome, proofMs }: Tried): Count => ({
  ...count,
  n: count.n + 1,
  right: count.right + one(isRight),
  losses: count.losses + one(faults.loss),
  doubles: count.doubles + one(faults.double),
  alterations: count.alterations + one(faults.alteration),
  wrongKeys: count.wrongKeys + one(faults.wrongKey),
  stolenDrafts: count.stolenDrafts + one(faults.stolenDraft),
  wrongOutcomes: count.wrongOutcomes + one(faults.wrongOutcome !== undefined),
  outcomes: { ...count.outcomes, [outcome]: (count.outcomes[outcome] ?? 0) + 1 },
  proofMs: proofMs === undefined ? count.proofMs : [...count.proofMs, proofMs],
});

/** The file's counts, to go on from; empty where there is none, or one of another version. */
export const readResults = async (file: string, empty: Results): Promise<Results> => {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return empty;
  const known = Results.parse(JSON.parse(text));
  return known.version === empty.version && known.tmux === empty.tmux ? known : empty;
};

/** One line per cell, so that a difference can be read. Whole or not at all. */
export const writeResults = (file: string, results: Results): void => {
  const { cells, ...head } = results;
  const lines = Object.entries(cells).map(
    ([name, count]) => `    ${JSON.stringify(name)}: ${JSON.stringify(count)}`,
  );
  const text = `${JSON.stringify(head, null, 2).replace(/\n\}$/, '')},\n  "cells": {\n${lines.join(',\n')}\n  }\n}\n`;
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
};
