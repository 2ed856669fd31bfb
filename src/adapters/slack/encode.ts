import type { EncodedPart, OutboundMessage } from '../../bridge/model/chat.ts';
import type { ActorId } from '../../bridge/model/ids.ts';
import { breakPings, cutGraphemes } from '../../bridge/text/plain.ts';
import { splitMarkdown } from '../../bridge/text/split.ts';
import { dialogBlocks, noticeBlocks } from './encode-buttons.ts';
import { type Leaf, merge, textLeaf } from './encode-inline.ts';
import { type RichElement, richText } from './encode-rich.ts';
import { LIMITS } from './limits.ts';

type Json = Readonly<Record<string, unknown>>;

/** What `EncodedPart.data` holds: the arguments of a post that make its look. */
export interface SlackPart {
  /** For notifications and screen readers; escaped. */
  readonly text: string;
  readonly blocks: readonly Json[];
}

/** Slack's own three; done once, for text that Slack would read. */
export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const saidBy = (leaf: Leaf): string =>
  leaf.type === 'text' ? leaf.text : leaf.type === 'link' ? (leaf.text ?? leaf.url) : '';

const fallbackOf = (elements: readonly RichElement[]): string => {
  const lines = elements.map((element) =>
    element.type === 'rich_text_list'
      ? element.elements.map((item) => `• ${item.elements.map(saidBy).join('')}`).join('\n')
      : element.elements.map(saidBy).join(''),
  );
  const said = lines.join('\n').trim();
  const escaped = (most: number): string => escapeText(breakPings(cutGraphemes(said, most)));
  const long = escaped(1_500);
  // Each sign grows to five at most.
  return (long.length <= LIMITS.fallback ? long : escaped(LIMITS.fallback / 6)) || '…';
};

const partOf = (elements: readonly RichElement[], controls: readonly Json[]): EncodedPart => {
  const shown = elements.length > 0 ? elements : richText('…');
  const part: SlackPart = {
    text: fallbackOf(shown),
    blocks: [{ type: 'rich_text', elements: shown }, ...controls],
  };
  return { data: JSON.stringify(part) };
};

/** Bold or italic words of the bridge before what somebody said; never read as Markdown. */
const withLead = (
  lead: readonly Leaf[],
  elements: readonly RichElement[],
): readonly RichElement[] => {
  if (lead.length === 0) return elements;
  const [first, ...rest] = elements;
  if (first?.type !== 'rich_text_section')
    return [{ type: 'rich_text_section', elements: lead }, ...elements];
  const joined = merge([...lead, ...textLeaf('\n'), ...first.elements]);
  return [{ type: 'rich_text_section', elements: joined }, ...rest];
};

interface Look {
  readonly lead?: readonly Leaf[];
  /** Stand under the last part. */
  readonly controls?: readonly Json[];
  readonly fileName: string;
}

/** Splits, and gives each part its form; the whole goes up as a file where it is too long (P3). */
const encodeMarkdown = (markdown: string, look: Look): readonly EncodedPart[] => {
  const { lead = [], controls = [] } = look;
  const split = splitMarkdown(markdown, { limit: LIMITS.part });
  if (split.type === 'file') {
    const preview = partOf(withLead(lead, richText(split.preview)), controls);
    return [{ ...preview, file: { name: look.fileName, content: markdown } }];
  }
  return split.parts.map((part, n) =>
    partOf(
      withLead(n === 0 ? lead : [], richText(part)),
      n === split.parts.length - 1 ? controls : [],
    ),
  );
};

const USER = /(?:^|:)(?<user>[UW][A-Z0-9]+)$/;

/** The only mentions there are: of people who asked for it (P6). */
const mentionLeaves = (mentions: readonly ActorId[] | undefined): readonly Leaf[] =>
  (mentions ?? []).slice(0, 20).flatMap((actor): readonly Leaf[] => {
    const user = USER.exec(actor)?.groups?.['user'];
    return user === undefined || !actor.startsWith('slack:')
      ? []
      : [{ type: 'user', user_id: user }, ...textLeaf(' ')];
  });

const ADDRESS = /https?:\/\/[^\s<>"'`]+/g;

/** A line that is no Markdown; addresses in it can be followed. */
const plainLine = (line: string): readonly Leaf[] => {
  const leaves: Leaf[] = [];
  let at = 0;
  for (const match of line.matchAll(ADDRESS)) {
    leaves.push(...textLeaf(line.slice(at, match.index)));
    const isShort = match[0].length <= LIMITS.linkUrl;
    leaves.push(...(isShort ? [{ type: 'link', url: match[0] } as const] : textLeaf(match[0])));
    at = match.index + match[0].length;
  }
  return [...leaves, ...textLeaf(line.slice(at))];
};

const lineLength = 1_000;

const headPart = (title: string, lines: readonly string[]): EncodedPart => {
  const bold = textLeaf(cutGraphemes(title.trim() || '…', 250), { bold: true });
  const rest = lines
    .slice(0, 10)
    .flatMap((line) => [...textLeaf('\n'), ...plainLine(cutGraphemes(line, lineLength))]);
  return partOf([{ type: 'rich_text_section', elements: merge([...bold, ...rest]) }], []);
};

const cutName = (name: string): string =>
  cutGraphemes(name.replace(/[\u0000-\u001f/\\]/g, '_').trim() || 'file.txt', LIMITS.fileName);

/** One message as Slack shows it; the same message gives the same bytes. */
export const encode = (message: OutboundMessage): readonly EncodedPart[] => {
  switch (message.type) {
    case 'head':
      return [headPart(message.title, message.lines)];
    case 'text': {
      const by = message.by === undefined ? '' : ` ${cutGraphemes(message.by, 100)}`;
      const lead =
        message.author === 'user'
          ? textLeaf(`👤${by}`, { bold: true })
          : message.author === 'thinking'
            ? textLeaf('💭 thinking', { italic: true })
            : [];
      return encodeMarkdown(message.markdown, { lead, fileName: 'message.md' });
    }
    case 'activity': {
      const details = message.details === undefined ? [] : [message.details];
      const markdown = [...message.lines, ...details].join('\n');
      return encodeMarkdown(markdown, { fileName: 'activity.md' });
    }
    case 'dialog':
      return encodeMarkdown(message.markdown, {
        lead: mentionLeaves(message.mentions),
        controls: dialogBlocks(message),
        fileName: 'dialog.md',
      });
    case 'lifecycle':
      return encodeMarkdown(message.markdown, {
        lead: mentionLeaves(message.mentions),
        fileName: 'notice.md',
      });
    case 'notice':
      return encodeMarkdown(message.markdown, {
        controls: noticeBlocks(message),
        fileName: 'notice.md',
      });
    case 'file': {
      const name = cutName(message.name);
      const part = partOf(richText(cutGraphemes(message.summary, LIMITS.part)), []);
      return [{ ...part, file: { name, content: message.content } }];
    }
  }
};
