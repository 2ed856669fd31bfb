import type { Json } from './slack-world.ts';

const IN_TEXT =
  /<(?:@(?<user>[UW][A-Z0-9]+)|!(?<broadcast>channel|here|everyone)|!subteam\^(?<group>S[A-Z0-9]+))(?:\|[^>]*)?>/g;
const BY_NAME = /(?<![\w@])@(?<name>channel|here|everyone|[a-z][a-z0-9._-]*)/gi;

const inMrkdwn = (text: string): readonly string[] =>
  [...text.matchAll(IN_TEXT)].map(({ groups }) =>
    groups?.['user'] !== undefined
      ? `@${groups['user']}`
      : groups?.['group'] !== undefined
        ? `@${groups['group']}`
        : `!${groups?.['broadcast']}`,
  );

const inBlocks = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(inBlocks);
  if (typeof value !== 'object' || value === null) return [];
  const node = value as Json;
  switch (node['type']) {
    case 'user':
      return [`@${String(node['user_id'])}`];
    case 'usergroup':
      return [`@${String(node['usergroup_id'])}`];
    case 'broadcast':
      return [`!${String(node['range'])}`];
    case 'mrkdwn':
    case 'markdown':
      return inMrkdwn(String(node['text']));
    case 'plain_text':
    case 'text':
      return [];
    default:
      return Object.values(node).flatMap(inBlocks);
  }
};

/** Whom a message of the app notifies, read the way Slack reads it; its fallback text counts as well. */
export const pingsOf = (message: Json): readonly string[] => {
  const text = String(message['text'] ?? '');
  const isNamed = message['link_names'] === true || message['parse'] === 'full';
  const named = isNamed ? [...text.matchAll(BY_NAME)].map((m) => `name:${m.groups?.['name']}`) : [];
  return [...inMrkdwn(text), ...named, ...inBlocks(message['blocks'] ?? [])];
};

/** A link of it would be shown as a card. */
export const wouldUnfurl = (message: Json): boolean =>
  (message['unfurl_links'] !== false || message['unfurl_media'] !== false) &&
  /https?:\/\//.test(JSON.stringify([message['text'] ?? '', message['blocks'] ?? []]));
