import { z } from 'zod';

/** A standing permission that Claude Code offers with a request; unknown kinds are kept, and not offered. */
const suggestion = z.looseObject({
  type: z.string(),
  mode: z.string().optional(),
  directories: z.array(z.string()).optional(),
  destination: z.string().optional(),
  behavior: z.string().optional(),
  rules: z
    .array(z.looseObject({ toolName: z.string(), ruleContent: z.string().optional() }))
    .optional(),
});
export type Suggestion = z.output<typeof suggestion>;

/** What Claude Code writes to a hook's stdin, as far as it is read (2.1.332). */
const hookInput = z.looseObject({
  hook_event_name: z.string(),
  session_id: z.string(),
  cwd: z.string().optional(),
  tool_name: z.string(),
  tool_input: z.unknown(),
  tool_use_id: z.string().optional(),
  permission_mode: z.string().optional(),
  permission_suggestions: z.array(suggestion).catch([]).optional(),
});
export type HookInput = z.output<typeof hookInput>;

/** One line of the hook on the socket. `call`: which one it was bound to by an earlier bridge. */
const hookLine = z.object({
  v: z.literal(1),
  /** When the hook was started, ms since the epoch. */
  at: z.number(),
  input: z.string(),
  call: z.string().optional(),
});

export interface HookReport {
  readonly at: number;
  readonly call: string | undefined;
  readonly input: HookInput;
}

/** Undefined: not of this protocol, or an event that means nothing here. PURE. */
export const readHookLine = (line: string): HookReport | undefined => {
  const parse = (text: string): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      // Torn or foreign: the sender is told that nobody waits for it.
      return undefined;
    }
  };
  const outer = hookLine.safeParse(parse(line));
  if (!outer.success) return undefined;
  const input = hookInput.safeParse(parse(outer.data.input));
  if (!input.success) return undefined;
  return { at: outer.data.at, call: outer.data.call, input: input.data };
};

const places: Readonly<Record<string, string>> = {
  session: 'for this session',
  localSettings: 'for you in this project',
  projectSettings: 'for everyone in this project',
  userSettings: 'for you, everywhere',
};

/** A standing permission in full words; undefined for what is not known: then it is not offered. PURE. */
export const wordsOfSuggestion = (of: Suggestion): string | undefined => {
  const where = places[of.destination ?? 'session'];
  if (where === undefined) return undefined;
  if (of.type === 'setMode' && of.mode !== undefined)
    return of.mode === 'acceptEdits'
      ? `accept all edits from now on (${where})`
      : `switch to the mode ${of.mode} (${where})`;
  if (of.type === 'addDirectories' && of.directories !== undefined)
    return `work in ${of.directories.join(', ')} as well (${where})`;
  if (of.type === 'addRules' && of.rules !== undefined && of.behavior === 'allow') {
    const rules = of.rules.map(({ toolName, ruleContent }) =>
      ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`,
    );
    return `never ask again for ${rules.join(', ')} (${where})`;
  }
  return undefined;
};
