import type { RefusalReason } from '../../bridge/model/delivery.ts';

/** What a listing says about `/word`; `unproven`: there is no complete listing for this version. */
export type CommandKnowledge = 'unknown' | 'known' | 'unproven';

/** A reply as it is typed. PURE. */
export interface Sendable {
  /** Goes into the box in this order, each as one bracketed paste. */
  readonly pastes: readonly string[];
  /** All pastes together. */
  readonly text: string;
  /**
   * Only while no turn runs: what waits in the agent's own queue loses the space that keeps a
   * leading `!` or `/word` from being a command (2.1.332: `!` ran in the shell, `/word` was lost).
   */
  readonly isForIdle: boolean;
  /** The agent is told that it was pasted from somewhere else: too long for the person's own words. */
  readonly isWrapped: boolean;
}

export type SendableResult = Sendable | { readonly refused: RefusalReason };

/** Above 800 characters or with three newlines Claude Code shows a chip and wraps the text (2.1.332). */
const PASTE_CHARACTERS = 700;
const PASTE_NEWLINES = 2;
/** D1: up to here it goes as the person's own words. */
const OWN_WORDS_BYTES = 20 * 1024;
const OWN_WORDS_PASTES = 60;

/**
 * Turns a reply into pastes, or says why it cannot be sent and what to do (D1). Takes out what could
 * act as a key, adds at most one space, and changes nothing else.
 */
export const toSendable = (
  reply: string,
  knows: (word: string) => CommandKnowledge,
): SendableResult => {
  const clean = withoutInvisible(withoutControls(reply)).trimEnd();
  // Joiners and marks alone cannot be seen in the box, and would stand before the next reply.
  if (clean.replace(/[\s\p{M}\p{Default_Ignorable_Code_Point}]/gu, '') === '')
    return refuse('not-sendable', 'There is no text in it that can be sent.');
  if (clean.endsWith('\\\\')) {
    return refuse(
      'backslashes',
      'It ends with several backslashes, and Claude Code takes the last one away. Put a word or a full stop after them.',
    );
  }
  const lead = leadOf(clean, knows);
  if (typeof lead !== 'string') return lead;
  const text = lead + clean + (clean.endsWith('\\') ? ' ' : '');
  const pastes = Buffer.byteLength(text) > OWN_WORDS_BYTES ? [] : smallPastes(text);
  return pastes.length === 0 || pastes.length > OWN_WORDS_PASTES
    ? { pastes: [text], text, isWrapped: true, isForIdle: isCommandLike(text) }
    : { pastes, text, isWrapped: false, isForIdle: isCommandLike(text) };
};

/**
 * With one of these in the box the first Enter sends nothing: Claude Code takes them out and asks for
 * a second one ("Removed 1 invisible character · review and press Enter to send", 2.1.332, 17/18).
 */
const ASKS_AGAIN = /[\u200b\ufeff\u061c\u202a-\u202e\u2066-\u2069]/g;
/** These too, but in a text with letters that run from right to left they stay (5/5). */
const DIRECTION_MARKS = /[\u200e\u200f]/g;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}]/u;

/** Hidden behind or inside, `!` and `/word` would be commands once Claude Code has taken these out. */
const HIDDEN_COMMAND = /^[\s\p{Default_Ignorable_Code_Point}]*[!/]\S*/u;

/** Takes out what Claude Code would take out itself, where that would keep Enter from sending. */
const withoutInvisible = (text: string): string => {
  const kept = text
    .replace(ASKS_AGAIN, '')
    .replace(HIDDEN_COMMAND, (head) => head.replace(/\p{Default_Ignorable_Code_Point}/gu, ''));
  return RIGHT_TO_LEFT.test(kept) ? kept : kept.replace(DIRECTION_MARKS, '');
};

/** The space that keeps `!` and an unknown `/word` from being a command; the record keeps it. */
const leadOf = (
  text: string,
  knows: (word: string) => CommandKnowledge,
): string | { refused: RefusalReason } => {
  if (text.startsWith('!')) return ' ';
  // A space before a known command does not protect it, so white space is looked through.
  const word = /^\s*\/(\S*)/u.exec(text)?.[1];
  if (word === undefined || word.includes('/')) return '';
  const knowledge = word === '' ? 'known' : knows(word);
  if (knowledge === 'unknown') return text.startsWith('/') ? ' ' : '';
  return refuse(
    'command',
    knowledge === 'known'
      ? `Claude Code would run “/${word}” as a command. Put a word before it, or give the command at the terminal.`
      : `It is not certain that “/${word}” is no command in this version of Claude Code. Put a word before it.`,
  );
};

/** What it would be without the white space before it; a path is none. */
const isCommandLike = (text: string): boolean => /^\s*(?:!|\/[^\s/]*(?:\s|$))/u.test(text);

const refuse = (why: RefusalReason['why'], detail: string): { refused: RefusalReason } => ({
  refused: { why, detail },
});

/** CSI; OSC, DCS, PM, APC, SOS where they are ended; each also in its 8-bit form. */
const ESCAPE_SEQUENCE =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)/g;

/** Takes escape sequences out whole, then every control character but newline and tab (A3). */
export const withoutControls = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(ESCAPE_SEQUENCE, '')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    // Half a surrogate pair cannot be written as UTF-8.
    .toWellFormed();

/** Small enough to stay the person's own words; never through a grapheme. */
const smallPastes = (text: string): readonly string[] => {
  const pastes: string[] = [];
  let paste = '';
  let newlines = 0;
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)) {
    for (const piece of pieces(segment)) {
      const more = piece.includes('\n') ? 1 : 0;
      if (paste.length + piece.length > PASTE_CHARACTERS || newlines + more > PASTE_NEWLINES) {
        pastes.push(paste);
        paste = '';
        newlines = 0;
      }
      paste += piece;
      newlines += more;
    }
  }
  pastes.push(paste);
  return pastes;
};

/** A grapheme may be longer than a paste (thousands of combining marks): then it is cut by code points. */
const pieces = (segment: string): Iterable<string> =>
  segment.length <= PASTE_CHARACTERS ? [segment] : segment;
