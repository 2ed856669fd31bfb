import { present } from './dialog-open.ts';
import { apiErrorRow } from './end-rows.ts';
import { openQuestions } from './picker.ts';
import { absorbedRows, dequeueRow } from './queue-rows.ts';
import { bookkeeping, hashOf, lastPrompt, resultRow, turnDurationRow } from './rows.ts';
import type { Json, JsonObject, Step } from './script.ts';
import { isPrompt, runSent } from './sent.ts';
import type { Call, Moment, Tui, Turn } from './state.ts';
import { timings } from './timings.ts';
import { later, newMessage, startTurn, writeBlock, writeRows } from './turn-start.ts';

const fill = (text: string, turn: Turn): string =>
  text.replaceAll('{result}', turn.result).replaceAll('{prompt}', turn.prompt);

const planFileOf = (tui: Tui, step: Step & { type: 'plan' }): string =>
  step.file ?? `${tui.planDirectory}/scripted-plan.md`;

const callOf = (tui: Tui, moment: Moment, turn: Turn, step: Call['step']): Call => {
  const toolUseId = `toolu_01${hashOf(tui.chain).slice(0, 24)}`;
  const [name, input]: [string, JsonObject] =
    step.type === 'tool'
      ? [step.name, step.input]
      : step.type === 'ask'
        ? ['AskUserQuestion', { questions: step.questions as unknown as Json }]
        : ['ExitPlanMode', { plan: step.plan, planFilePath: planFileOf(tui, step) }];
  const block = { type: 'tool_use', id: toolUseId, name, input };
  turn.hasToken = true;
  const assistantUuid = writeBlock(tui, moment, turn, block);
  return { step, toolUseId, assistantUuid, isRunning: false };
};

/** Goes on with the next step of the turn, or ends it. */
export const advance = (tui: Tui, moment: Moment): void => {
  const turn = tui.turn;
  if (!turn) return;
  const [step, ...rest] = turn.steps;
  if (!step) {
    endTurn(tui, moment);
    return;
  }
  turn.steps = rest;
  switch (step.type) {
    case 'wait':
      later(moment, turn, 'advance', step.ms);
      return;
    case 'think':
      turn.hasToken = true;
      writeBlock(tui, moment, turn, {
        type: 'thinking',
        thinking: step.text,
        signature: 'c2NyaXB0',
      });
      later(moment, turn, 'advance', 20);
      return;
    case 'say':
      turn.stream = { text: fill(step.text, turn), ms: step.ms ?? 30, shown: 0 };
      stream(tui, moment);
      return;
    case 'fail':
      turn.hasToken = true;
      writeRows(tui, moment, [
        apiErrorRow(tui.chain, moment.at, step.status, step.message),
        lastPrompt(tui.chain, turn.prompt),
      ]);
      tui.shown.push({ kind: 'warning', text: `API Error: ${step.status} ${step.message}` });
      tui.hasFailed = true;
      fallIdle(tui, moment, timings.idle);
      return;
    case 'tool': {
      turn.call = callOf(tui, moment, turn, step);
      if (!step.approval) {
        runTool(moment, turn);
        return;
      }
      const { approval } = step;
      present(tui, moment, { kind: 'approval', approval, cursor: 0 }, turn.call.toolUseId);
      return;
    }
    case 'ask':
      turn.call = callOf(tui, moment, turn, step);
      present(tui, moment, openQuestions(step.questions), turn.call.toolUseId);
      return;
    case 'plan': {
      const file = planFileOf(tui, step);
      turn.call = callOf(tui, moment, turn, step);
      const menu = {
        kind: 'plan',
        plan: step.plan,
        file,
        cursor: 0,
        isTyping: false,
        words: '',
      } as const;
      present(tui, moment, menu, turn.call.toolUseId);
      return;
    }
  }
};

/** One more piece of the streaming text; its row comes at its end. */
export const stream = (tui: Tui, moment: Moment): void => {
  const turn = tui.turn;
  if (!turn?.stream) return;
  const { text, ms } = turn.stream;
  const pieces = Math.max(1, Math.ceil(ms / timings.chunk));
  turn.hasToken = true;
  turn.stream.shown = Math.min(text.length, turn.stream.shown + Math.ceil(text.length / pieces));
  const isWhole = turn.stream.shown >= text.length;
  if (!isWhole) {
    later(moment, turn, 'stream', ms / pieces);
    return;
  }
  turn.stream = undefined;
  tui.shown.push({ kind: 'agent', text });
  writeBlock(tui, moment, turn, { type: 'text', text });
  later(moment, turn, 'advance', 15);
};

