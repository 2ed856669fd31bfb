/** The markup that Claude Code puts around what it records on its own behalf. */

/** By position and not by a pattern: thousands of openings without an end would take their square. */
const tagged = (text: string, tag: string): string | undefined => {
  const opening = text.indexOf(`<${tag}>`);
  const start = opening + tag.length + 2;
  const end = opening < 0 ? -1 : text.indexOf(`</${tag}>`, start);
  return end < 0 ? undefined : text.slice(start, end);
};

const ESCAPES = /\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-_]/g;

/** Terminal output without colours and cursor movements. */
export const withoutEscapes = (text: string): string =>
  text.includes('\x1b') ? text.replace(ESCAPES, '') : text;

/** What a user or `local_command` row says about a command or a `!` shell line. */
export type CommandMark =
  | { readonly kind: 'command'; readonly name: string; readonly text: string }
  | { readonly kind: 'shell'; readonly text: string }
  | { readonly kind: 'output'; readonly text: string }
  | { readonly kind: 'caveat' };

/** `undefined` for ordinary text. */
export const commandMark = (text: string): CommandMark | undefined => {
  const start = text.trimStart();
  if (start.startsWith('<command-name>') || start.startsWith('<command-message>')) {
    const name = tagged(start, 'command-name')?.trim() ?? '';
    const args = tagged(start, 'command-args')?.trim() ?? '';
    return { kind: 'command', name, text: args === '' ? name : `${name} ${args}` };
  }
  if (start.startsWith('<bash-input>')) {
    return { kind: 'shell', text: tagged(start, 'bash-input') ?? '' };
  }
  if (start.startsWith('<bash-stdout>') || start.startsWith('<bash-stderr>')) {
    const parts = [tagged(start, 'bash-stdout'), tagged(start, 'bash-stderr')];
    return { kind: 'output', text: withoutEscapes(parts.filter(Boolean).join('\n')).trim() };
  }
  if (start.startsWith('<local-command-stdout>') || start.startsWith('<local-command-stderr>')) {
    const out = tagged(start, 'local-command-stdout') ?? tagged(start, 'local-command-stderr');
    return { kind: 'output', text: withoutEscapes(out ?? '').trim() };
  }
  return start.startsWith('<local-command-caveat>') ? { kind: 'caveat' } : undefined;
};

const INTERRUPTED = /^\[Request interrupted[^\]]*\]/;

/** The record of an interrupt: `[Request interrupted by user]`, `… for tool use]`. */
export const isInterruptRecord = (text: string): boolean => INTERRUPTED.test(text);

/** A task notification as one short text: its summary and its result. `undefined` for other text. */
export const taskNotification = (text: string): string | undefined => {
  if (!text.trimStart().startsWith('<task-notification>')) return undefined;
  const summary = tagged(text, 'summary')?.trim() ?? 'A background task reported';
  const result = tagged(text, 'result')?.trim() ?? '';
  return result === '' ? summary : `${summary}\n\n${result}`;
};

const PEER_HEAD = 'Another Claude session sent a message:\n';
const PEER_TAIL = '\n\nThis came from another Claude session';

/** The words of a peer session without the frame that explains them to the model. */
export const peerWords = (text: string): string => {
  if (!text.startsWith(PEER_HEAD)) return text;
  const end = text.lastIndexOf(PEER_TAIL);
  return text.slice(PEER_HEAD.length, end < 0 ? undefined : end);
};

const OPENING = /\n{0,2}<pasted_content id="([^"\n]*)">\n/g;
const CLOSING = '\n</pasted_content';

/** The text without the wrapper that long pastes get (2.1.332). Each opening ends at the next closing of its own. */
export const withoutPasteMarks = (text: string): string => {
  let out = '';
  let done = 0;
  for (const opening of text.matchAll(OPENING)) {
    if (opening.index + opening[0].indexOf('<') < done) continue;
    const start = opening.index + opening[0].length;
    const end = text.indexOf(CLOSING, start);
    if (end < 0) break;
    const [mark] = [` id="${opening[1]}">`, '>'].filter((each) =>
      text.startsWith(each, end + CLOSING.length),
    );
    if (mark === undefined) continue;
    out += text.slice(done, Math.max(done, opening.index)) + text.slice(start, end);
    done = end + CLOSING.length + mark.length;
    if (text[done] === '\n') done += 1;
  }
  return done === 0 ? text : out + text.slice(done);
};
