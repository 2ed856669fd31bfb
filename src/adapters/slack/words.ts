import type { ChatFile } from '../../bridge/model/chat.ts';
import type { Actors } from './actors.ts';
import type { SharedFile, SlackText } from './inbound.ts';
import { mentionedIn, plainText, withoutCall } from './inbound-text.ts';
import type { SlackWeb } from './web.ts';

/** Longer snippets are files. */
const mostSnippetBytes = 1_000_000;

const urlOf = (file: SharedFile): string | undefined =>
  file.url_private_download ?? file.url_private;

/** Slack makes a snippet of a long text: then the file is what the person says. */
const isWords = (file: SharedFile): boolean =>
  file.mode === 'snippet' && urlOf(file) !== undefined && (file.size ?? 0) <= mostSnippetBytes;

const fileOf = (file: SharedFile): readonly ChatFile[] => {
  const source = urlOf(file);
  if (source === undefined) return [];
  const name = file.name ?? file.title ?? 'file';
  return [{ name, mimeType: file.mimetype ?? '', bytes: file.size ?? 0, source }];
};

export interface Words {
  readonly text: string;
  readonly files: readonly ChatFile[];
  /** Users it mentions, in order; the call to the bot itself is none. */
  readonly mentioned: readonly string[];
}

/** What a person said with a message, in plain form. Rejects while a snippet cannot be fetched. */
export const wordsOf = async (
  message: SlackText,
  botUser: string,
  { web, actors }: { readonly web: SlackWeb; readonly actors: Actors },
): Promise<Words> => {
  const raw = withoutCall(message.text ?? '', botUser);
  const names = new Map<string, string>();
  const mentioned = mentionedIn(raw);
  for (const user of mentioned) names.set(user, await actors.nameOf(user));
  const text = plainText({ text: raw, blocks: message.blocks }, (user) => names.get(user) ?? user);
  const files = message.files ?? [];
  const [only] = files;
  if (text.trim() === '' && files.length === 1 && only !== undefined && isWords(only)) {
    const { bytes } = await web.get(urlOf(only) ?? '', mostSnippetBytes);
    return { text: new TextDecoder().decode(bytes), files: [], mentioned: [] };
  }
  return { text, files: files.flatMap(fileOf), mentioned };
};
