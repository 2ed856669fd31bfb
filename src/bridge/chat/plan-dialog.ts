import { createHash } from 'node:crypto';
import type { OutboundMessage } from '../model/chat.ts';
import type { DialogItem, ToolItem, ToolStatus } from '../model/conversation.ts';
import type { ActorId, DialogId } from '../model/ids.ts';
import type { PendingDialog, RunSummary } from '../model/run-state.ts';
import { type LedgerEntry, outboxPriority } from '../model/thread.ts';
import type { DeliveryNames } from '../ports/delivery-names.ts';
import { dialogKey, type LedgerView } from './ledger-view.ts';
import {
  type DialogEnd,
  type DialogSeen,
  presentOpenDialog,
  presentSettledDialog,
} from './present-dialog.ts';

type DialogMessage = Extract<OutboundMessage, { type: 'dialog' }>;

interface DialogContext {
  readonly run: RunSummary;
  readonly notify: readonly ActorId[];
  readonly names: DeliveryNames;
  readonly link: string | undefined;
}

/** What the ledger keeps of a dialog until its end is certain. */
interface KeptDialog {
  readonly message: DialogMessage;
  readonly isClosed: boolean;
}

/** The transcript's own result stands: no later report opens it again. */
const final = 'final:';

const digestOf = (message: DialogMessage): string =>
  createHash('sha256').update(JSON.stringify(message)).digest('hex').slice(0, 16);

// Only this file writes `kept` of a dialog, so its text is a KeptDialog.
const keptOf = (entry: LedgerEntry): KeptDialog | undefined =>
  entry.kept === undefined ? undefined : (JSON.parse(entry.kept) as KeptDialog);

/** A dialog is urgent while it waits; its end is a message like any other. */
const showOpen = (view: LedgerView, seen: DialogSeen): boolean => {
  const item = dialogKey(seen.dialog);
  const known = view.find(item);
  if (known?.state === 'skipped' || known?.digest.startsWith(final)) return false;
  const message = presentOpenDialog(seen);
  const digest = digestOf(message);
  if (known?.digest === digest) return false;
  const kept = JSON.stringify({ message, isClosed: false } satisfies KeptDialog);
  view.show({ item, digest, state: 'shown', kept }, message, outboxPriority.urgent);
  return known === undefined;
};

const showEnd = (
  view: LedgerView,
  open: DialogMessage,
  end: DialogEnd,
  how: 'final' | 'closed',
): boolean => {
  const item = dialogKey(open.dialog);
  const known = view.find(item);
  const message = presentSettledDialog(open, end);
  const digest = `${how === 'final' ? final : ''}${digestOf(message)}`;
  if (known?.digest === digest || known?.state === 'skipped') return false;
  const kept =
    how === 'final'
      ? {}
      : { kept: JSON.stringify({ message: open, isClosed: true } satisfies KeptDialog) };
  view.show({ item, digest, state: 'shown', ...kept }, message, outboxPriority.urgent);
  return known === undefined;
};

const seenOf = (
  dialog: DialogId,
  content: DialogItem['content'],
  ctx: DialogContext,
): DialogSeen => {
  const pending = ctx.run.pendingDialog;
  return {
    dialog,
    content,
    isAnswerable: pending?.id === dialog && pending.isAnswerable,
    ...(pending?.id === dialog && pending.hook !== undefined && { hook: pending.hook }),
    link: ctx.link,
    mentions: ctx.notify,
  };
};

/** A dialog as the transcript has it. @returns whether it is a new message. */
export const planDialogItem = (view: LedgerView, item: DialogItem, ctx: DialogContext): boolean => {
  const seen = seenOf(item.dialog, item.content, ctx);
  if (item.status === 'open') {
    const known = view.find(dialogKey(item.dialog));
    const kept = known && keptOf(known);
    // The transcript repeats what is shown already; who reported that it closed knew more.
    if (kept?.isClosed === true) return false;
    return showOpen(view, seen);
  }
  const end: DialogEnd = {
    status: item.status,
    at: item.at,
    by: ctx.names.ofDialog(ctx.run.id, item.dialog),
    answers: item.answers,
    note: item.note,
  };
  const open = presentOpenDialog({ ...seen, isAnswerable: false, mentions: [] });
  return showEnd(view, open, end, 'final');
};

/** A dialog that another source knows of (hook, registry, screen); the same message (Q5). */
export const planPending = (
  view: LedgerView,
  pending: PendingDialog,
  ctx: DialogContext,
): boolean =>
  showOpen(view, {
    dialog: pending.id,
    content: pending.content,
    isAnswerable: pending.isAnswerable,
    ...(pending.hook !== undefined && { hook: pending.hook }),
    link: ctx.link,
    mentions: ctx.notify,
  });

/** Dialogs that no source reports any more: buttons go; the transcript may still say how it ended. */
export const planClosed = (
  view: LedgerView,
  open: readonly LedgerEntry[],
  status: 'closed' | 'run-ended',
  at: number,
  ctx: DialogContext,
): void => {
  for (const entry of open) {
    const kept = keptOf(entry);
    if (kept === undefined || (kept.isClosed && status === 'closed')) continue;
    const by = ctx.names.ofDialog(ctx.run.id, kept.message.dialog);
    if (kept.isClosed) {
      // It was closed before the run ended: only what was kept goes.
      const { parts: _, kept: __, ...settled } = entry;
      view.note({ ...settled, digest: `${final}${entry.digest}` });
    } else
      showEnd(view, kept.message, { status, at, by }, status === 'closed' ? 'closed' : 'final');
  }
};

const approvalEnds: { readonly [status in ToolStatus]?: DialogEnd['status'] } = {
  done: 'answered',
  failed: 'answered',
  denied: 'declined',
  interrupted: 'superseded',
};

/** The call's own result tells how its approval ended. */
export const settleApproval = (view: LedgerView, item: ToolItem, ctx: DialogContext): void => {
  const entry = view.find(dialogKey(`approval:${item.id}`));
  const kept = entry && keptOf(entry);
  const status = approvalEnds[item.status];
  if (kept === undefined || status === undefined) return;
  const by = ctx.names.ofDialog(ctx.run.id, kept.message.dialog);
  const answers = status === 'answered' ? { answers: { approval: 'approved' } } : {};
  showEnd(view, kept.message, { status, at: item.at, by, ...answers }, 'final');
};
