import type { TextOrigin } from '../../bridge/model/conversation.ts';
import {
  type CommandMark,
  commandMark,
  isInterruptRecord,
  peerWords,
  taskNotification,
  withoutPasteMarks,
} from './fold-markup.ts';
import type { Block, UserRow } from './schema.ts';

/** What a user row is: a person's words are the exception that must be proved, never the default of a machine row. */
export type UserMeaning =
  | { readonly kind: 'results'; readonly results: readonly Block[] }
  | { readonly kind: 'prompt'; readonly origin: TextOrigin; readonly text: string }
  | { readonly kind: 'mark'; readonly mark: CommandMark }
  | { readonly kind: 'interrupted'; readonly text: string }
  | { readonly kind: 'summary'; readonly text: string }
  | { readonly kind: 'machine' };

const MACHINE: UserMeaning = { kind: 'machine' };

/** Text blocks joined; an image or a document leaves a mark. */
export const wordsOf = (content: string | readonly Block[]): string => {
  if (typeof content === 'string') return content;
  const parts = content.map((block) => {
    if (block.type === 'text') return block.text ?? '';
    return block.type === 'image' || block.type === 'document' ? `[${block.type}]` : '';
  });
  return parts.filter((part) => part !== '').join('\n');
};

const promptOf = (row: UserRow, text: string): UserMeaning => {
  const task = taskNotification(text);
  if (task !== undefined) return { kind: 'prompt', origin: 'task', text: task };
  const origin = row.origin;
  if (origin === 'peer') return { kind: 'prompt', origin: 'peer', text: peerWords(text) };
  if (row.isMeta) return MACHINE;
  const source = row.promptSource;
  const words = withoutPasteMarks(text).trim();
  if (words === '') return MACHINE;
  if (source === 'queued') return { kind: 'prompt', origin: 'queued', text: words };
  if (source === 'system') return { kind: 'prompt', origin: 'task', text: words };
  if (source !== undefined) return { kind: 'prompt', origin: 'person', text: words };
  // Rows before `promptSource` existed: a person's, unless the row says that it is a machine's.
  if (row.rowSource !== undefined) return MACHINE;
  return { kind: 'prompt', origin: 'person', text: words };
};

export const meaningOf = (row: UserRow): UserMeaning => {
  const { content } = row.message;
  const results =
    typeof content === 'string' ? [] : content.filter((block) => block.type === 'tool_result');
  if (results.length > 0) return { kind: 'results', results };
  const text = wordsOf(content);
  if (row.isCompactSummary) return { kind: 'summary', text };
  if (isInterruptRecord(text)) return { kind: 'interrupted', text };
  const mark = commandMark(text);
  if (mark !== undefined) return { kind: 'mark', mark };
  return promptOf(row, text);
};
