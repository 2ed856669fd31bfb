import type { CliDeps } from './cli-deps.ts';
import { EXIT } from './exit-codes.ts';

/** One Ctrl-C can arrive several times: from the terminal, and again from npm and tsx above us. */
const SAME_SIGNAL_MS = 1000;

/** `came` resolves at the first signal. A second one, while we stop, ends the process at once. */
export const untilSignal = (
  deps: CliDeps,
): { readonly came: Promise<void>; readonly release: () => void } => {
  let cameAt: number | undefined;
  let resolve = (): void => undefined;
  const came = new Promise<void>((done) => {
    resolve = done;
  });
  const release = deps.onSignal(() => {
    const now = deps.clock.now();
    if (cameAt === undefined) {
      cameAt = now;
      deps.terminal.say('stopping; once more to stop at once');
      resolve();
    } else if (now - cameAt > SAME_SIGNAL_MS) {
      deps.terminal.say('stopped at once');
      deps.exit(EXIT.hurried);
    }
  });
  return { came, release };
};
