import type { Draft, ScreenReading } from '../../src/provider/claude-code/screen-reading.ts';

const draftWords = (draft: Draft): string => {
  if (draft.type === 'empty') return 'empty';
  const chips =
    draft.type === 'text' && draft.chips.length > 0 ? ` chips ${draft.chips.length}` : '';
  const clipped = draft.type === 'text' && draft.isClipped ? ' clipped' : '';
  return `${draft.type} ${JSON.stringify(draft.text)}${chips}${clipped}`;
};

/** A reading in one line, exact enough to compare: the language of `pane-table.ts`. */
export const inWords = (reading: ScreenReading): string => {
  switch (reading.kind) {
    case 'box': {
      const more = [
        reading.isBusy && 'busy',
        reading.queued.length > 0 && `queued ${JSON.stringify(reading.queued)}`,
        reading.popup !== 'none' && reading.popup,
        reading.isVimInsert && 'vim',
      ].filter(Boolean);
      const box = reading.mode === 'shell' ? 'shell box' : 'box';
      return [`${box} ${draftWords(reading.draft)}`, ...more].join(', ');
    }
    case 'blocked':
      return `blocked ${reading.cause} (${reading.basis})`;
    case 'dialog': {
      const options = reading.options
        .map((option) => {
          const check = option.isChecked === undefined ? '' : option.isChecked ? '[x]' : '[ ]';
          return `${option.isCursor ? '>' : ''}${option.number}${check} ${option.label}`;
        })
        .join(' | ');
      if (reading.dialog !== 'question')
        return `${reading.dialog} ${JSON.stringify(reading.title)}: ${options}`;
      const tabs = reading.tabs.map((tab) => (tab.isAnswered ? `${tab.title}✓` : tab.title));
      const seconds =
        reading.continuesInSeconds === undefined ? '' : `, ${reading.continuesInSeconds} s left`;
      const about = JSON.stringify(reading.question);
      return `question ${reading.page} [${tabs.join(', ')}] ${about}${seconds}: ${options}`;
    }
    default:
      return reading.kind;
  }
};
