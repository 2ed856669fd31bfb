import { decodeInput, type InputEvent } from './keys.ts';

const enter = '\x1b[?1049h\x1b[?2004h\x1b[?25l\x1b]0;✳ Claude Code\x07';
const leave = '\x1b[?25h\x1b[?2004l\x1b[?1049l';
/** A lone escape is the key when nothing follows within this long, ms. */
const escapeWait = 25;

/** stdin in raw mode and the alternate screen of stdout. */
export const terminal = (onInput: (event: InputEvent) => void) => {
  let pending = '';
  let escapeTimer: NodeJS.Timeout | undefined;
  const decode = (isFinal: boolean): void => {
    const { events, rest } = decodeInput(pending, isFinal);
    pending = rest;
    for (const event of events) onInput(event);
    if (rest !== '' && !isFinal && rest.length < 32) {
      escapeTimer = setTimeout(() => decode(true), escapeWait);
    }
  };
  return {
    size: () => ({ columns: process.stdout.columns || 120, rows: process.stdout.rows || 40 }),
    open(): void {
      process.stdin.setRawMode?.(true);
      process.stdin.setEncoding('utf8');
      process.stdin.on('data', (chunk: string) => {
        clearTimeout(escapeTimer);
        pending += chunk;
        decode(false);
      });
      process.stdout.write(enter);
    },
    /** One write for the whole screen. */
    show(lines: readonly string[]): void {
      process.stdout.write(`\x1b[H${lines.map((line) => `${line}\x1b[0m\x1b[K`).join('\r\n')}`);
    },
    close(): void {
      process.stdin.setRawMode?.(false);
      process.stdout.write(leave);
    },
  };
};
