import type { HoldReason, RefusalReason } from '../model/delivery.ts';
import type { BlockedCause } from '../model/run-state.ts';

/** What each blocked screen is, in the middle of a sentence. */
const SCREEN: Readonly<Record<BlockedCause, string>> = {
  trust: 'the terminal asks whether this folder can be trusted',
  'api-key': 'the terminal asks whether to use an API key',
  login: 'the agent is logged out and waits for a login at the terminal',
  'usage-limit': 'the agent has reached its usage limit',
  survey: 'a survey is open at the terminal',
  update: 'an update notice is open at the terminal',
  'bypass-notice': 'the terminal wants the permission-free mode confirmed',
  'auto-mode-notice': 'the terminal says that auto mode cannot check actions here',
  menu: 'a menu is open at the terminal',
  'transcript-view': 'somebody is reading the transcript view at the terminal',
  'unknown-screen': 'the terminal shows a screen that the bridge does not know',
};

/** Whether the screen needs a decision, or only somebody to close it. */
const REMEDY: Readonly<Record<BlockedCause, string>> = {
  trust: 'Decide it there',
  'api-key': 'Decide it there',
  login: 'Log in there',
  'usage-limit': 'Wait for the reset or decide it there',
  survey: 'Close it there',
  update: 'Close it there',
  'bypass-notice': 'Decide it there',
  'auto-mode-notice': 'Decide it there',
  menu: 'Close it there',
  'transcript-view': 'Close it there',
  'unknown-screen': 'Have a look there',
};

const at = (attachCommand: string | undefined): string =>
  attachCommand === undefined ? '' : ` (\`${attachCommand}\`)`;

/** One sentence for a reply that waits: why, and what makes it go. */
export const heldWords = (reason: HoldReason, attachCommand: string | undefined): string => {
  switch (reason.why) {
    case 'dialog':
      // The button that uses it needs to know which dialog it is.
      return reason.takesOwnWords && reason.dialog !== undefined
        ? 'Waiting: the agent has asked something. Answer it first, or use this text as the answer.'
        : 'Waiting: the agent needs a decision first. This goes by itself once that is made.';
    case 'blocked':
      return `Waiting: ${SCREEN[reason.cause]}. ${REMEDY[reason.cause]}${at(attachCommand)}; this goes by itself afterwards.`;
    case 'foreign-draft':
      return `Waiting: somebody has started typing at the terminal${at(attachCommand)}. Their text stays untouched; this goes once their box is empty.`;
    case 'starting':
      return 'Waiting: the agent is still starting. This goes by itself once it is ready.';
    case 'working':
      return 'Waiting: it begins with `!` or `/`, and the agent would run that as a command while it works. This goes by itself once the turn is over.';
    case 'interrupting':
      return 'Waiting: the turn is being interrupted right now.';
    case 'paused':
      return 'Kept back since the interrupt. Continue sends it, Discard drops it.';
    case 'behind':
      return 'Waiting its turn: an earlier reply goes first.';
    case 'doubt':
      return `Did you mean \`!${reason.meant}\`? Then write just that. Or is this for the agent?`;
    case 'stale':
      return 'This was written a while ago, when the bridge was away. Still send it?';
  }
};

/** `Not sent`, `Not answered` …: how a refusal of each kind begins. */
export const NOT_DONE = {
  reply: 'Not sent',
  answer: 'Not answered',
  interrupt: 'Not interrupted',
} as const;

export interface RefusalContext {
  readonly resumeCommand?: string;
  readonly attachCommand?: string;
}

const sentence = (text: string): string => {
  const trimmed = text.trim();
  return trimmed === '' || /[.!?…)`]$/.test(trimmed) ? trimmed : `${trimmed}.`;
};

/** What is wrong and what to do, after `Not sent:`. The detail stands where it says more than the reason. */
export const refusedWords = (reason: RefusalReason, ctx: RefusalContext): string => {
  const detail = sentence(reason.detail);
  switch (reason.why) {
    case 'no-right':
      return detail;
    case 'ended':
      return ctx.resumeCommand === undefined
        ? 'the run has ended. Start a new one to go on.'
        : `the run has ended. Resume it with \`${ctx.resumeCommand}\`, then write again.`;
    case 'pane-gone':
      return 'the terminal pane of this run is gone, or another program lives there now. Resume the run, then write again.';
    case 'unreachable':
      return `the run lives, but its pane cannot be reached. ${detail}`.trim();
    case 'not-sendable':
      return detail;
    case 'too-large':
      return `it is too long. ${detail} Shorten it, or put it in a file and name the file.`;
    case 'expired':
      return 'it waited too long for its moment. Have a look at the run, then do it again.';
    case 'edited-away':
      return 'you deleted the message before it went.';
    case 'discarded':
      return 'discarded.';
    case 'command':
      return `it would be taken as a command of the agent. ${detail}`;
    case 'backslashes':
      return 'it ends in several backslashes, which the agent would take as a line break. End it with another character.';
    case 'already-answered':
      return 'somebody answered this already; the first answer counts.';
    case 'not-that-dialog':
      return 'that question is no longer open. Look for the newest one.';
    case 'not-verified':
      return `the keys for it are not verified for this version of the agent, so none was pressed. Do it at the terminal${at(ctx.attachCommand)}, or verify this version with \`afk-bridge doctor --verify\`.`;
    case 'already-finished':
      return 'that turn had already finished.';
    case 'not-busy':
      return 'nothing is running right now.';
    case 'read-only':
      return 'this run is only shown here; it does not live in tmux. Write to it in its own terminal.';
    case 'too-fast':
    case 'not-the-author':
      return detail;
    case 'too-many-waiting':
      return `${detail.charAt(0).toLowerCase()}${detail.slice(1)} Let some of them go first, or discard some.`;
  }
};
