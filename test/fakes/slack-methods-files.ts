import type { SlackMethod } from './slack-methods.ts';
import { emitMessage } from './slack-methods-chat.ts';
import { pingsOf } from './slack-pings.ts';
import { showFile } from './slack-show.ts';
import { checkMessage } from './slack-validate.ts';
import { BOT_ID, BOT_USER, type Json, SlackRefusal } from './slack-world.ts';

const getUploadUrl: SlackMethod = (args, { world, url }) => {
  if (Number(args['length'] ?? 0) <= 0) throw new SlackRefusal('invalid_arguments');
  const id = world.newId('F');
  world.files.set(id, {
    id,
    name: String(args['filename']),
    mimetype: 'text/plain',
    mode: 'hosted',
    content: Buffer.alloc(0),
    user: BOT_USER,
  });
  return { file_id: id, upload_url: `${url}upload/${id}` };
};

const complete: SlackMethod = (args, ctx) => {
  const { world, url } = ctx;
  const given = (args['files'] ?? []) as readonly Json[];
  const files = given.map(({ id, title }) => {
    const file = world.files.get(String(id));
    if (file === undefined) throw new SlackRefusal('file_not_found');
    if (file.content.length === 0) throw new SlackRefusal('file_update_failed');
    file.title = String(title ?? file.name);
    return file;
  });
  if (args['channel_id'] !== undefined) {
    const channel = world.joined(args['channel_id']);
    const text = String(args['initial_comment'] ?? '');
    const blocks = (args['blocks'] ?? []) as readonly Json[];
    if (text !== '' && blocks.length > 0) throw new SlackRefusal('invalid_arguments');
    if (blocks.length > 0) checkMessage({ text, blocks }, 'post');
    const root = world.message(channel.id, args['thread_ts']);
    if (root?.isLocked === true) throw new SlackRefusal('restricted_action_thread_locked');
    const message = world.store({
      channel: channel.id,
      user: BOT_USER,
      botId: BOT_ID,
      subtype: 'file_share',
      versions: [{ text, blocks }],
      files: files.map((file) => file.id),
      ...(root !== undefined && { threadTs: root.threadTs ?? root.ts }),
    });
    for (const whom of pingsOf({ text, blocks })) world.pings.push({ ts: message.ts, whom });
    emitMessage(message, ctx);
  }
  return { files: files.map((file) => showFile(file, url)) };
};

export const fileMethods: Readonly<Record<string, SlackMethod>> = {
  'files.getUploadURLExternal': getUploadUrl,
  'files.completeUploadExternal': complete,
};
