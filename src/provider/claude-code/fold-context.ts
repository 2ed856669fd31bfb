import { z } from 'zod';

const prompt = z.object({
  uuid: z.string(),
  /** `null` at the beginning of a transcript; absent where the row says nothing. */
  parent: z.string().nullable().optional(),
  offset: z.number(),
});

/**
 * What the fold must know of the rows before the place where it starts; plain JSON, part of a
 * cursor. Never changed in place: an open item keeps the context that stood before its row.
 */
export const foldContext = z.object({
  /** The user rows that began the current turn: several, when several were queued. Bounded. */
  prompts: z.array(prompt),
  /** The agent has written something in this turn. */
  hasOutput: z.boolean(),
  isEnded: z.boolean(),
  lastWord: z.enum(['none', 'agent', 'other']),
  /** Background agents that outlive the turn. */
  background: z.number(),
  /** ms since the epoch; of the newest row so far. */
  lastAt: z.number(),
  /** The user row that may begin a turn without a prompt (a command). */
  opener: z.string().optional(),
  title: z.string().optional(),
  hasCustomTitle: z.boolean().optional(),
  /** Start of the process whose `resumed` mark has been given. */
  resumed: z.number().optional(),
});
export type FoldContext = z.infer<typeof foldContext>;

export const emptyContext: FoldContext = {
  prompts: [],
  hasOutput: false,
  isEnded: true,
  lastWord: 'none',
  background: 0,
  lastAt: 0,
};

/** A copy to change; written out, since every row makes one. */
export const copyOf = (c: FoldContext): FoldContext => ({
  prompts: c.prompts,
  hasOutput: c.hasOutput,
  isEnded: c.isEnded,
  lastWord: c.lastWord,
  background: c.background,
  lastAt: c.lastAt,
  opener: c.opener,
  title: c.title,
  hasCustomTitle: c.hasCustomTitle,
  resumed: c.resumed,
});
