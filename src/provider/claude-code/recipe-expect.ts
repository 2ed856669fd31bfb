import { canBe, type PickerReading } from './picker.ts';
import type { Expectation } from './recipes.ts';

const placeholder = /^Type something\.?$/;

/** A long answer may stand there cut; a short one stands there whole. */
const shows = (seen: string, answer: string): boolean =>
  canBe(seen, answer) && (canBe(answer, seen) || seen.length > 60);

/** Whether the picker now shows what a recipe wants to see before its next key. PURE. `options`: how many there are. */
export const isMet = (
  wanted: Expectation,
  page: PickerReading | undefined,
  options: number,
): boolean => {
  if (page === undefined) return false;
  if (wanted.type === 'review') {
    return (
      page.page === 'review' && page.isOnSubmit && shows(page.answers.join(' '), wanted.answer)
    );
  }
  if (page.page !== 'question') return false;
  const own = page.rows.find((row) => row.number === options + 1);
  switch (wanted.type) {
    case 'on-options':
      return typeof page.cursor === 'number' && page.cursor <= options;
    case 'on-own-words':
      return page.cursor === options + 1;
    case 'own-words-typed':
      // A long text pushes the beginning of its own row out of the pane, and the cursor with it.
      if (own === undefined) return page.cursor === undefined;
      return (
        page.cursor === options + 1 && !placeholder.test(own.text) && canBe(own.text, wanted.text)
      );
    case 'on-submit':
      return page.cursor === 'submit';
    case 'ticked': {
      const ticked = page.rows.filter((row) => row.isChecked === true).map((row) => row.number);
      return ticked.length === wanted.rows.length && ticked.every((n) => wanted.rows.includes(n));
    }
  }
};
