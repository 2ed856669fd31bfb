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

type File = NonNullable<EncodedPart['file']>;

/** Slack names the file, not its message, which comes a moment later. */
const tries = 10;
const pause = 400;

/** Slack takes no empty file. */
const contentOf = (file: File): string => (file.content === '' ? ' ' : file.content);

/** The first two steps of an upload; they leave nothing that anybody sees. @returns the file's id. */
const bring = async (web: SlackWeb, file: File): Promise<string> => {
  const bytes = new TextEncoder().encode(contentOf(file));
  const place = await web.call('files.getUploadURLExternal', {
    filename: file.name,
    length: bytes.length,
  });
  await web.put(String(place['upload_url']), bytes);
  return String(place['file_id']);
};

/** A file that no message has yet: an edit takes it along. @returns its id. */
export const uploadUnshared = async (web: SlackWeb, file: File): Promise<string> => {
  const id = await bring(web, file);
  await web.call('files.completeUploadExternal', { files: [{ id, title: file.name }] });
  return id;
};

/** Uploads a part's file under its text; what the last step did is read from the thread. */
export const uploadFile = async (
  { web, finder, clock }: UploadDeps,
  thread: ThreadRef,
  part: EncodedPart,
  key: string,
): Promise<MessageRef> => {
  const { file } = part;
  if (file === undefined)
    throw new BridgeError('rejected', 'the part has no file', { certain: true });
  const before = await newest(finder, thread, part, key);
  const id = await bring(web, file);
  const { blocks } = JSON.parse(part.data) as SlackPart;
  await web.call('files.completeUploadExternal', {
    files: [{ id, title: file.name }],
    channel_id: channelOf(thread.channel),
    thread_ts: thread.thread,
    blocks,
  });
  const sent = { ...part, file: { ...file, content: contentOf(file) } };
  for (let n = 0; n < tries; n++) {
    const found = await finder.inThread(thread, sent, key, before);
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
