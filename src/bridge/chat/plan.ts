import type { DialogItem, Item, TextItem, ToolItem } from '../model/conversation.ts';
import type { ActorId } from '../model/ids.ts';
import type { RunSummary } from '../model/run-state.ts';
import { type LedgerEntry, outboxPriority, type Verbosity } from '../model/thread.ts';
import type { DeliveryNames } from '../ports/delivery-names.ts';
import type { Redact } from '../text/redact.ts';
import {
  activityKey,
  isActivity,
  keptCall,
  keyOf,
  LedgerView,
  type PlanOp,
} from './ledger-view.ts';
import { planDialogItem, settleApproval } from './plan-dialog.ts';
import { isSelected, presentLifecycle, presentText } from './present.ts';
import { addStep, keepCall, mayChange, presentActivity, presentCall } from './present-activity.ts';
import { redactItem } from './redact-item.ts';

export interface PlanContext {
  readonly run: RunSummary;
  readonly verbosity: Verbosity;
  /** Who is mentioned at a question, an approval, a limit, an end (P6). */
  readonly notify: readonly ActorId[];
  readonly names: DeliveryNames;
  /** Channel and thread where it is shown: a person's own message there is not repeated. */
  readonly place: string | undefined;
  /** Where a person answers a dialog otherwise. */
  readonly link: string | undefined;
  readonly redact: Redact;
}

export interface PlanInput extends PlanContext {
  readonly items: readonly Item[];
  /** Loaded by `keysToLoad`. */
  readonly ledger: readonly LedgerEntry[];
  /** Item of the message that was planned last in this thread. */
  readonly tail: string | undefined;
  /** ms since the epoch; older items are copied history (R2). */
  readonly notBefore: number;
  /** How many messages may still be planned; beyond, the thread falls behind (P4). */
  readonly room: number;
  /** The thread is behind in this session: nothing new is planned but dialogs. */
  readonly isBehind: boolean;
}

export interface Plan {
  readonly ops: readonly PlanOp[];
  readonly tail: string | undefined;
}

/** One planning of one thread: what is known, and what was decided so far. */
class Planner {
  readonly view: LedgerView;
  readonly #in: PlanInput;
  tail: string | undefined;
  #room: number;
  #isBehind: boolean;

  constructor(input: PlanInput) {
    this.#in = input;
    this.view = new LedgerView(input.ledger);
    this.tail = input.tail;
    this.#room = input.room;
    this.#isBehind = input.isBehind;
  }

  item(raw: Item): void {
    const known = this.view.find(keyOf(raw));
    // A dialog's digest is that of its look: more sources than one report it.
    if (raw.kind !== 'dialog' && known?.digest === raw.digest) return;
    const { redact, verbosity } = this.#in;
    const item = redactItem(raw, redact, verbosity === 'full');
    if (item.kind === 'dialog') this.#dialog(item);
    else {
      if (item.kind === 'tool') settleApproval(this.view, item, this.#in);
      if (known === undefined) this.#first(item);
      else this.#revision(item, known);
    }
  }

  #dialog(item: DialogItem): void {
    const isKnown = this.view.find(keyOf(item)) !== undefined;
    if (!isKnown && item.at < this.#in.notBefore) this.#skip(item);
    else if (planDialogItem(this.view, item, this.#in)) this.#moveTail(keyOf(item));
  }

  #first(item: Exclude<Item, { kind: 'dialog' }>): void {
    const { notBefore, verbosity } = this.#in;
    if (item.at < notBefore) this.#skip(item);
    else if (item.parent !== undefined) this.#step(item, item.parent);
    else if (!isSelected(item, verbosity)) this.#skip(item);
    else this.#selected(item);
  }

  #selected(item: Exclude<Item, { kind: 'dialog' }>): void {
    const isFolding = item.kind === 'tool' && this.#in.verbosity !== 'full';
    const group = isFolding && this.tail !== undefined && isActivity(this.tail) ? this.tail : '';
    if (this.#isBehind || (group === '' && this.#room <= 0)) {
      this.#isBehind = true;
      this.view.passOver(Math.floor(item.order));
    } else if (item.kind === 'text' && this.#isOwnMessage(item)) {
      this.#moveTail(item.id);
    } else if (isFolding) {
      if (group === '') this.#room--;
      this.#fold(item, group === '' ? activityKey(item.id) : group);
    } else this.#message(item);
  }

  #revision(item: Exclude<Item, { kind: 'dialog' }>, known: LedgerEntry): void {
    const { digest } = item;
    const isNowSelected =
      known.state === 'skipped' && item.kind === 'text' && item.at >= this.#in.notBefore;
    if (isNowSelected && item.parent === undefined && isSelected(item, this.#in.verbosity)) {
      // The turn's end came after the text: only now is it the last one (quiet).
      if (this.#isBehind) this.view.passOver(Math.floor(item.order));
      else this.#message(item);
    } else if (known.state === 'shown') this.#message(item);
    else if (known.state === 'folded' && item.kind === 'tool' && keptCall(known) !== undefined)
      this.#fold(item, known.shownIn ?? activityKey(item.id));
    else this.view.note({ ...withoutParts(known), digest });
  }

  #message(item: TextItem | ToolItem | Extract<Item, { kind: 'lifecycle' }>): void {
    const { verbosity, notify, names, run } = this.#in;
    const known = this.view.find(item.id);
    const isNew = known?.state !== 'shown';
    const entry = { item: item.id, digest: item.digest, state: 'shown' as const };
    if (item.kind === 'tool') {
      const call = keepCall(item, keptCall(known));
      const kept = mayChange(call) ? { kept: JSON.stringify(call) } : {};
      this.view.show({ ...entry, ...kept }, presentCall(item, call), outboxPriority.text);
    } else if (item.kind === 'text')
      this.view.show(
        entry,
        presentText(item, item.role === 'user' ? names.ofText(run.id, item)?.by : undefined),
        outboxPriority.text,
      );
    else this.view.show(entry, presentLifecycle(item, verbosity, notify), outboxPriority.text);
    if (!isNew) return;
    this.#room--;
    this.#moveTail(item.id);
  }

  /** Shows a call in the message of its group. */
  #fold(item: ToolItem, group: string): void {
    const call = keepCall(item, keptCall(this.view.find(item.id)));
    this.view.note({
      item: item.id,
      digest: item.digest,
      state: 'folded',
      shownIn: group,
      kept: JSON.stringify(call),
    });
    const isNew = this.view.find(group) === undefined;
    this.#showGroup(group);
    if (isNew) this.#moveTail(group);
    else this.#settleGroup(group);
  }

