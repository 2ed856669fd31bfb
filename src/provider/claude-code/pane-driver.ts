import type { PaneIdentity } from '../../bridge/model/run-state.ts';
import type { Key } from '../tmux/keys.ts';
import type { InputResult, Look, PaneCheck } from '../tmux/tmux.ts';

/** What answering and interrupting need of tmux; the class Tmux is one. */
export interface PaneDriver {
  look(pane: PaneIdentity): Promise<Look>;
  leaveMode(pane: PaneIdentity): Promise<PaneCheck>;
  keys(pane: PaneIdentity, keys: readonly Key[]): Promise<InputResult>;
  paste(pane: PaneIdentity, text: string): Promise<InputResult>;
}
