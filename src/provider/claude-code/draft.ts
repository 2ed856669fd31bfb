import { normalise, withoutUnseen } from './evidence.ts';
import { columnsOf } from './screen-cells.ts';
import type { CutOff, Draft } from './screen-reading.ts';

/**
 * How the input box compares with a text of ours. `missing`: empty, or not drawn yet. `part`: the
 * beginning of ours stands there, more may come. `other`: somebody else's words are in it.
 */
export type DraftMatch = 'missing' | 'part' | 'same' | 'other';

/** From here on a single paste is shown as a chip (2.1.332: over 800 characters or at least 3 newlines). */
const CHIP_CHARACTERS = 800;
const CHIP_NEWLINES = 3;

/**
 * What a capture keeps of a text: no white space (wrapping), and neither marks, joiners nor
 * pictures: tmux 3.3a drops the last member of a joined emoji, skin tones and some combining marks.
 */
const skeleton = (text: string): string =>
  withoutUnseen(normalise(text)).replace(
    /[\s\p{M}\p{Cf}\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]/gu,
    '',
  );

/** Compares by position in the box, never by presence on the screen. PURE. */
export const compareDraft = (draft: Draft, ours: string): DraftMatch => {
  if (draft.type !== 'text') return 'missing';
  if (draft.chips.length > 0) return compareChips(draft.chips, draft.compact, ours);
  const there = skeleton(draft.compact);
  const wanted = skeleton(ours);
  if (draft.cutOff !== undefined) return compareCutOff(draft.cutOff, there, ours, wanted);
  if (draft.isClipped)
    return there !== '' && wanted.endsWith(there) ? 'same' : partOrOther(wanted, there, true);
  if (there === wanted) return 'same';
  return partOrOther(wanted, there, false);
};

/** While several pastes arrive the box shows a growing beginning; clipped, its last lines only. */
const partOrOther = (wanted: string, there: string, isClipped: boolean): DraftMatch =>
  (isClipped ? wanted.includes(there) : wanted.startsWith(there)) ? 'part' : 'other';

/**
 * The pane shows the beginning or the middle of the draft, and its end is below: then the cursor
 * must stand where our own text ends, so that a letter behind it would be noticed.
 */
const compareCutOff = (cutOff: CutOff, there: string, ours: string, wanted: string): DraftMatch => {
  const { isTopHidden, lastRowColumns, seenRowColumns, width } = cutOff;
  const text = normalise(ours);
  const blanks = / *$/.exec(ours)?.[0].length ?? 0;
  for (let end = text.length; there !== '' && end >= text.length - width - 1 && end >= 0; end--) {
    const below = text.slice(end).replace(/^[ \n]/, '');
    const seen = skeleton(text.slice(0, end));
    if (isTopHidden ? !seen.endsWith(there) : seen !== there) continue;
    const columns = below === '' ? seenRowColumns : columnsOf(below);
    if (!below.includes('\n') && columns <= width && columns + blanks === lastRowColumns)
      return 'same';
  }
  return partOrOther(wanted, there, isTopHidden);
};

/** One chip and nothing beside it stands for one large paste of ours; its line count must fit. */
const compareChips = (chips: readonly string[], compact: string, ours: string): DraftMatch => {
  const [chip] = chips;
  const newlines = ours.split('\n').length - 1;
  const isLarge = ours.length > CHIP_CHARACTERS || newlines >= CHIP_NEWLINES;
  if (chip === undefined || chips.length > 1 || !isLarge || compact !== chip.replace(/\s+/g, ''))
    return 'other';
  const lines = /\+(\d+) lines/.exec(chip)?.[1];
  return lines === undefined || Number(lines) === newlines ? 'same' : 'other';
};
