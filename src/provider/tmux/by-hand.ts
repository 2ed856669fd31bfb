import { callTmux, type TmuxDeps } from './call.ts';

/**
 * What a person does at the terminal, for panes that we started ourselves on a server of our own:
 * the contract plays the person with it. Nothing of this may touch a run (that is `Keyboard`):
 * here nobody looks before a key.
 */
export interface ByHand {
  /** Text as a terminal sends it, without Enter. */
  type(text: string): Promise<void>;
  /** Keys by tmux's names: `Enter`, `Escape`, `C-u`. */
  press(...keys: readonly string[]): Promise<void>;
  /** Enters copy mode, as a person does who scrolls. */
  scroll(): Promise<void>;
  /** The visible screen without escape sequences. */
  screen(): Promise<string>;
}

export const byHand = (deps: TmuxDeps, socket: string, pane: string): ByHand => {
  const call = async (...args: readonly string[]): Promise<string> => {
    const result = await callTmux(deps, socket, args);
    if (result.exitCode !== 0) throw new Error(`tmux ${args[0]}: ${result.stderr.trim()}`);
    return result.stdout;
  };
  return {
    type: async (text) => void (await call('send-keys', '-t', pane, '-l', '--', text)),
    press: async (...keys) => void (await call('send-keys', '-t', pane, ...keys)),
    scroll: async () => void (await call('copy-mode', '-t', pane)),
    screen: () => call('capture-pane', '-p', '-t', pane),
  };
};
