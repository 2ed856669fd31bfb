const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Ends every line of ours: by it a line is known again, wherever the program has moved to. */
const MARK = '# afk-bridge hook';

/** A day: when it is over the dialog simply stays on the terminal. */
const timeoutSeconds = 86_400;
const reportSeconds = 10;

/** The tools whose call is a dialog: only their hook names the call, and it costs every such call a process. */
const dialogTools = 'AskUserQuestion|ExitPlanMode';

const word = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * The shell line that Claude Code runs. Where the program is gone (moved, upgraded, another machine
 * with the same settings) it ends at once and silently (L5).
 */
export const hookLine = (program: readonly string[], socket: string): string => {
  const [node = '', ...rest] = program;
  const script = rest.at(-1) ?? '';
  const there = `[ -x ${word(node)} ] && [ -r ${word(script)} ] && [ -S ${word(socket)} ] || exit 0`;
  const run = [node, ...rest, 'hook', '--socket', socket].map(word).join(' ');
  return `${there}; exec ${run} ${MARK}`;
};

type Fields = Readonly<Record<string, unknown>>;

/** The hooks of ours, as they stand in Claude Code's settings. */
export const hookSettings = (line: string): Fields => ({
  PermissionRequest: [
    { matcher: '*', hooks: [{ type: 'command', command: line, timeout: timeoutSeconds }] },
  ],
  PreToolUse: [
    { matcher: dialogTools, hooks: [{ type: 'command', command: line, timeout: reportSeconds }] },
  ],
});

const isOurs = (hook: unknown): boolean =>
  isRecord(hook) && typeof hook.command === 'string' && hook.command.trimEnd().endsWith(MARK);

/** One event's list without what is ours; entries of others stay as they are. */
const withoutOurs = (list: readonly unknown[]): readonly unknown[] =>
  list.flatMap((entry) => {
    if (!isRecord(entry) || !Array.isArray(entry.hooks)) return [entry];
    const hooks = entry.hooks.filter((hook) => !isOurs(hook));
    if (hooks.length === entry.hooks.length) return [entry];
    return hooks.length === 0 ? [] : [{ ...entry, hooks }];
  });

/** The settings without ours: what was there before stays, in its order. PURE. */
export const withoutHook = (settings: Fields): Fields => {
  if (!isRecord(settings.hooks)) return settings;
  const hooks: Record<string, unknown> = {};
  for (const [event, list] of Object.entries(settings.hooks)) {
    const kept = Array.isArray(list) ? withoutOurs(list) : list;
    const isEmptied =
      Array.isArray(list) && list.length > 0 && Array.isArray(kept) && kept.length === 0;
    if (!isEmptied) hooks[event] = kept;
  }
  const { hooks: _, ...rest } = settings;
  return Object.keys(hooks).length === 0 ? rest : { ...settings, hooks };
};

/** The settings with ours, once, behind what was there. PURE. */
export const withHook = (settings: Fields, line: string): Fields => {
  const clean = withoutHook(settings);
  const hooks: Record<string, unknown> = isRecord(clean.hooks) ? { ...clean.hooks } : {};
  for (const [event, list] of Object.entries(hookSettings(line))) {
    const before = hooks[event];
    hooks[event] = [...(Array.isArray(before) ? before : []), ...(list as readonly unknown[])];
  }
  return { ...clean, hooks };
};

/** Our lines that stand in settings. PURE. */
export const hookLinesIn = (settings: Fields): readonly string[] => {
  if (!isRecord(settings.hooks)) return [];
  return Object.values(settings.hooks)
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .flatMap((entry) => (isRecord(entry) && Array.isArray(entry.hooks) ? entry.hooks : []))
    .filter(isOurs)
    .map((hook) => String((hook as Fields).command));
};
