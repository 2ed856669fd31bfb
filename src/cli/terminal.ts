import type { Terminal } from './cli-deps.ts';

/** What agents and people wrote is data: it must not move the cursor, colour or title of the operator's terminal. */
export const harmless = (text: string): string =>
  text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');

interface Streams {
  readonly out: { write(text: string): unknown; readonly isTTY?: boolean | undefined };
  readonly err: { write(text: string): unknown };
}

export const createTerminal = ({ out, err }: Streams): Terminal => ({
  print: (line) => void out.write(`${harmless(line)}\n`),
  say: (line) => void err.write(`${harmless(line)}\n`),
  isTty: out.isTTY === true,
});
