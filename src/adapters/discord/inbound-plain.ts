/** Names of what a text mentions; undefined: not known. */
export interface Names {
  readonly self: string;
  readonly user: (id: string) => string | undefined;
  readonly role: (id: string) => string | undefined;
  readonly channel: (id: string) => string | undefined;
}

// Code is what was typed: nothing in it is a mention.
const pieces =
  /(```[\s\S]*?```|`[^`\n]+`)|<@!?(\d+)>|<@&(\d+)>|<#(\d+)>|<a?:(\w+):\d+>|<t:(-?\d{1,12})(?::[tTdDfFR])?>|<\/([^:>\n]+):\d+>/g;

const timeText = (seconds: string): string => {
  const time = new Date(Number(seconds) * 1_000);
  return Number.isNaN(time.getTime())
    ? `<t:${seconds}>`
    : `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
};

/**
 * A message as a person reads it: people `@Name`, roles `@role`, channels `#name`, custom emoji
 * `:name:`, times `2026-12-01 03:15 UTC`, commands `/name`. Code stays as it was typed, and so does
 * all Markdown. The bot's own name in front is the address, not the message, and goes.
 */
export const plainText = (content: string, names: Names): string => {
  const addressed = new RegExp(`^\\s*<@!?${names.self}>[\\s,:]*`);
  return content
    .replace(addressed, '')
    .replace(pieces, (whole: string, ...parts: (string | undefined)[]) => {
      const [code, user, role, channel, emoji, time, command] = parts;
      if (code !== undefined) return code;
      if (user !== undefined) return `@${names.user(user) ?? `user ${user}`}`;
      if (role !== undefined) return `@${names.role(role) ?? `role ${role}`}`;
      if (channel !== undefined) return `#${names.channel(channel) ?? `channel ${channel}`}`;
      if (emoji !== undefined) return `:${emoji}:`;
      if (time !== undefined) return timeText(time);
      return command === undefined ? whole : `/${command}`;
    });
};

const tones = /[\u{1f3fb}-\u{1f3ff}\ufe0f]/gu;

/** A reaction's name without skin tone; `:name:` where it is a picture of a guild. */
export const emojiName = (emoji: {
  readonly id?: string | null | undefined;
  readonly name?: string | null | undefined;
}): string =>
  emoji.id === null || emoji.id === undefined
    ? (emoji.name ?? '').replace(tones, '')
    : `:${emoji.name ?? emoji.id}:`;
