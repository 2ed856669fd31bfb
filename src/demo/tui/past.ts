import { z } from 'zod';
import type { JsonObject } from './script.ts';
import type { Shown } from './state.ts';

const rowSchema = z.looseObject({
  type: z.string(),
  uuid: z.string().optional(),
  rowSource: z.string().optional(),
  message: z.looseObject({ content: z.unknown() }).optional(),
});

/** What a resumed or forked session has behind it. */
export interface Past {
  /** uuid that the next row follows. */
  readonly leaf: string | null;
  /** What the screen shows of it. */
  readonly shown: readonly Shown[];
  /** Rows of the conversation, as they go into the file of a fork: same uuids and times, its own session. */
  readonly copies: readonly JsonObject[];
}

const blocks = z.array(z.looseObject({ type: z.string(), text: z.string().optional() }));

const shownOf = (row: z.output<typeof rowSchema>): Shown[] => {
  const content = row.message?.content;
  if (row.type === 'user') {
    const isPrompt = typeof content === 'string' && row.rowSource === undefined;
    return isPrompt ? [{ kind: 'person', text: content }] : [];
  }
  const parsed = blocks.safeParse(content);
  if (row.type !== 'assistant' || !parsed.success) return [];
  return parsed.data.flatMap(({ text }) => (text ? [{ kind: 'agent' as const, text }] : []));
};

/** Reads a transcript's text for the process that goes on with it. `session`: the one that it goes on as. */
export const readPast = (text: string, session: string): Past => {
  const rows = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => rowSchema.parse(JSON.parse(line)));
  const linked = rows.filter((row) => row.uuid !== undefined);
  return {
    leaf: linked.at(-1)?.uuid ?? null,
    shown: linked.flatMap(shownOf),
    copies: linked.map((row) => ({ ...(row as JsonObject), sessionId: session })),
  };
};
