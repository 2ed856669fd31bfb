import type { StartOptions } from '../live/harness.ts';
import type { Expected } from './expected.ts';
import type { Profile } from './profiles.ts';
import type { Scene } from './scene.ts';

/** One situation that a reply comes into. */
export interface State {
  readonly name: string;
  readonly expected: Expected;
  /** Which stage; absent: `plain`. */
  readonly profile?: Profile;
  readonly start?: StartOptions;
  /** A new agent for each try. */
  readonly isFresh?: boolean;
  /** A held reply is sent again until it goes, as the chat side does. */
  readonly isPatient?: boolean;
  /** Once per agent. */
  readonly prepare?: (scene: Scene) => Promise<void>;
  /** Before each try. */
  readonly arrange?: (scene: Scene) => Promise<void>;
  /** Between the paste and the look after it. */
  readonly between?: (scene: Scene) => Promise<void>;
  /** Beside the delivery, from its beginning. */
  readonly beside?: (scene: Scene) => Promise<void>;
  /** How many `z` a person has typed into the box: they stay there, and are never sent. */
  readonly drafted?: number;
  /** Stands on the screen as long as the dialog is open; only the person may close it. */
  readonly dialog?: RegExp;
  /** Back to an idle agent with an empty box. */
  readonly leave?: (scene: Scene) => Promise<void>;
  /** The agent stays in this state for the next try; nothing is looked for afterwards. */
  readonly isLasting?: boolean;
}
