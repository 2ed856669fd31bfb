import { type APIMessage, Routes } from 'discord.js';
import type { ChatFile } from '../../bridge/model/chat.ts';
import { BridgeError } from '../../bridge/model/errors.ts';
import { classify } from './classify.ts';
import type { DiscordRest } from './rest.ts';

const tooLarge = (most: number): BridgeError =>
  new BridgeError('rejected', `the file has more than ${most} bytes`, { certain: true });

/** Reads a file that Discord keeps. Rejects with a BridgeError; `rejected` when it has more than `mostBytes`. */
export const download = async (
  url: string,
  mostBytes: number,
  timeoutMs: number,
): Promise<Uint8Array> => {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    if (!response.ok) {
      const code = response.status >= 500 ? 'unavailable' : 'message-gone';
      const text = `the file cannot be read (${response.status})`;
      throw new BridgeError(code, text, { certain: true });
    }
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      if (bytes > mostBytes) throw tooLarge(mostBytes);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } catch (error) {
    throw classify(error);
  }
};

/** Fetches a file of a message by a fresh address: the one that came with the message runs out. */
export const fetchFile = async (
  rest: DiscordRest,
  file: ChatFile,
  mostBytes: number,
  timeoutMs: number,
): Promise<Uint8Array> => {
  if (file.bytes > mostBytes) throw tooLarge(mostBytes);
  const [channel = '', message = '', attachment = ''] = file.source.split('/');
  const { attachments } = await rest.call<APIMessage>(
    'get',
    Routes.channelMessage(channel, message),
    { subject: 'message' },
  );
  const found = attachments.find((a) => a.id === attachment);
  if (found === undefined)
    throw new BridgeError('message-gone', 'the file is no longer there', { certain: true });
  return download(found.url, mostBytes, timeoutMs);
};