/** The tool of the turn's call begins to run. */
export const runTool = (moment: Moment, turn: Turn): void => {
  if (turn.call?.step.type !== 'tool') return;
  turn.call.isRunning = true;
  later(moment, turn, 'tool-done', turn.call.step.ms);
};

export interface Result {
  readonly content: string;
  readonly toolUseResult: Json;
  readonly isError?: boolean;
  readonly extra?: JsonObject;
  /** What the agent goes on with before the rest of its steps. */
  readonly next?: readonly Step[];
}

/** The call has its result: messages that waited go in with it, and the agent goes on. */
export const finishCall = (tui: Tui, moment: Moment, result: Result): void => {
  const turn = tui.turn;
  const call = turn?.call;
  if (!turn || !call) return;
  turn.call = undefined;
  const prompts = tui.queue.filter(isPrompt);
  const absorbed = prompts.map(({ text, sentAt }) =>
    absorbedRows(tui.chain, moment.at, text, sentAt),
  );
  const row = resultRow(tui.chain, moment.at, {
    promptId: turn.promptId,
    toolUseId: call.toolUseId,
    assistantUuid: call.assistantUuid,
    ...result,
  });
  writeRows(tui, moment, [
    ...absorbed.map(({ removed }) => removed),
    row,
    ...absorbed.map(({ attached }) => attached()),
  ]);
  for (const { text } of prompts) {
    tui.shown.push({ kind: 'person', text });
    moment.emit({ type: 'truth', entry: { type: 'received', text, via: 'absorbed' } });
  }
  tui.queue = tui.queue.filter((sent) => !isPrompt(sent));
  turn.result = `RESULT${result.isError ? ' (error)' : ''}: ${result.content}`;
  turn.steps = [...(result.next ?? []), ...turn.steps];
  newMessage(tui, turn);
  later(moment, turn, 'advance', 40);
};

const verbs = ['Cogitated', 'Brewed', 'Churned', 'Baked', 'Crunched', 'Cooked'];

const endTurn = (tui: Tui, moment: Moment): void => {
  const turn = tui.turn;
  if (!turn) return;
  const ms = moment.at - turn.startedAt;
  writeRows(tui, moment, [
    turnDurationRow(tui.chain, moment.at, ms),
    lastPrompt(tui.chain, turn.prompt),
    ...bookkeeping(tui.chain, tui.mode),
  ]);
  const verb = verbs[tui.turns % verbs.length] ?? 'Cooked';
  tui.shown.push({ kind: 'done', text: `${verb} for ${Math.round(ms / 1000)}s` });
  fallIdle(tui, moment, timings.idle);
};

/** What waited goes now: prompts that follow each other in one turn, anything else for itself. */
const drain = (tui: Tui, moment: Moment): void => {
  while (tui.queue.length > 0 && !tui.turn && !tui.dialog) {
    const end = tui.queue.findIndex((sent) => !isPrompt(sent));
    const taken = tui.queue.splice(0, end === -1 ? tui.queue.length : Math.max(1, end));
    const rows = taken.map(() => dequeueRow(tui.chain, moment.at));
    writeRows(tui, moment, rows);
    const [first] = taken;
    if (first && !isPrompt(first)) runSent(tui, moment, first);
    else startTurn(tui, moment, taken, 'queued');
  }
};

/** The turn is over: what waits in the queue goes now, else the run is idle. */
export const fallIdle = (tui: Tui, moment: Moment, afterMs: number): void => {
  tui.turn = undefined;
  drain(tui, moment);
  if (tui.turn || tui.dialog) return;
  moment.emit({ type: 'registry', patch: { status: 'idle' }, afterMs });
  awaitScene(tui, moment);
};

/** Sets the timer of the next scene, if the script has one. */
export const awaitScene = (tui: Tui, moment: Moment): void => {
  tui.idles += 1;
  const { scenes, isLoop } = tui.script;
  if (isLoop && tui.scene >= scenes.length) tui.scene = 0;
  const scene = scenes[tui.scene];
  if (scene) {
    moment.emit({ type: 'timer', timer: { name: 'scene', idles: tui.idles }, ms: scene.afterMs });
  }
};
