import type { DialogQuestion } from '../../bridge/model/conversation.ts';
import { interruptedRow } from './end-rows.ts';
import { answersOf, type Chosen } from './picker.ts';
import { bookkeeping, lastPrompt, resultRow } from './rows.ts';
import type { Branch, Json, Step } from './script.ts';
import type { Moment, Tui } from './state.ts';
import { timings } from './timings.ts';
import { fallIdle, finishCall } from './turn.ts';
import { writeRows } from './turn-start.ts';

const rejected =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file).";
const rejectedStop = `${rejected} STOP what you are doing and wait for the user to tell you how to proceed.`;
/** What the agent is told when a person wants to talk about the questions. */
export const clarify = (questions: readonly DialogQuestion[]): string =>
  `The user wants to clarify these questions.\n    This means they may have additional information, context or questions for you.\n    Take their response into account and then reformulate the questions if appropriate.\n    Start by asking them what they would like to clarify.\n\n    Questions asked:\n${questions.map((q) => `- "${q.question}"\n  (No answer provided)`).join('\n')}`;
const accepted: { permissionDecision: Json } = {
  permissionDecision: {
    decision: 'accept',
    source: 'user_temporary',
    grantScope: 'once',
    reasonCode: 'unknown',
  },
};

/** The dialog goes from the screen; whoever calls says what becomes of the turn. */
export const closed = (
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

/** The call is refused with a person's words, and the agent goes on with them. */
export const feedback = (tui: Tui, moment: Moment, words: string): void => {
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

export const answered = (tui: Tui, moment: Moment, chosen: readonly Chosen[]): void => {
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

export const approvePlan = (
  tui: Tui,
  moment: Moment,
  plan: string,
  file: string,
  entry: number,
): void => {
  tui.mode = entry === 0 ? 'auto' : 'default';
  closed(tui, moment, 'approved');
  moment.emit({ type: 'registry', patch: { status: 'busy' }, afterMs: 2 });
  finishCall(tui, moment, {
    content: `User has approved your plan. You can now start coding. Start with updating your todo list if applicable\n\nYour plan has been saved to: ${file}\nYou can refer back to it if needed during implementation.\n\n## Approved Plan:\n${plan}`,
    toolUseResult: { plan, isAgent: false, filePath: file },
    extra: accepted,
  });
};
