import type { Menu } from './menu.ts';
import type { QuestionPicker } from './picker.ts';
import type { Moment, Tui } from './state.ts';
import { timings } from './timings.ts';

/** Until when a dialog is held back, because someone has just typed. */
const heldUntil = (tui: Tui): number =>
  Math.max(
    tui.enteredAt + timings.heldAfterEnter,
    tui.typedAt > tui.enteredAt ? tui.typedAt + timings.heldAfterTyping : Number.NEGATIVE_INFINITY,
  );

export const waitingFor = (kind: (QuestionPicker | Menu)['kind']): string =>
  kind === 'question' ? 'input needed' : kind === 'menu' ? 'dialog open' : 'permission prompt';

const show = (tui: Tui, moment: Moment, isLate: boolean): void => {
  if (!tui.dialog) return;
  tui.dialog.isVisible = true;
  tui.dialog.deafUntil = isLate ? moment.now + timings.deafDialog : moment.now;
};

/** Opens a dialog: the registry first, in two writes, then the screen, once nobody types. */
export const present = (
  tui: Tui,
  moment: Moment,
  picker: QuestionPicker | Menu,
  toolUseId?: string,
): void => {
  tui.dialog = { picker, isVisible: false, deafUntil: 0 };
  moment.emit({ type: 'registry', patch: { status: 'waiting' }, afterMs: 2 });
  moment.emit({ type: 'registry', patch: { waitingFor: waitingFor(picker.kind) }, afterMs: 5 });
  moment.emit({
    type: 'truth',
    entry: {
      type: 'dialog-opened',
      dialog: picker.kind,
      ...(toolUseId === undefined ? {} : { toolUseId }),
    },
  });
  const wait = picker.kind === 'menu' ? 0 : heldUntil(tui) - moment.now;
  if (wait > 0) moment.emit({ type: 'timer', timer: { name: 'show-dialog' }, ms: wait });
  else show(tui, moment, false);
};

/** The time to show a held dialog has come, unless someone went on typing. */
export const showHeld = (tui: Tui, moment: Moment): void => {
  if (!tui.dialog || tui.dialog.isVisible) return;
  const wait = heldUntil(tui) - moment.now;
  if (wait > 0) moment.emit({ type: 'timer', timer: { name: 'show-dialog' }, ms: wait });
  else show(tui, moment, true);
};
