import type { EncodedPart, MessageRef, ThreadRef } from '../../src/bridge/model/chat.ts';
import { BridgeError } from '../../src/bridge/model/errors.ts';
import type { ChatAdapter, SentMessageFinder } from '../../src/bridge/ports/chat-adapter.ts';

type Posting = ChatAdapter & SentMessageFinder;

export interface OnePost {
  readonly thread: ThreadRef;
  readonly part: EncodedPart;
  readonly key: string;
  /** Our newest message before it. */
  readonly after: MessageRef;
}

const pause = 50;
const longestPause = 1_500;
const MAY_PASS = ['unavailable', 'rate-limited', 'no-access', 'auth'];

/** Waits as the outbox does; throws what will never pass. */
const waitAfter = async (error: unknown, until: number): Promise<BridgeError> => {
  if (!(error instanceof BridgeError) || !MAY_PASS.includes(error.code)) throw error;
  if (Date.now() > until) throw error;
  const ms = Math.min(longestPause, error.retryAfterMs ?? pause);
  await new Promise((resolve) => setTimeout(resolve, ms));
  return error;
};

/** One row of the outbox: the first try with the first adapter, every later one with the last. */
export const postUntilThere = async (
  adapters: readonly Posting[],
  { thread, part, key, after }: OnePost,
  withinMs: number,
): Promise<MessageRef> => {
  const until = Date.now() + withinMs;
  let isUncertain = false;
  for (let n = 0; ; n++) {
    const adapter = adapters[Math.min(n, adapters.length - 1)];
    if (adapter === undefined) throw new Error('no adapter');
    try {
      const found = isUncertain ? await adapter.findSent(thread, part, key, after) : undefined;
      return found ?? (await adapter.post(thread, part, key));
    } catch (error) {
      const known = await waitAfter(error, until);
      isUncertain ||= !known.certain;
    }
  }
};

export const editUntilThere = async (
  adapter: ChatAdapter,
  ref: MessageRef,
  part: EncodedPart,
  withinMs: number,
): Promise<void> => {
  const until = Date.now() + withinMs;
  for (;;) {
    try {
      await adapter.edit(ref, part);
      return;
    } catch (error) {
      await waitAfter(error, until);
    }
  }
};
