import type { OutboundMessage } from '../model/chat.ts';
import type { Item } from '../model/conversation.ts';
import type { ItemId } from '../model/ids.ts';
import type { LedgerEntry, OutboxPriority } from '../model/thread.ts';
import type { KeptCall } from './present-activity.ts';

/** What is to be done with a thread. Written in order, in one transaction. */
export type PlanOp =
  /** The item's message shall look like this: posted, or edited where it differs. */
  | {
      readonly op: 'show';
      readonly entry: Omit<LedgerEntry, 'parts'>;
      readonly message: OutboundMessage;
      readonly priority: OutboxPriority;
    }
  /** Only the ledger changes. */
  | { readonly op: 'note'; readonly entry: Omit<LedgerEntry, 'parts'> }
  /** Nothing from this byte offset on is planned now. */
  | { readonly op: 'pass-over'; readonly from: number };

/** Names of messages in the ledger that are not one item's. */
export const dialogKey = (dialog: string): string => `dialog:${dialog}`;
const activity = 'activity:';
export const activityKey = (first: ItemId): string => `${activity}${first}`;
export const isActivity = (key: string): boolean => key.startsWith(activity);

/** Under which name the ledger knows an item. */
export const keyOf = (item: Item): string =>
  item.kind === 'dialog' ? dialogKey(item.dialog) : item.id;

/** The entries that planning these items looks at. */
export const keysToLoad = (items: readonly Item[], tail: string | undefined): readonly string[] => [
  ...new Set([
    ...(tail === undefined ? [] : [tail]),
    ...items.flatMap((item) => [
      keyOf(item),
      ...(item.parent === undefined ? [] : [item.parent]),
      ...(item.kind === 'tool' ? [dialogKey(`approval:${item.id}`)] : []),
    ]),
  ]),
];

/** The ledger as it was loaded, with what is planned on top; collects the operations. */
export class LedgerView {
  readonly ops: PlanOp[] = [];
  readonly #entries = new Map<string, LedgerEntry>();

  constructor(entries: readonly LedgerEntry[]) {
    for (const entry of entries) this.#entries.set(entry.item, entry);
  }

  find(key: string): LedgerEntry | undefined {
    return this.#entries.get(key);
  }

  /** Calls that the message of this activity shows and that are still kept. */
  callsIn(key: string): readonly KeptCall[] {
    return [...this.#entries.values()].flatMap((entry) => {
      const call = entry.shownIn === key ? keptCall(entry) : undefined;
      return call === undefined ? [] : [call];
    });
  }

  entriesIn(key: string): readonly LedgerEntry[] {
    return [...this.#entries.values()].filter((entry) => entry.shownIn === key);
  }

  note(entry: Omit<LedgerEntry, 'parts'>): void {
    this.#set(entry);
    this.ops.push({ op: 'note', entry });
  }

  show(
    entry: Omit<LedgerEntry, 'parts'>,
    message: OutboundMessage,
    priority: OutboxPriority,
  ): void {
    this.#set(entry);
    // Only the last look of a message matters; its place in the order is the first one's.
    const earlier = this.ops.findIndex((op) => op.op === 'show' && op.entry.item === entry.item);
    const before = this.ops[earlier];
    if (before?.op === 'show') this.ops[earlier] = { ...before, entry, message };
    else this.ops.push({ op: 'show', entry, message, priority });
  }

  passOver(from: number): void {
    this.ops.push({ op: 'pass-over', from });
  }

  #set(entry: Omit<LedgerEntry, 'parts'>): void {
    this.#entries.set(entry.item, { ...entry, parts: this.find(entry.item)?.parts ?? [] });
  }
}

// Only plan.ts writes `kept` of a call, so its text is a KeptCall.
export const keptCall = (entry: LedgerEntry | undefined): KeptCall | undefined =>
  entry?.kept === undefined || entry.item.startsWith('dialog:')
    ? undefined
    : (JSON.parse(entry.kept) as KeptCall);
