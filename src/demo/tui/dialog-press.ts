import type { DialogQuestion } from '../../bridge/model/conversation.ts';
import type { InputEvent } from './keys.ts';
import { type Menu, pressMenu } from './menu.ts';
import { interruptedRow } from './more-rows.ts';
import { answersOf, type Chosen, pressQuestion } from './picker.ts';
import { bookkeeping, lastPrompt, resultRow } from './rows.ts';
import type { Branch, Json, Step } from './script.ts';
import type { Moment, Tui } from './state.ts';
import { timings } from './timings.ts';
import { awaitScene, fallIdle, finishCall, runTool } from './turn.ts';
import { writeRows } from './turn-start.ts';

const rejected =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file).";
const rejectedStop = `${rejected} STOP what you are doing and wait for the user to tell you how to proceed.`;
const clarify = (questions: readonly DialogQuestion[]): string =>
  `The user wants to clarify these questions.\n    This means they may have additional information, context or questions for you.\n    Take their response into account and then reformulate the questions if appropriate.\n    Start by asking them what they would like to clarify.\n\n    Questions asked:\n${questions.map((q) => `- "${q.question}"\n  (No answer provided)`).join('\n')}`;
const accepted: { permissionDecision: Json } = {
  permissionDecision: {
    decision: 'accept',
    source: 'user_temporary',
    grantScope: 'once',
    reasonCode: 'unknown',
  },
};

const closed = (
  tui: Tui,
  moment: Moment,
  how: string,
  more: { answers?: Record<string, string>; words?: string } = {},
): void => {
  const dialog = tui.dialog?.picker.kind ?? 'none';
  tui.dialog = undefined;
  moment.emit({ type: 'truth', entry: { type: 'dialog-closed', dialog, how, ...more } });
  moment.emit({ type: 'registry', patch: { waitingFor: '' }, afterMs: 5 });
};

/** The call is refused and the turn ends: Escape on a dialog or a tool, "No" on an approval. */
export const rejectCall = (tui: Tui, moment: Moment, isBeforeRun: boolean): void => {
  const turn = tui.turn;
  const call = turn?.call;
  if (!turn || !call) return;
  const result = resultRow(tui.chain, moment.at, {
    promptId: turn.promptId,
    toolUseId: call.toolUseId,
    assistantUuid: call.assistantUuid,
    content: rejectedStop,
    isError: true,
    toolUseResult: 'User rejected tool use',
    extra: {
      toolDenialKind: 'user-rejected',
      ...(isBeforeRun ? { toolDenialBeforeRun: true } : {}),
    },
  });
  const interrupted = interruptedRow(tui.chain, moment.at, turn.promptId, 'tool', turn.messageId);
  writeRows(tui, moment, [
    result,
    interrupted,
    lastPrompt(tui.chain, turn.prompt),
    ...bookkeeping(tui.chain, tui.mode),
  ]);
  // A declined question has its own lines already.
  if (call.step.type !== 'ask') {
    tui.shown.push({ kind: 'note', text: 'Interrupted · What should Claude do instead?' });
  }
  fallIdle(tui, moment, timings.interrupted);
};

const feedback = (tui: Tui, moment: Moment, words: string): void => {
  moment.emit({ type: 'registry', patch: { status: 'busy' }, afterMs: 2 });
  const content = `${rejected} To tell you how to proceed, the user said:\n${words}`;
  finishCall(tui, moment, {
    content,
    isError: true,
    toolUseResult: `Error: ${content}`,
    extra: {
      toolDenialKind: 'user-rejected',
      userFeedback: words,
      holdsPersonsWords: true,
      permissionDecision: { decision: 'reject', source: 'user_reject', reasonCode: 'unknown' },
    },
  });
};

const branchFor = (
  branches: readonly Branch[] | undefined,
  otherwise: readonly Step[] | undefined,
  answers: Record<string, string>,
): readonly Step[] => {
  const given = Object.values(answers).join('\n');
  return branches?.find((branch) => given.includes(branch.answer))?.steps ?? otherwise ?? [];
};

const answered = (tui: Tui, moment: Moment, chosen: readonly Chosen[]): void => {
  const step = tui.turn?.call?.step;
  if (step?.type !== 'ask') return;
  const { answers, hasOwnWords } = answersOf(step.questions, chosen);
  const pairs = Object.entries(answers)
    .map(([q, a]) => `"${q}"="${a}"`)
    .join(', ');
  closed(tui, moment, 'answered', { answers });
  moment.emit({ type: 'registry', patch: { status: 'busy' }, afterMs: 2 });
  tui.shown.push({
    kind: 'answered',
    isDeclined: false,
    lines: Object.entries(answers).map(([q, a]) => `${q} → ${a}`),
  });
  finishCall(tui, moment, {
    content:
      pairs === ''
        ? 'The user did not answer the questions.'
        : hasOwnWords
          ? `The user answered: ${pairs}. Read the answers carefully — they may request clarification, changes, or that you not proceed — and follow what they actually say.`
          : `Your questions have been answered: ${pairs}. You can now continue with these answers in mind.`,
    toolUseResult: { questions: step.questions as unknown as Json, answers, annotations: {} },
    extra: accepted,
    next: branchFor(step.branches, step.otherwise, answers),
  });
};

const approvePlan = (tui: Tui, moment: Moment, plan: string, file: string, entry: number): void => {
  tui.mode = entry === 0 ? 'auto' : 'default';
  closed(tui, moment, 'approved');
  moment.emit({ type: 'registry', patch: { status: 'busy' }, afterMs: 2 });
  finishCall(tui, moment, {
    content: `User has approved your plan. You can now start coding. Start with updating your todo list if applicable\n\nYour plan has been saved to: ${file}\nYou can refer back to it if needed during implementation.\n\n## Approved Plan:\n${plan}`,
    toolUseResult: { plan, isAgent: false, filePath: file },
    extra: accepted,
  });
};

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
