import type { BlockedCause } from '../../bridge/model/run-state.ts';
import { isBlank, type Line } from './screen-cells.ts';
import { endsWithOptions, tailOf } from './screen-dialog.ts';
import { readOptions } from './screen-options.ts';
import type { BlockedReading } from './screen-reading.ts';

interface BlockedScreen {
  readonly cause: BlockedCause;
  readonly basis: 'seen' | 'documented';
  /** Stands somewhere on the screen, white space collapsed. */
  readonly text: RegExp;
  /** Ends the screen. */
  readonly end: RegExp;
}

const CONFIRM = /Enter to confirm · Esc to (?:cancel|exit)$/;
const ANY_END = /(?:Esc to [a-z ]{3,20}|Enter to (?:confirm|continue|select))$/;

/**
 * Screens that wait for a person and are no dialog. `seen`: captured on the real program.
 * `documented`: the words stand in the program or in public reports and no capture exists; the
 * compat record lists them.
 */
const SCREENS: readonly BlockedScreen[] = [
  {
    cause: 'trust',
    basis: 'seen',
    text: /./,
    end: /Yes, I trust this folder Enter to confirm · Esc to (?:cancel|exit)$/,
  },
  {
    cause: 'api-key',
    basis: 'seen',
    text: /Do you want to use this API key\?/,
    end: CONFIRM,
  },
  {
    cause: 'bypass-notice',
    basis: 'seen',
    text: /./,
    end: /No, exit (?:❯ )?Yes, I accept Enter to confirm · Esc to (?:cancel|exit)$/,
  },
  {
    cause: 'auto-mode-notice',
    basis: 'seen',
    text: /Auto mode can't check actions in this session/,
    end: /Esc to cancel$/,
  },
  {
    cause: 'auto-mode-notice',
    basis: 'seen',
    // Its footer comes with the first key only.
    text: /Make auto mode your default permission mode\?/,
    end: /No, keep manual mode(?: Not answered yet · .*)?$/,
  },
  {
    cause: 'transcript-view',
    basis: 'seen',
    text: /Showing detailed transcript · /,
    end: /Showing detailed transcript · .*$/,
  },
  {
    cause: 'usage-limit',
    basis: 'documented',
    text: /What do you want to do\?.*(?:Stop and wait for limit to reset|Wait here, then continue automatically)/,
    end: /./,
  },
  { cause: 'login', basis: 'seen', text: /Select login method:/, end: /./ },
  {
    cause: 'login',
    basis: 'documented',
    text: /Paste code here if prompted >/,
    end: /Paste code here if prompted >.*$/,
  },
  {
    cause: 'login',
    basis: 'documented',
    text: /Login successful\. Press Enter to continue/,
    end: /Press Enter to continue…?$/,
  },
  { cause: 'menu', basis: 'seen', text: /./, end: ANY_END },
];

/** Why the screen takes no message, where it has neither a box nor a dialog. */
export const readBlocked = (lines: readonly Line[]): BlockedReading => {
  const whole = tailOf(lines, lines.length);
  const tail = tailOf(lines);
  const found = SCREENS.find((screen) => screen.text.test(whole) && screen.end.test(tail));
  if (found !== undefined) return { kind: 'blocked', cause: found.cause, basis: found.basis };
  const options = readOptions(lines);
  if (options.length > 1 && endsWithOptions(lines, options))
    return { kind: 'blocked', cause: 'menu', basis: 'seen' };
  return { kind: 'blocked', cause: 'unknown-screen', basis: 'none' };
};

/**
 * The survey stands above a box that looks usable and takes single digits. Known from its texts
 * only; it must be the last thing above the box, so that an agent that quotes it does not count.
 */
export const isSurvey = (above: readonly Line[]): boolean =>
  /How is Claude doing this session\? \(optional\) 1: Bad +2: Fine +3: Good.* 0: Dismiss$/.test(
    tailOf(
      above.filter((line) => !isBlank(line)),
      2,
    ),
  );
