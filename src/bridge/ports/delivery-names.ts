import type { MessageRef } from '../model/chat.ts';
import type { TextItem } from '../model/conversation.ts';
import type { DialogId, RunId } from '../model/ids.ts';

/** Who from chat is behind something in a transcript: the transcript itself cannot tell (P1). */
export interface DeliveryNames {
  /** The reply that this text came from; `message` is where the person wrote it. */
  ofText(
    run: RunId,
    item: TextItem,
  ): { readonly by: string; readonly message?: MessageRef } | undefined;
  /** Who answered this dialog. */
  ofDialog(run: RunId, dialog: DialogId): string | undefined;
}
