import type { EncodedPart, OutboundMessage } from '../../bridge/model/chat.ts';
import type { ActorId } from '../../bridge/model/ids.ts';
import { cutGraphemes, oneLine } from '../../bridge/text/plain.ts';
import { splitMarkdown } from '../../bridge/text/split.ts';
import { dialogRows, noticeRows, type Row } from './encode-components.ts';
import { discordMarkdown, escapeMarkdown } from './encode-markdown.ts';
import { limits } from './limits.ts';

/** What `EncodedPart.data` holds, as JSON. */
export interface PartData {
  readonly content: string;
  /** Absent: whatever stands there stays (a head keeps the button that names it). */
  readonly components?: readonly Row[];
  /** The only people whom this part notifies. */
  readonly users?: readonly string[];
  /** Only of a head. */
  readonly head?: { readonly name: string; readonly state?: string };
}

// Only encode makes these texts.
export const partData = (part: EncodedPart): PartData => JSON.parse(part.data) as PartData;

/** Tags of a forum that show a run's state, where the forum has tags of these names. */
export const stateNames: readonly string[] = [
  'starting',
  'idle',
  'working',
  'needs input',
  'question',
  'plan',
  'approval',
  'blocked',
  'ended',
  'unreachable',
];

const stateOf = (line: string | undefined): string | undefined => {
  const clause = line?.split(/[:(,]/)[0]?.toLowerCase() ?? '';
  return stateNames.find((name) => new RegExp(`\\b${name}\\b`).test(clause));
};

const userOf = (actor: ActorId): string | undefined =>
  /^discord:(?:\d+\/)?(?:user:)?(\d{15,25})$/.exec(actor)?.[1];

const usersOf = (actors: readonly ActorId[] | undefined): readonly string[] => [
  ...new Set((actors ?? []).flatMap((actor) => userOf(actor) ?? [])),
];

const headLine = (line: string): string =>
  /https?:\/\//.test(line) ? line : line.replace(/[\\*_~|`]/g, '\\$&');

const authorLine = (message: Extract<OutboundMessage, { type: 'text' }>): string => {
  if (message.author === 'thinking') return '💭 *thinking*\n';
  if (message.author === 'agent') return '';
  return `👤 **${message.by === undefined ? 'said' : escapeMarkdown(oneLine(message.by, 80))}**\n`;
};

const textOf = (message: Exclude<OutboundMessage, { type: 'head' | 'file' }>): string => {
  switch (message.type) {
    case 'text':
      return authorLine(message) + discordMarkdown(message.markdown);
    case 'activity':
      return discordMarkdown(
        [...message.lines, ...(message.details === undefined ? [] : [message.details])].join('\n'),
      );
    default:
      return discordMarkdown(message.markdown);
  }
};

const empty = '*(empty)*';

const fit = (content: string): string => {
  const text = content.trim();
  return text === '' ? empty : text;
};

const part = (data: PartData, file?: EncodedPart['file']): EncodedPart => ({
  data: JSON.stringify(data),
  ...(file !== undefined && { file }),
});

const cutNote = '\n\n(cut here: Discord takes no larger file)\n';

/** A file that is larger than Discord takes is cut, and says so. */
const fileOf = (
  name: string,
  content: string,
): { readonly name: string; readonly content: string } => {
  if (Buffer.byteLength(content) <= limits.fileBytes) return { name, content };
  const room = limits.fileBytes - Buffer.byteLength(cutNote);
  const cut = Buffer.from(content)
    .subarray(0, room)
    .toString('utf8')
    .replace(/\ufffd+$/, '');
  return { name, content: cut + cutNote };
};

const encodeHead = (message: Extract<OutboundMessage, { type: 'head' }>): EncodedPart => {
  const title = oneLine(message.title, 200);
  const text = [`**${escapeMarkdown(title)}**`, ...message.lines.map(headLine)].join('\n');
  const state = stateOf(message.lines[0]);
  return part({
    content: fit(cutGraphemes(text, limits.content)),
    head: {
      name: oneLine(message.title, limits.threadName) || 'run',
      ...(state !== undefined && { state }),
    },
  });
};

const rowsOf = (message: OutboundMessage): readonly Row[] => {
  if (message.type === 'dialog') return dialogRows(message);
  return message.type === 'notice' ? noticeRows(message.buttons) : [];
};

const rawOf = (message: Exclude<OutboundMessage, { type: 'head' | 'file' }>): string =>
  message.type === 'activity'
    ? [...message.lines, message.details ?? ''].join('\n')
    : message.markdown;

/** A message as parts that Discord takes as they are; the buttons stand under the last one. */
export const encode = (message: OutboundMessage): readonly EncodedPart[] => {
  if (message.type === 'head') return [encodeHead(message)];
  if (message.type === 'file') {
    const content = fit(cutGraphemes(discordMarkdown(message.summary), limits.content));
    return [part({ content, components: [] }, fileOf(message.name, message.content))];
  }
  const users = 'mentions' in message ? usersOf(message.mentions) : [];
  const mentioned = users.length === 0 ? '' : `${users.map((user) => `<@${user}>`).join(' ')}\n`;
  const rows = rowsOf(message);
  const split = splitMarkdown(mentioned + textOf(message), { limit: limits.content });
  const first = users.length === 0 ? {} : { users };
  if (split.type === 'file')
    return [
      part(
        { content: fit(split.preview), components: rows, ...first },
        fileOf(`${message.type}.md`, rawOf(message)),
      ),
    ];
  return split.parts.map((content, n) =>
    part({
      content: fit(content),
      components: n === split.parts.length - 1 ? rows : [],
      ...(n === 0 ? first : {}),
    }),
  );
};
