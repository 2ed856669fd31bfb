import { createHash } from 'node:crypto';
import { type PartData, stateNames } from './encode.ts';
import { headRows, type Row } from './encode-components.ts';
import { headIdOf } from './encode-custom-id.ts';
import { limits, messageFlags } from './limits.ts';
import type { Forum } from './places.ts';

/** A key as Discord takes it: the same key, the same nonce. */
export const nonceOf = (key: string): string =>
  key.length <= limits.nonce
    ? key
    : createHash('sha256').update(key).digest('base64url').slice(0, 24);

/** Nobody is ever mentioned who was not named for it; no link shows a card. */
const common = (data: PartData) => ({
  content: data.content,
  flags: messageFlags.suppressEmbeds,
  allowed_mentions: { parse: [], ...(data.users !== undefined && { users: data.users }) },
});

export const postBody = (data: PartData, key: string) => ({
  ...common(data),
  components: data.components ?? [],
  nonce: nonceOf(key),
  enforce_nonce: true,
});

const rowsOfHead = (data: PartData, key: string): readonly Row[] => [
  ...(data.components ?? []),
  ...headRows(headIdOf(key)),
];

/** A head has a button that names it: Discord keeps nothing else by which it could be found again. */
export const headBody = (data: PartData, key: string) => ({
  ...postBody(data, key),
  components: rowsOfHead(data, key),
});

const autoArchiveMinutes = 10_080;

export const threadNameOf = (data: PartData): string => {
  const name = data.head?.name ?? data.content.split('\n')[0] ?? '';
  return name.slice(0, limits.threadName).trim() || 'run';
};

export const threadBody = (data: PartData) => ({
  name: threadNameOf(data),
  auto_archive_duration: autoArchiveMinutes,
});

const isStateTag = (name: string): boolean => stateNames.includes(name.trim().toLowerCase());

/** The tags that a forum's post shall have: those that people gave it, and its state's. */
export const tagsOf = (
  forum: Forum,
  state: string | undefined,
  before: readonly string[],
): readonly string[] => {
  const nameOf = (id: string) => forum.tags.find((tag) => tag.id === id)?.name ?? '';
  const kept = before.filter((id) => !isStateTag(nameOf(id)));
  const own = forum.tags.find((tag) => tag.name.trim().toLowerCase() === state && !tag.moderated);
  const wanted = own === undefined ? kept : [own.id, ...kept];
  const some = forum.tags.find((tag) => !tag.moderated && !isStateTag(tag.name)) ?? forum.tags[0];
  if (wanted.length === 0 && forum.needsTag && some !== undefined) return [some.id];
  return wanted.slice(0, limits.appliedTags);
};

export const forumPostBody = (data: PartData, key: string, forum: Forum) => ({
  ...threadBody(data),
  applied_tags: tagsOf(forum, data.head?.state, []),
  // The first message of a forum's post takes no nonce (compat/discord/compat.md).
  message: { ...common(data), components: rowsOfHead(data, key) },
});

export const editBody = (data: PartData, file: string | undefined) => ({
  ...common(data),
  ...(data.components !== undefined && { components: data.components }),
  attachments: file === undefined ? [] : [{ id: 0, filename: file }],
});
