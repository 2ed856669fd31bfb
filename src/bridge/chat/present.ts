import type { OutboundMessage } from '../model/chat.ts';
import type { Item, LifecycleItem, TextItem } from '../model/conversation.ts';
import type { ActorId } from '../model/ids.ts';
import type { Verbosity } from '../model/thread.ts';
import { cutGraphemes, fenced } from '../text/plain.ts';

/** Whether a thread of this verbosity shows the item at all (P2). */
export const isSelected = (item: Item, verbosity: Verbosity): boolean => {
  switch (item.kind) {
    case 'dialog':
      return true;
    case 'lifecycle':
      // The thread's own separator says it (R2).
      return item.event !== 'cleared' && item.event !== 'resumed';
    case 'tool':
      return verbosity !== 'quiet';
    case 'text':
      if (item.origin === 'thinking') return verbosity === 'full';
      if (verbosity !== 'quiet') return true;
      return item.role === 'agent'
        ? item.endsTurn === true
        : item.origin === 'person' || item.origin === 'queued';
  }
};

const sources: { readonly [origin in TextItem['origin']]?: string } = {
  person: 'terminal',
  queued: 'terminal',
  peer: 'another session',
  task: 'background task',
};

const statusNotes: { readonly [status in TextItem['status']]?: string } = {
  partial: 'interrupted here',
  unsent: 'taken back before it was sent',
  abandoned: 'left behind by a rewind',
};

/**
 * @param by who sent it from chat, where a delivery matches; otherwise the place it came from is
 * named (P1).
 */
export const presentText = (item: TextItem, by: string | undefined): OutboundMessage => {
  const note = statusNotes[item.status];
  const markdown = note === undefined ? item.text : `${item.text}\n\n_(${note})_`;
  if (item.role === 'agent')
    return {
      type: 'text',
      author: item.origin === 'thinking' ? 'thinking' : 'agent',
      markdown,
    };
  const source = by ?? sources[item.origin];
  return { type: 'text', author: 'user', ...(source !== undefined && { by: source }), markdown };
};

const marks: { readonly [event in LifecycleItem['event']]: string } = {
  cleared: '🧹',
  compacted: '🗜️',
  resumed: '▶️',
  interrupted: '🛑',
  rewound: '⏪',
  'api-error': '⚠️',
  'limit-reached': '⏳',
  command: '⌘',
  shell: '💲',
  notice: 'ℹ️',
};

/** Output of a command belongs to what a person asked for; more is for `full`. */
const detailLength = 1_500;

export const presentLifecycle = (
  item: LifecycleItem,
  verbosity: Verbosity,
  notify: readonly ActorId[],
): OutboundMessage => {
  const isInput = item.event === 'command' || item.event === 'shell';
  const head = `${marks[item.event]} ${isInput ? `\`${item.text.replaceAll('`', 'ˋ')}\`` : item.text}`;
  const { detail } = item;
  const isShown = detail !== undefined && detail.trim() !== '';
  const body =
    !isShown || verbosity === 'quiet' || (!isInput && verbosity !== 'full')
      ? ''
      : `\n${fenced(verbosity === 'full' ? detail : shorten(detail))}`;
  const isUrgent = item.event === 'limit-reached';
  return {
    type: 'lifecycle',
    markdown: head + body,
    ...(isUrgent && notify.length > 0 && { mentions: notify }),
  };
};

const shorten = (text: string): string =>
  text.length <= detailLength ? text : `${cutGraphemes(text, detailLength)}…`;

/** Said between the parts of one thread (R2). */
export const separators = {
  cleared: '🧹 Cleared: the conversation begins anew here.',
  resumed: '▶️ Resumed by a new process: the conversation goes on here.',
} as const;

/** Said at the top of a thread that is not simply the first one of its run. */
export const newThreadNotes = {
  first: undefined,
  forked: '🍴 Forked from another conversation; what was said before stands in its thread.',
  taken:
    '↪ Resumes a conversation whose thread has gone on with another one; what was said before stands there.',
  'second-process':
    '⚠️ A second process works on the same session as another run. What both of them say ends up in one transcript; stop one of them.',
} as const;

/** Said in a thread whose run went on in another one. */
export const leftNotes = {
  startUp: '➡️ It went on with an earlier conversation, in the thread of that one.',
  session:
    '➡️ Its process has gone on with another conversation, in the thread of that one. Replies here reach nobody until this one is resumed.',
} as const;
