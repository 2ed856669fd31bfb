import { showHeld } from './dialog-open.ts';
import { pressDialog } from './dialog-press.ts';
import { edit, emptyDraft, insertChunk } from './draft.ts';
import { pressEscape } from './escape.ts';
import type { InputEvent, Key } from './keys.ts';
import type { Effect, Moment, Timer, Tui } from './state.ts';
import { playScene, submit, takeBackQueue } from './submit.ts';
import { normalisePaste } from './text.ts';
import { timings } from './timings.ts';
import { advance, awaitScene, finishCall, stream } from './turn.ts';

/** What reaches the TUI from outside. */
export type TuiEvent =
  | { readonly type: 'born' }
  | { readonly type: 'input'; readonly input: InputEvent }
  | { readonly type: 'timer'; readonly timer: Timer }
  | { readonly type: 'resize'; readonly columns: number; readonly rows: number };

const putIn = (tui: Tui, raw: string): void => {
  let text = raw;
  if (tui.draft.text === '' && !tui.isShell && text.startsWith('!')) {
    tui.isShell = true;
    text = text.slice(1).trimStart();
  }
  const before = Object.keys(tui.draft.pastes).length;
  tui.draft = insertChunk(tui.draft, text, tui.pastes + 1);
  const isChip = Object.keys(tui.draft.pastes).length > before;
  if (isChip) tui.pastes += 1;
  if (isChip) tui.hint = 'expand';
};

const exitKey = (tui: Tui, moment: Moment, key: Key): void => {
  const isSecond = moment.now - tui.exitKeyAt <= timings.pair;
  if (key === 'ctrl-d' && tui.draft.text !== '') return;
  if (isSecond) {
    moment.emit({ type: 'exit', code: 0 });
    return;
  }
  tui.exitKeyAt = moment.now;
  tui.hint = 'exit';
  if (key !== 'ctrl-c') return;
  if (tui.turn) {
    pressEscape(tui, moment);
    return;
  }
  if (tui.draft.text !== '') tui.draft = { ...emptyDraft, killed: tui.draft.text };
};

const pressKey = (tui: Tui, moment: Moment, key: Key): void => {
  switch (key) {
    case 'enter':
      tui.enteredAt = moment.now;
      if (moment.now - tui.bornAt < timings.deafAtStart) return;
      submit(tui, moment);
      return;
    case 'escape':
      pressEscape(tui, moment);
      return;
    case 'ctrl-c':
    case 'ctrl-d':
      exitKey(tui, moment, key);
      return;
    case 'up':
      if (tui.draft.text === '' && tui.queue.length > 0) {
        takeBackQueue(tui, moment);
        return;
      }
      break;
    case 'backspace':
      if (tui.draft.text === '') tui.isShell = false;
      break;
    default:
      break;
  }
  tui.draft = edit(tui.draft, key, tui.columns);
  if (tui.draft.text === '') tui.hint = undefined;
};

const onInput = (tui: Tui, moment: Moment, input: InputEvent): void => {
  if (input.type === 'key' && input.key === 'ctrl-o' && !tui.dialog) {
    tui.isTranscriptView = !tui.isTranscriptView;
    return;
  }
  if (tui.isTranscriptView) {
    if (input.type === 'key' && input.key === 'escape') tui.isTranscriptView = false;
    return;
  }
  if (tui.dialog?.isVisible) {
    pressDialog(tui, moment, input);
    return;
  }
  if (input.type === 'key') {
    pressKey(tui, moment, input.key);
    return;
  }
  tui.typedAt = moment.now;
  putIn(tui, input.type === 'paste' ? normalisePaste(input.text) : input.text);
};

const onTimer = (tui: Tui, moment: Moment, timer: Timer): void => {
  switch (timer.name) {
    case 'started':
      tui.phase = 'ready';
      moment.emit({ type: 'registry', patch: { status: 'idle' }, afterMs: 0 });
      awaitScene(tui, moment);
      return;
    case 'show-dialog':
      showHeld(tui, moment);
      return;
    case 'scene':
      playScene(tui, moment, timer.idles);
      return;
    case 'advance':
    case 'stream':
    case 'tool-done': {
      const { turn } = tui;
      if (turn?.id !== timer.turn) return;
      if (timer.name === 'advance') {
        advance(tui, moment);
        return;
      }
      if (timer.name === 'stream') {
        stream(tui, moment);
        return;
      }
      const step = turn.call?.step;
      if (step?.type !== 'tool' || !turn.call?.isRunning) return;
      tui.shown.push({ kind: 'tool', text: step.shows });
      finishCall(tui, moment, {
        content: step.output,
        isError: false,
        toolUseResult: step.result,
      });
      return;
    }
  }
};

/** The whole TUI: changes its state by one event and says what is to be done outside. No clock, no files. */
export const handle = (tui: Tui, event: TuiEvent, now: number, at: number): readonly Effect[] => {
  const effects: Effect[] = [];
  const moment: Moment = { now, at, emit: (effect) => effects.push(effect) };
  switch (event.type) {
    case 'born':
      if (tui.phase === 'starting') {
        moment.emit({ type: 'timer', timer: { name: 'started' }, ms: timings.start });
      }
      break;
    case 'input':
      onInput(tui, moment, event.input);
      break;
    case 'timer':
      onTimer(tui, moment, event.timer);
      break;
    case 'resize':
      tui.columns = event.columns;
      tui.rows = event.rows;
      break;
  }
  return effects;
};
