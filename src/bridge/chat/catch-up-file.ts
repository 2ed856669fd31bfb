import type { OutboundMessage } from '../model/chat.ts';
import type { Item } from '../model/conversation.ts';
import { cutGraphemes, fenced } from '../text/plain.ts';
import { presentOpenDialog } from './present-dialog.ts';

/** A file is for reading, not a copy of everything: more than this of one item is cut, characters. */
const mostPerItem = 20_000;
const mostInAll = 900_000;
const lastWords = 400;

const timeOf = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ');

const bodyOf = (item: Item): string => {
  switch (item.kind) {
    case 'text':
      return `**${item.role === 'user' ? 'Person' : 'Agent'}** ${item.text}`;
    case 'tool':
      return `\`${item.name}\` (${item.status}) ${item.summary}`;
    case 'lifecycle':
      return `_${item.text}_${item.detail === undefined ? '' : `\n${fenced(item.detail)}`}`;
    case 'dialog': {
      const { dialog, content } = item;
      const shown = { dialog, content, isAnswerable: false, link: undefined, mentions: [] };
      const answers = Object.values(item.answers ?? {}).join('; ');
      return `${presentOpenDialog(shown).markdown}\n→ ${item.status}${answers === '' ? '' : `: ${answers}`}`;
    }
  }
};

const plural = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

const counts = (items: readonly Item[]): string => {
  const of = (kind: Item['kind']) => items.filter((item) => item.kind === kind).length;
  return [
    of('text') > 0 ? plural(of('text'), 'text') : '',
    of('tool') > 0 ? plural(of('tool'), 'tool call') : '',
    of('dialog') > 0 ? plural(of('dialog'), 'dialog') : '',
    of('lifecycle') > 0 ? plural(of('lifecycle'), 'event') : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
};

/** What piled up while nothing could be posted, as one file under a summary (P4). */
export const presentCatchUp = (items: readonly Item[], name: string): OutboundMessage => {
  let content = '';
  let left = items.length;
  for (const item of items) {
    const next = `${timeOf(item.at)}  ${cutGraphemes(bodyOf(item), mostPerItem)}\n\n`;
    if (content.length + next.length > mostInAll) break;
    content += next;
    left--;
  }
  if (left > 0) content += `… and ${plural(left, 'more item')} in the transcript.\n`;
  const last = items.findLast((item) => item.kind === 'text' && item.role === 'agent');
  const words = last?.kind === 'text' ? `\nLast said: ${cutGraphemes(last.text, lastWords)}` : '';
  return {
    type: 'file',
    name: `missed-${name}.md`,
    summary: `📎 ${plural(items.length, 'item')} piled up while nothing could be posted (${counts(items)}); the file has them in order.${words}`,
    content,
  };
};
