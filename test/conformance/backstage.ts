import type { EncodedPart, ThreadRef } from '../../src/bridge/model/chat.ts';
import type { ActorId, ChannelId } from '../../src/bridge/model/ids.ts';
import type { ChatAdapter } from '../../src/bridge/ports/chat-adapter.ts';

/** How the platform is looked at and disturbed, from its own side. */
export interface Backstage {
  readonly adapter: ChatAdapter;
  readonly channel: ChannelId;
  /** Another adapter on the same platform, as after a restart of the bridge. */
  restarted(): ChatAdapter;
  /** What a person reads in the thread now, oldest first. */
  read(thread: ThreadRef): Promise<readonly { readonly text: string; readonly file?: string }[]>;
  /** Every text that a message ever had. */
  history(message: string): Promise<readonly string[]>;
  marks(message: string): Promise<readonly string[]>;
  /** The next call that writes: its answer is lost after it happened, or it is refused. */
  failNext(how: 'lost-answer' | 'hang' | 'server-error' | 'rate-limited' | 'rejected'): void;
  /** A person writes. @returns the message. */
  say(thread: ThreadRef, actor: ActorId, text: string): Promise<string>;
  /** Most characters of one part, as the platform counts. */
  readonly limit: number;
  sizeOf(part: EncodedPart): number;
  stop(): Promise<void>;
}
