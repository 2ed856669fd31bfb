import { connect } from 'node:net';

/**
 * `afk-bridge hook`, which Claude Code starts for a dialog. It is small on purpose: it loads nothing
 * of the bridge. Whatever goes wrong it ends silently with nothing on stdout, and the dialog stays on
 * the terminal (L5).
 */

/** Between two tries to reach a bridge that went away while the dialog was open, ms. */
const againAfter = 1_000;
/** So long it is tried; then the dialog is only the terminal's and the keys', ms. */
const againFor = 10 * 60_000;
/** A bridge that does not take a report in this time is passed over, ms. */
const reportWithin = 2_000;

const readStdin = async (): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
};

type Ending =
  /** The bridge has spoken: an answer, or nothing more to wait for. */
  | { readonly said: string }
  /** There is no bridge, or it went away. */
  | { readonly said: undefined; readonly wasConnected: boolean };

/** Hands the request over and gives the first line of the answer. Never rejects. */
const ask = (
  socket: string,
  request: string,
  waits: boolean,
  onNote: (call: string) => void,
): Promise<Ending> =>
  new Promise((resolve) => {
    let wasConnected = false;
    let text = '';
    const line = connect(socket);
    const end = (ending: Ending): void => {
      line.destroy();
      resolve(ending);
    };
    if (!waits) line.setTimeout(reportWithin, () => end({ said: '' }));
    line.setEncoding('utf8');
    line.on('connect', () => {
      wasConnected = true;
      line.write(`${request}\n`);
    });
    line.on('data', (chunk: string) => {
      text += chunk;
      for (let cut = text.indexOf('\n'); cut !== -1; cut = text.indexOf('\n')) {
        const said = text.slice(0, cut);
        text = text.slice(cut + 1);
        // `=toolu_…`: which call it is about; kept for a bridge that comes after this one.
        if (said.startsWith('=')) onNote(said.slice(1));
        else return end({ said });
      }
    });
    line.on('error', () => end({ said: undefined, wasConnected }));
    line.on('close', () => end({ said: undefined, wasConnected }));
  });

/** @param args `--socket PATH`. */
export const runHook = async (args: readonly string[]): Promise<void> => {
  const at = Date.now();
  const socket = args[0] === '--socket' ? args[1] : undefined;
  const input = await readStdin();
  if (socket === undefined) return;
  const waits = input.includes('"PermissionRequest"');
  let call: string | undefined;
  const agent = process.ppid;
  for (let isFirst = true; ; isFirst = false) {
    const request = JSON.stringify({ v: 1, at, input, ...(call !== undefined && { call }) });
    const ending = await ask(socket, request, waits, (named) => {
      call = named;
    });
    if (ending.said !== undefined) {
      if (ending.said !== '') process.stdout.write(ending.said);
      return;
    }
    // No bridge at the start: nobody there waits for anything of ours.
    if (!waits || (isFirst && !ending.wasConnected)) return;
    if (Date.now() - at > againFor + 86_400_000 || process.ppid !== agent) return;
    const lostAt = Date.now();
    // Until it is back; what it knew of us we say again.
    while (!(await isThere(socket))) {
      if (Date.now() - lostAt > againFor || process.ppid !== agent) return;
      await new Promise((resolve) => setTimeout(resolve, againAfter));
    }
  }
};

/** True while a bridge listens there. */
export const isThere = (socket: string): Promise<boolean> =>
  new Promise((resolve) => {
    const line = connect(socket);
    const end = (is: boolean): void => {
      line.destroy();
      resolve(is);
    };
    line.on('connect', () => end(true));
    line.on('error', () => end(false));
  });
