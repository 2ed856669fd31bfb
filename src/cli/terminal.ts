import type { Terminal } from './cli-deps.ts';

/** What agents and people wrote is data: it must not move the cursor, colour or title of the operator's terminal. */
export const harmless = (text: string): string =>
  text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');

interface Stream {
  write(text: string): unknown;
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
  readonly isTTY?: boolean | undefined;
}

/** A pipe whose reader ended gives EPIPE, a terminal that was closed EIO (2026-11, Linux, at SIGHUP). */
const GONE = new Set(['EPIPE', 'EIO']);

/** Nobody reads any more: what is written is lost, and a command still ends in its order. */
const withstandEnd = (stream: Stream): void => {
  stream.on('error', (error) => {
    if (!GONE.has(error.code ?? '')) throw error;
  });
};

export const createTerminal = ({ out, err }: { out: Stream; err: Stream }): Terminal => {
  for (const stream of [out, err]) withstandEnd(stream);
  return {
    print: (line) => void out.write(`${harmless(line)}\n`),
    say: (line) => void err.write(`${harmless(line)}\n`),
    isTty: out.isTTY === true,
  };
};
