import type { TextOrigin } from '../../bridge/model/conversation.ts';
import { comparable } from './evidence.ts';
import { commandMark, taskNotification, withoutEscapes, withoutPasteMarks } from './fold-markup.ts';
import { foldMark } from './fold-person.ts';
import type { FoldState, Place } from './fold-state.ts';
import { endTurn } from './fold-turn.ts';
import { wordsOf } from './fold-user.ts';
import type { AttachmentRow, QueueRow, SystemRow } from './schema.ts';

const UNKNOWN_COMMAND = /^Unknown (?:slash )?command: (.+)$/;

const foldInformation = (state: FoldState, row: SystemRow, place: Place): void => {
  const text = withoutEscapes(row.content ?? '').trim();
  if (text === '') return;
  state.emit({ ...state.base(place, 0), kind: 'lifecycle', event: 'notice', text });
  const unknown = UNKNOWN_COMMAND.exec(text)?.[1];
  if (unknown === undefined) return;
  state.evidence.push({ type: 'command', text: unknown, offset: place.offset });
};

export const foldSystem = (state: FoldState, row: SystemRow, place: Place): void => {
  switch (row.subtype) {
    case 'turn_duration':
      if (place.parent !== undefined) return;
      endTurn(state);
      state.change({ background: row.pendingBackgroundAgentCount ?? 0 });
      return;
    case 'compact_boundary': {
      const draft = {
        ...state.base(place, 0),
        kind: 'lifecycle',
        event: 'compacted',
        text: row.content ?? 'Conversation compacted',
      } as const;
      state.awaiting = state.opened(draft, place);
      state.emit(draft);
      return;
    }
    case 'local_command': {
      const mark = commandMark(row.content ?? '');
      // Their parents are whatever stood last: they say nothing about branches.
      if (mark !== undefined) foldMark(state, mark, place, undefined);
      return;
    }
    case 'informational':
      foldInformation(state, row, place);
  }
};

const originOf = (row: AttachmentRow, isTask: boolean): TextOrigin => {
  if (isTask) return 'task';
  const kind = row.attachment.origin;
  if (kind === 'peer') return 'peer';
  return kind === undefined || kind === 'human' ? 'queued' : 'task';
};

/** A queued message that the running turn took in: there is no user row for it. */
export const foldAttachment = (state: FoldState, row: AttachmentRow, place: Place): void => {
  const { type, prompt } = row.attachment;
  if (type !== 'queued_command' || prompt === undefined) return;
  const recorded = wordsOf(prompt);
  const task = taskNotification(recorded);
  const text = task ?? withoutPasteMarks(recorded).trim();
  if (text === '') return;
  const origin = originOf(row, task !== undefined);
  state.emit({
    ...state.base(place, 0),
    kind: 'text',
    role: 'user',
    origin,
    text,
    status: 'sent',
  });
  if (origin === 'queued') {
    state.evidence.push({ type: 'absorbed', text: comparable(recorded), offset: place.offset });
  }
  if (place.parent === undefined) state.change({ lastWord: 'other' });
};

/** The agent's own queue: evidence for a delivery, never an item. */
export const foldQueue = (state: FoldState, row: QueueRow, offset: number): void => {
  const text = row.content;
  if (text !== undefined && taskNotification(text) !== undefined) return;
  if (row.operation === 'enqueue' && text !== undefined) {
    state.evidence.push({ type: 'enqueue', text: comparable(text), offset });
  } else if (
    row.operation === 'popAll' ||
    (row.operation === 'remove' && row.reason !== 'absorbed_mid_turn')
  ) {
    state.evidence.push({ type: 'dequeue-popped', text: text && comparable(text), offset });
  }
};