  #showGroup(group: string): void {
    const calls = this.view.callsIn(group);
    const isNew = this.view.find(group) === undefined;
    this.view.show(
      { item: group, digest: '', state: 'shown' },
      presentActivity(calls),
      isNew ? outboxPriority.text : outboxPriority.progress,
    );
  }

  /** A subagent's item folds under the call that started it. */
  #step(item: Item, parent: string): void {
    const direct = this.view.find(parent);
    const isStep = direct?.shownIn !== undefined && !isActivity(direct.shownIn);
    const top = isStep ? this.view.find(direct.shownIn) : direct;
    const call = keptCall(top);
    this.view.note({
      item: item.id,
      digest: item.digest,
      state: top === undefined ? 'skipped' : 'folded',
      ...(top !== undefined && { shownIn: top.item }),
    });
    if (top === undefined || call === undefined) return;
    this.view.note({ ...withoutParts(top), kept: JSON.stringify(addStep(call, item)) });
    if (top.shownIn !== undefined) this.#showGroup(top.shownIn);
  }

  /** Nothing is kept of a group that can no longer change. */
  #settleGroup(group: string): void {
    const calls = this.view.callsIn(group);
    if (group === this.tail || calls.length === 0 || calls.some(mayChange)) return;
    for (const entry of this.view.entriesIn(group)) {
      const { kept: _, ...settled } = withoutParts(entry);
      this.view.note(settled);
    }
  }

  #moveTail(key: string): void {
    const before = this.tail;
    this.tail = key;
    if (before !== undefined && before !== key && isActivity(before)) this.#settleGroup(before);
  }

  #skip(item: Item): void {
    this.view.note({ item: keyOf(item), digest: item.digest, state: 'skipped' });
  }

  /** A person's message that was written in this very thread stands there already. */
  #isOwnMessage(item: TextItem): boolean {
    if (item.role !== 'user' || this.#in.place === undefined) return false;
    const message = this.#in.names.ofText(this.#in.run.id, item)?.message;
    if (message === undefined || placeOf(message.thread) !== this.#in.place) return false;
    const shownIn = `message:${message.message}`;
    this.view.note({ item: item.id, digest: item.digest, state: 'filed', shownIn });
    return true;
  }
}

const withoutParts = ({ parts: _, ...entry }: LedgerEntry): Omit<LedgerEntry, 'parts'> => entry;

/** One name for a place, whatever the order of keys. */
export const placeOf = (ref: { readonly channel: string; readonly thread: string }): string =>
  `${ref.channel} ${ref.thread}`;

/**
 * What is to be done so that a thread shows these items, given what it shows already. The same items
 * again plan nothing; a revision edits the message that it revises; each item is shown once (P4).
 */
export const plan = (input: PlanInput): Plan => {
  const planner = new Planner(input);
  for (const item of input.items) planner.item(item);
  return { ops: planner.view.ops, tail: planner.tail };
};
