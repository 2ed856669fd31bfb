import type { DialogContent, DialogItem, ToolItem } from '../../bridge/model/conversation.ts';
import { type DialogId, id } from '../../bridge/model/ids.ts';
import type {
  BlockedCause,
  EndedHow,
  PendingDialog,
  RunState,
} from '../../bridge/model/run-state.ts';
import type { TranscriptFacts } from './fold.ts';
import {
  approvalContentOf,
  approvalId,
  dialogContentOf,
  isAgentTool,
  isDialogTool,
  jsonText,
  summaryOf,
} from './fold-tool.ts';
import type { RegistryEntry } from './registry-entry.ts';

/** Everything that a run's state is derived from. */
export interface StateInput {
  readonly entry: RegistryEntry | 'absent' | 'unreadable';
  /** The process with this pid and start time lives. */
  readonly isAlive: boolean;
  /** Start time of the process that we follow, as in `RunHandle`. */
  readonly procStart: string;
  readonly facts: TranscriptFacts;
  /** What the screen showed, where it was asked: the last witness. */
  readonly screen?: BlockedCause | undefined;
  /** Why the pane cannot be typed into; absent when it can. */
  readonly paneTrouble?: string | undefined;
  /** What was derived last. */
  readonly previous?: RunState | undefined;
  /** Calls for which a hook waits, in the order in which they were asked for. */
  readonly asked?: readonly AskedCall[];
}

/** A hook waits for the answer of this call: no source knows better what is asked. */
export interface AskedCall {
  readonly call: string;
  readonly tool: string;
  readonly input: unknown;
  /** ms since the epoch. */
  readonly at: number;
  readonly standing: readonly { readonly index: number; readonly words: string }[];
}

const endedHow = (input: StateInput): EndedHow => {
  if (input.entry === 'absent') return 'exited';
  if (input.entry === 'unreadable' || input.entry.procStart !== input.procStart) return 'lost';
  return 'killed';
};

/** The call on which the run waits: a question or a plan; else the oldest that may need approval. */
const waitingCall = (facts: TranscriptFacts): ToolItem | DialogItem | undefined =>
  facts.openCalls.findLast((call) => call.kind === 'dialog') ??
  facts.openCalls.find((call) => call.kind === 'tool' && !isAgentTool(call.name)) ??
  facts.openCalls.at(-1);

const dialogState = (
  name: 'question-pending' | 'plan-pending' | 'approval-pending',
  dialog: DialogId | undefined,
): RunState => ({ name, ...(dialog === undefined ? {} : { dialog }) });

/** A question or plan that the transcript holds and nobody has answered. */
const openDialog = (facts: TranscriptFacts, isPlan: boolean): DialogItem | undefined =>
  facts.openCalls.findLast(
    (call): call is DialogItem => call.kind === 'dialog' && isPlanCall(call) === isPlan,
  );

/** Of the two dialog tools a plan is told by its content, or by its tool where its shape is unknown. */
const isPlanCall = (call: DialogItem): boolean =>
  call.content.type === 'plan' ||
  (call.content.type === 'unknown' && call.content.tool === 'ExitPlanMode');

const permissionState = (
  facts: TranscriptFacts,
  asked: readonly AskedCall[] | undefined,
): RunState => {
  const plan = openDialog(facts, true);
  if (plan !== undefined) return dialogState('plan-pending', plan.dialog);
  const hook = asked?.find(({ tool }) => tool !== 'AskUserQuestion');
  if (hook?.tool === 'ExitPlanMode') return dialogState('plan-pending', id<DialogId>(hook.call));
  if (hook !== undefined) return dialogState('approval-pending', approvalId(hook.call));
  const call = waitingCall(facts);
  return dialogState('approval-pending', call?.kind === 'tool' ? approvalId(call.id) : undefined);
};

/** The transcript's, or (with a remote-control session it comes late) the one that a hook asks about. */
const questionOf = ({ facts, asked }: StateInput): DialogId | undefined => {
  const hook = asked?.find(({ tool }) => tool === 'AskUserQuestion');
  return openDialog(facts, false)?.dialog ?? (hook && id<DialogId>(hook.call));
};

const waitingState = (input: StateInput, waitingFor: string): RunState => {
  const { facts, screen } = input;
  switch (waitingFor) {
    case 'input needed':
      return dialogState('question-pending', questionOf(input));
    case 'permission prompt':
      return permissionState(facts, input.asked);
    case 'dialog open':
      return { name: 'blocked', cause: screen ?? 'menu' };
    case '': {
      // Torn between two writes: the transcript may know already.
      const question = openDialog(facts, false);
      if (question !== undefined) return dialogState('question-pending', question.dialog);
      if (facts.openCalls.length > 0) return permissionState(facts, input.asked);
      return input.previous ?? { name: 'blocked', cause: screen ?? 'unknown-screen' };
    }
    default:
      return { name: 'blocked', cause: screen ?? 'unknown-screen' };
  }
};

