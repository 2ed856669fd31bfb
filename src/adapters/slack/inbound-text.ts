/** What a message says besides its text; only what is read here. */
export interface WithBlocks {
  readonly text: string;
  readonly blocks?: readonly unknown[] | undefined;
}

/** What Slack wrote for a person's words, in angle brackets. */
const ENTITY = /<([^<>]+)>/g;

const withoutScheme = (url: string): string => url.replace(/^(?:https?:\/\/|mailto:|tel:)/, '');

const linkText = (url: string, label: string | undefined): string => {
  if (label === undefined || label === url) return withoutMail(url);
  // Slack made the link of what the person typed.
  if (withoutScheme(url).replace(/\/$/, '') === withoutScheme(label).replace(/\/$/, ''))
    return label;
  return `${label} (${withoutMail(url)})`;
};

const withoutMail = (url: string): string => url.replace(/^(?:mailto:|tel:)/, '');

const entityText = (inner: string, nameOf: (user: string) => string): string => {
  const bar = inner.indexOf('|');
  const target = bar < 0 ? inner : inner.slice(0, bar);
  const label = bar < 0 ? undefined : inner.slice(bar + 1);
  if (target.startsWith('@')) return `@${label || nameOf(target.slice(1))}`;
  if (target.startsWith('#')) return `#${label || target.slice(1)}`;
  if (target.startsWith('!subteam^')) return label || `@${target.slice('!subteam^'.length)}`;
  if (target.startsWith('!date^')) return label ?? target;
  if (target.startsWith('!')) return `@${label?.replace(/^@/, '') || target.slice(1)}`;
  return linkText(target, label);
};

const unescapeEntities = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/** Signs that Slack wrote as `:name:`, where its blocks say which sign it is. */
const emojiIn = (node: unknown): readonly (readonly [string, string])[] => {
  if (Array.isArray(node)) return node.flatMap(emojiIn);
  if (typeof node !== 'object' || node === null) return [];
  const { type, name, unicode } = node as Readonly<Record<string, unknown>>;
  if (type === 'emoji' && typeof name === 'string' && typeof unicode === 'string') {
    const points = unicode.split('-').map((hex) => Number.parseInt(hex, 16));
    const isSign = points.every((point) => point > 0 && point <= 0x10ffff);
    return isSign ? [[name, String.fromCodePoint(...points)]] : [];
  }
  return Object.values(node).flatMap(emojiIn);
};

export const mentionedIn = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(/<@([UW][A-Z0-9]+)>/g)].map((m) => m[1] ?? '')),
];

/**
 * A person's words in plain form: mentions as `@name`, channels as `#name`, links as they were
 * typed or as `label (address)`, signs as themselves or `:name:`. Entities are read exactly once.
 */
export const plainText = (message: WithBlocks, nameOf: (user: string) => string): string => {
  const signs = new Map(emojiIn(message.blocks ?? []));
  const text = message.text.replace(ENTITY, (_, inner: string) => entityText(inner, nameOf));
  const withSigns =
    signs.size === 0
      ? text
      : text.replace(/:([a-z0-9_+'-]+):(?::skin-tone-[2-6]:)?/g, (all, name: string) => {
          return signs.get(name) ?? all;
        });
  return unescapeEntities(withSigns);
};

/** The bot is called by its name before what is said to the agent. */
export const withoutCall = (text: string, botUser: string): string =>
  text.replace(new RegExp(`^\\s*<@${botUser}(?:\\|[^>]*)?>[ \\t]*[,:]?[ \\t]*`), '');
