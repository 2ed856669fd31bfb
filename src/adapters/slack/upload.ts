import type { EncodedPart, MessageRef, ThreadRef } from '../../bridge/model/chat.ts';
import { BridgeError } from '../../bridge/model/errors.ts';
import type { Clock } from '../../bridge/ports/clock.ts';
import type { SlackPart } from './encode.ts';
import type { SentFinder } from './find-sent.ts';
import { channelOf } from './ids.ts';
import type { SlackWeb } from './web.ts';

export interface UploadDeps {
  readonly web: SlackWeb;
  readonly finder: SentFinder;
  readonly clock: Clock;
}

/** Slack names the file, not its message, which comes a moment later. */
const tries = 10;
const pause = 400;

/**
 * Uploads a part's file under its text. The first two steps leave nothing that anybody sees; what
 * the last one did is read from the thread.
 */
export const uploadFile = async (
  deps: UploadDeps,
  thread: ThreadRef,
  part: EncodedPart,
  key: string,
): Promise<MessageRef> => {
  const { file } = part;
  if (file === undefined)
    throw new BridgeError('rejected', 'the part has no file', { certain: true });
  // Slack takes no empty file.
  const content = file.content === '' ? ' ' : file.content;
  const bytes = new TextEncoder().encode(content);
  const { web, finder, clock } = deps;
  const before = await newest(finder, thread, part, key);
  const place = await web.call('files.getUploadURLExternal', {
    filename: file.name,
    length: bytes.length,
  });
  await web.put(String(place['upload_url']), bytes);
  const { blocks } = JSON.parse(part.data) as SlackPart;
  await web.call('files.completeUploadExternal', {
    files: [{ id: String(place['file_id']), title: file.name }],
    channel_id: channelOf(thread.channel),
    thread_ts: thread.thread,
    blocks,
  });
  for (let n = 0; n < tries; n++) {
    const found = await finder.inThread(
      thread,
      { ...part, file: { ...file, content } },
      key,
      before,
    );
    if (found !== undefined) return found;
    await clock.sleep(pause);
  }
  throw new BridgeError('unavailable', 'Slack: the uploaded file is not in the thread yet', {
    certain: false,
  });
};

/** An equal file that stands there already is not the new one. */
const newest = async (
  finder: SentFinder,
  thread: ThreadRef,
  part: EncodedPart,
  key: string,
): Promise<MessageRef | undefined> => {
  let last: MessageRef | undefined;
  for (;;) {
    const next = await finder.inThread(thread, part, key, last);
    if (next === undefined) return last;
    last = next;
  }
};