const working = (facts: TranscriptFacts): RunState => ({
  name: 'working',
  ...(facts.turn === undefined ? {} : { turn: facts.turn }),
  ...(facts.background === 0 ? {} : { background: facts.background }),
});

const busyState = (facts: TranscriptFacts, waitingFor: string): RunState => {
  // `busy` with a reason to wait: one of the two writes has not come yet.
  const question = waitingFor === 'input needed' ? openDialog(facts, false) : undefined;
  if (question !== undefined) return dialogState('question-pending', question.dialog);
  const plan = waitingFor === 'permission prompt' ? openDialog(facts, true) : undefined;
  if (plan !== undefined) return dialogState('plan-pending', plan.dialog);
  return working(facts);
};

const restingState = (facts: TranscriptFacts): RunState => {
  if (facts.background > 0) return working(facts);
  return { name: facts.lastWord === 'agent' ? 'needs-input' : 'idle' };
};

const livingState = (input: StateInput): RunState => {
  const { entry, facts, screen } = input;
  if (entry === 'unreadable') return input.previous ?? { name: 'starting' };
  if (entry === 'absent') {
    if (screen !== undefined) return { name: 'blocked', cause: screen };
    // It had a registry file: the process is about to end.
    const was = input.previous?.name;
    const isEnding = was !== undefined && was !== 'starting' && was !== 'blocked';
    return isEnding && input.previous !== undefined ? input.previous : { name: 'starting' };
  }
  const waitingFor = entry.waitingFor ?? '';
  switch (entry.status) {
    case 'busy':
      return busyState(facts, waitingFor);
    case 'waiting':
      return waitingState(input, waitingFor);
    case 'idle':
      return restingState(facts);
    case 'unknown':
      if (screen !== undefined) return { name: 'blocked', cause: screen };
      return facts.isTurnEnded ? restingState(facts) : working(facts);
  }
};

/** The states in which a reply would be typed: what needs a pane that can be reached. */
const TYPES: ReadonlySet<RunState['name']> = new Set([
  'starting',
  'idle',
  'working',
  'needs-input',
]);

/** The one state of a run (S1). PURE. */
export const stateOf = (input: StateInput): RunState => {
  const isAnother = typeof input.entry !== 'string' && input.entry.procStart !== input.procStart;
  if (!input.isAlive || isAnother) return { name: 'ended', how: endedHow(input) };
  const state = livingState(input);
  return input.paneTrouble !== undefined && TYPES.has(state.name)
    ? { name: 'unreachable', why: input.paneTrouble }
    : state;
};

/** True where only the screen can say what the run waits on. */
export const needsScreen = (entry: StateInput['entry']): boolean => {
  if (entry === 'absent') return true;
  if (entry === 'unreadable') return false;
  const { status, waitingFor } = entry;
  if (status === 'unknown') return true;
  return (
    status === 'waiting' && waitingFor !== 'input needed' && waitingFor !== 'permission prompt'
  );
};

/**
 * The dialog that is open now, as the transcript knows it. `undefined` although the state says that
 * one is pending: the transcript does not hold it (remote control), and content is not invented.
 */
export const pendingDialogOf = (
  state: RunState,
  facts: TranscriptFacts,
  isAnswerable: (content: DialogContent) => boolean,
  asked: readonly AskedCall[] = [],
): PendingDialog | undefined => {
  if (!('dialog' in state) || state.dialog === undefined) return undefined;
  const { dialog } = state;
  const call = facts.openCalls.find((c) =>
    c.kind === 'dialog' ? c.dialog === dialog : approvalId(c.id) === dialog,
  );
  const hook = asked.find((each) => each.call === dialog || approvalId(each.call) === dialog);
  const base = { id: dialog, ...(hook !== undefined && { hook: { standing: hook.standing } }) };
  if (call === undefined) {
    if (hook === undefined) return undefined;
    return { ...base, content: contentOfAsked(hook), since: hook.at, isAnswerable: true };
  }
  const content =
    call.kind === 'dialog' ? call.content : approvalContentOf(call.name, call.summary, call.input);
  const mayAsk = facts.openCalls.filter((c) => c.kind === 'tool' && !isAgentTool(c.name)).length;
  // Of several calls at once the oldest asks first, as far as seen: shown, not answered by keys.
  const isCertain = call.kind === 'dialog' || mayAsk === 1;
  return {
    ...base,
    content,
    since: call.at,
    isAnswerable: hook !== undefined || (isCertain && isAnswerable(content)),
  };
};

const contentOfAsked = ({ tool, input }: AskedCall): DialogContent => {
  if (isDialogTool(tool)) return dialogContentOf(tool, input);
  const text = jsonText(input);
  return approvalContentOf(tool, summaryOf(tool, input, text), text);
};
