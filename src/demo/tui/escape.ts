import { rejectCall } from './dialog-close.ts';
import { present } from './dialog-open.ts';
import { cancelDialog } from './dialog-press.ts';
import { draftOf, emptyDraft } from './draft.ts';
import { interruptedRow } from './end-rows.ts';
import { bookkeeping, lastPrompt } from './rows.ts';
import type { Moment, Tui, Turn } from './state.ts';
import { timings } from './timings.ts';
import { awaitScene, fallIdle } from './turn.ts';
import { writeBlock, writeRows } from './turn-start.ts';

const interrupted = (moment: Moment, during: 'text' | 'tool' | 'before-first-token') =>
  moment.emit({ type: 'truth', entry: { type: 'interrupt', during } });

/** Before the first token: the prompt goes back into the box; its row stays and nothing else is written. */
const unsend = (tui: Tui, moment: Moment, turn: Turn): void => {
  interrupted(moment, 'before-first-token');
  moment.emit({ type: 'truth', entry: { type: 'unsent', text: turn.prompt } });
  tui.chain.leaf = turn.leafBefore;
  tui.wasUnsent = true;
  const at = tui.shown.findLastIndex((shown) => shown.kind === 'person');
  if (at !== -1) tui.shown.splice(at, 1);
  tui.draft = draftOf(turn.prompt + tui.draft.text);
  fallIdle(tui, moment, timings.interrupted);
};

const interruptText = (tui: Tui, moment: Moment, turn: Turn): void => {
  interrupted(moment, 'text');
  const partial = turn.stream?.text.slice(0, turn.stream.shown) ?? '';
  turn.stream = undefined;
  if (partial !== '') {
    tui.shown.push({ kind: 'agent', text: partial });
    writeBlock(tui, moment, turn, { type: 'text', text: partial }, true);
  }
  tui.shown.push({ kind: 'note', text: 'Interrupted · What should Claude do instead?' });
  writeRows(tui, moment, [
    interruptedRow(tui.chain, moment.at, turn.promptId, 'text', turn.messageId),
    lastPrompt(tui.chain, turn.prompt),
    ...bookkeeping(tui.chain, tui.mode),
  ]);
  fallIdle(tui, moment, timings.interrupted);
};

const openRewind = (tui: Tui, moment: Moment): void => {
  const prompts = tui.shown.flatMap((shown) => (shown.kind === 'person' ? [shown.text] : []));
  const entries = [...prompts.slice(-6), '(current)'];
  present(tui, moment, { kind: 'menu', title: 'Rewind', entries, cursor: entries.length - 1 });
};

/** Escape where no dialog is seen: interrupts, un-sends, or is half of a pair. */
export const pressEscape = (tui: Tui, moment: Moment): void => {
  const { turn } = tui;
  if (turn) {
    tui.escapedAt = Number.NEGATIVE_INFINITY;
    if (tui.dialog) {
      cancelDialog(tui, moment);
      return;
    }
    if (turn.call) {
      interrupted(moment, 'tool');
      rejectCall(tui, moment, false);
      return;
    }
    // With a message in the queue nothing is un-sent: it is an interrupt, and the queue goes (observed).
    if (!turn.hasToken && turn.isTyped && tui.queue.length === 0) {
      unsend(tui, moment, turn);
      return;
    }
    interruptText(tui, moment, turn);
    return;
  }
  const isSecond = moment.now - tui.escapedAt <= timings.pair;
  tui.escapedAt = isSecond ? Number.NEGATIVE_INFINITY : moment.now;
  if (tui.draft.text === '' && tui.isShell) {
    tui.isShell = false;
    return;
  }
  if (tui.draft.text === '') {
    isSecond ? openRewind(tui, moment) : undefined;
    return;
  }
  tui.hint = isSecond ? undefined : 'clear';
  if (!isSecond) return;
  tui.draft = { ...emptyDraft, killed: tui.draft.text };
  awaitScene(tui, moment);
};
