/** The only keys that are ever pressed. Text goes by paste; nothing else is a key. */
export const NAMED_KEYS = [
  'Enter',
  'Escape',
  'Tab',
  'BTab',
  'Space',
  'Up',
  'Down',
  'Left',
  'Right',
  'C-e',
  'C-u',
] as const;
export const DIGITS = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'] as const;

export type Key = (typeof NAMED_KEYS)[number] | (typeof DIGITS)[number];

const isDigit = (key: Key): boolean => (DIGITS as readonly string[]).includes(key);

/** tmux commands that press these keys in this order: digits literally, the rest by name. */
export const keyCommands = (pane: string, keys: readonly Key[]): readonly string[] => {
  const commands: string[] = [];
  let run: string[] = [];
  const flush = (): void => {
    if (run.length > 0) commands.push(`send-keys -t ${pane} ${run.join(' ')}`);
    run = [];
  };
  for (const key of keys) {
    if (!isDigit(key)) {
      run.push(key);
      continue;
    }
    flush();
    commands.push(`send-keys -t ${pane} -l ${key}`);
  }
  flush();
  return commands;
};

/**
 * One argument of a tmux command line: a `;` at its end would end the command there (compat/tmux §6).
 * A NUL cannot be in an argument at all.
 */
export const argument = (text: string): string => text.replaceAll('\0', '').replace(/;$/, '\\;');

/** Text for tmux's message line, as it is: no format, no time, no control character; at most 200 characters. */
export const messageText = (text: string): string =>
  argument(
    [...text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim()]
      .slice(0, 200)
      .join('')
      .replaceAll('#', '##')
      .replaceAll('%', '%%'),
  );

/**
 * Whether text may be pasted: line feeds and tabs are its only control characters. tmux passes
 * escape sequences through a bracketed paste, `ESC[201~` included (compat/tmux §5), so whoever
 * pastes strips them before.
 */
export const isPasteable = (text: string): boolean => !/[^\P{Cc}\n\t]/u.test(text);
