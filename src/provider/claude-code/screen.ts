import { isSurvey, readBlocked } from './screen-blocked.ts';
import { findBox, isRule, readBox } from './screen-box.ts';
import { isBlank, type Line, readLines } from './screen-cells.ts';
import { readDialog } from './screen-dialog.ts';
import type { ScreenReading } from './screen-reading.ts';

/** A capture with its escapes (`Tmux.look`) and the width of its pane. */
export interface Screen {
  readonly capture: string;
  readonly cols: number;
  /** Where tmux says that the cursor is, from 0; only a box that is cut off needs it. */
  readonly cursorColumn?: number;
}

/**
 * Reads one capture. Everything is told by position and look: the box is what stands between the
 * last two rules of the screen, a dialog is what ends it. Words higher up prove nothing.
 *
 * What an agent writes stands indented or on a background, so it can imitate neither a rule in
 * column 0 nor a footer. Unavoidable: a program that draws over the agent's screen (a background
 * job that writes to the terminal) can show anything until the next redraw.
 */
export const readScreen = ({ capture, cols, cursorColumn }: Screen): ScreenReading => {
  const lines = readLines(capture);
  if (lines.every(isBlank)) return { kind: 'blank' };
  const place = findBox(lines, cols);
  if (place !== undefined) {
    if (isSurvey(lines.slice(0, place.top)))
      return { kind: 'blocked', cause: 'survey', basis: 'documented' };
    return readBox(lines, place, cols, cursorColumn);
  }
  const shown = withoutNameRule(lines, cols);
  const dialog = readDialog(shown, cols);
  if (dialog !== undefined) return dialog;
  const blocked = readBlocked(shown);
  return blocked.cause === 'unknown-screen' && isOtherProgram(shown) ? { kind: 'shell' } : blocked;
};

/** A session with a name has it in a rule that stands below its dialogs too. */
const withoutNameRule = (lines: readonly Line[], cols: number): readonly Line[] => {
  const last = lines.findLastIndex((line) => !isBlank(line));
  const line = lines[last];
  return line !== undefined && isRule(line, cols) ? lines.slice(0, last) : lines;
};

/**
 * The cursor's line as shells write it, or the agent's farewell when it was suspended. A hint
 * only: the process tree knows better.
 */
const isOtherProgram = (lines: readonly Line[]): boolean => {
  const last = lines.findLast((line) => !isBlank(line))?.text ?? '';
  return (
    /^\S.*[$#%>❯]$|^[$#%>❯]$/.test(last) ||
    lines.some((line) => line.text.startsWith('Claude Code is suspended.'))
  );
};
