/** Words of ours after `!`; everything else that begins so is text for the agent. */
export const COMMANDS = [
  'help',
  'status',
  'tail',
  'notify',
  'answer',
  'interrupt',
  'continue',
  'cmd',
  'quiet',
  'normal',
  'full',
  'grant',
  'revoke',
  'ignore',
] as const;
export type CommandName = (typeof COMMANDS)[number];

export type Parsed =
  | { readonly type: 'command'; readonly name: CommandName; readonly argument: string }
  /** Nearly a command: a person is asked, neither we nor the agent guess. */
  | { readonly type: 'doubt'; readonly meant: CommandName }
  | { readonly type: 'text' };

const TEXT: Parsed = { type: 'text' };

const TAKES_WORDS: ReadonlySet<CommandName> = new Set([
  'answer',
  'cmd',
  'grant',
  'notify',
  'revoke',
]);

const isName = (word: string): word is CommandName =>
  (COMMANDS as readonly string[]).includes(word);

/** Phone keyboards: full-width signs, invisible joiners, a space after the mark. */
const HEAD = /^[!！]\p{Zs}{0,2}([\p{L}]{2,20})(?=$|[\s\p{P}])/u;

const INVISIBLE = /[\u200b-\u200f\u2060\ufeff]|\ufe0e|\ufe0f/gu;

/** One letter more, less or other, or two neighbours swapped. */
const isNearly = (word: string, name: string): boolean => {
  if (Math.abs(word.length - name.length) > 1 || word === name) return false;
  let start = 0;
  while (start < word.length && word[start] === name[start]) start++;
  const rest = (text: string, skip: number): string => text.slice(start + skip);
  return (
    rest(word, 1) === rest(name, 1) ||
    rest(word, 1) === rest(name, 0) ||
    rest(word, 0) === rest(name, 1) ||
    (word[start] === name[start + 1] &&
      word[start + 1] === name[start] &&
      rest(word, 2) === rest(name, 2))
  );
};

/** What a reply says to the bridge, where it says anything to it. Pure; takes every string. */
export const parseCommand = (text: string): Parsed => {
  const clean = text.replace(INVISIBLE, '').trim();
  const head = HEAD.exec(clean);
  if (head === null) return TEXT;
  const word = (head[1] ?? '').normalize('NFKC').toLowerCase();
  const after = clean.slice(head[0].length);
  const argument = after.trim();
  // `!tail.log`, `!help!`: no space, no end; the sign belongs to the word.
  const isApart = after === '' || /^\s/.test(after);
  if (isName(word)) {
    if (isApart && (argument === '' || TAKES_WORDS.has(word)))
      return { type: 'command', name: word, argument };
    return /^[.!?…]?$/.test(argument)
      ? { type: 'command', name: word, argument: '' }
      : { type: 'doubt', meant: word };
  }
  const meant = COMMANDS.find((name) => name.length > 3 && isNearly(word, name));
  return meant !== undefined && isApart ? { type: 'doubt', meant } : TEXT;
};
