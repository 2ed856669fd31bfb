import type { ChatTarget, MessageRef, Role } from '../model/chat.ts';
import type { ActorId, DialogId } from '../model/ids.ts';
import type { Verbosity } from '../model/thread.ts';

/** What a person can change about a thread from inside it (P2, P6, A1). */
export type ThreadChange =
  | { readonly type: 'verbosity'; readonly verbosity: Verbosity }
  | { readonly type: 'notify'; readonly actor: ActorId; readonly isOn: boolean }
  /** An absent role revokes. */
  | { readonly type: 'grant'; readonly actor: ActorId; readonly role: Role | undefined }
  | { readonly type: 'ignore' };

/** What stands about threads in the store; all calls are synchronous and durable at commit. */
export interface ThreadSettings {
  /** The role that an owner granted here; survives restarts. */
  granted(target: ChatTarget, actor: ActorId): Role | undefined;
  /** The dialog that this message of ours shows. */
  dialogIn(message: MessageRef): DialogId | undefined;
  isIgnored(target: ChatTarget): boolean;
  change(target: ChatTarget, change: ThreadChange): void;
}
