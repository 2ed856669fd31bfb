import { answered, approvePlan, clarify, closed, feedback, rejectCall } from './dialog-close.ts';
import type { InputEvent } from './keys.ts';
import { type Menu, pressMenu } from './menu.ts';
import { pressQuestion } from './picker.ts';
import type { Moment, Tui } from './state.ts';
import { timings } from './timings.ts';
import { awaitScene, runTool } from './turn.ts';

const chosenEntry = (tui: Tui, moment: Moment, menu: Menu, entry: number): void => {
  switch (menu.kind) {
    case 'approval':
      if (entry === menu.approval.options.length - 1) {
        closed(tui, moment, 'denied');
        rejectCall(tui, moment, true);
        return;
      }
      closed(tui, moment, `approved ${entry + 1}`);
      moment.emit({ type: 'registry', patch: { status: 'busy' }, afterMs: 2 });
      if (tui.turn) runTool(moment, tui.turn);
      return;
    case 'plan':
      approvePlan(tui, moment, menu.plan, menu.file, entry);
      return;
    case 'trust':
      closed(tui, moment, entry === 1 ? 'trusted' : 'exit');
      if (entry !== 1) {
        moment.emit({ type: 'exit', code: 1 });
        return;
      }
      tui.phase = 'starting';
      moment.emit({ type: 'timer', timer: { name: 'started' }, ms: timings.start });
      return;
    case 'menu':
      closeMenu(tui, moment);
      return;
  }
};

const closeMenu = (tui: Tui, moment: Moment): void => {
  closed(tui, moment, 'closed');
  moment.emit({ type: 'registry', patch: { status: 'idle' }, afterMs: 10 });
  awaitScene(tui, moment);
};

/** Escape on a dialog, seen or held back. */
export const cancelDialog = (tui: Tui, moment: Moment): void => {
  const picker = tui.dialog?.picker;
  if (!picker) return;
  if (picker.kind === 'menu') {
    closeMenu(tui, moment);
    return;
  }
  closed(tui, moment, 'declined');
  if (picker.kind === 'trust') {
    moment.emit({ type: 'exit', code: 1 });
    return;
  }
  if (picker.kind === 'question') {
    const lines = picker.questions.map(
      (q) => `${q.question} (${q.options.map((o) => o.label).join(' / ')})`,
    );
    tui.shown.push({ kind: 'answered', isDeclined: true, lines });
  }
  rejectCall(tui, moment, true);
};

/** One key, chunk or paste on the dialog that stands on the screen. */
export const pressDialog = (tui: Tui, moment: Moment, event: InputEvent): void => {
  const dialog = tui.dialog;
  if (!dialog || moment.now < dialog.deafUntil) return;
  const { picker } = dialog;
  const key = event.type === 'key' ? event.key : event.text;
  moment.emit({ type: 'truth', entry: { type: 'dialog-key', dialog: picker.kind, key } });
  if (picker.kind !== 'question') {
    const outcome = pressMenu(picker, event);
    if (outcome.type === 'open') dialog.picker = outcome.menu;
    else if (outcome.type === 'chosen') chosenEntry(tui, moment, picker, outcome.entry);
    else if (outcome.type === 'cancelled') cancelDialog(tui, moment);
    else {
      closed(tui, moment, 'feedback', { words: outcome.words });
      feedback(tui, moment, outcome.words);
    }
    return;
  }
  const outcome = pressQuestion(picker, event);
  if (outcome.type === 'open') dialog.picker = outcome.picker;
  else if (outcome.type === 'declined') cancelDialog(tui, moment);
  else if (outcome.type === 'answered') answered(tui, moment, outcome.chosen);
  else {
    closed(tui, moment, 'clarify');
    feedback(tui, moment, clarify(picker.questions));
  }
};
