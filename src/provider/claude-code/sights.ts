import { canBe, type PickerReading } from './picker.ts';
import type { Sight } from './recipes.ts';

const placeholder = /^Type something\.?$/;

/** Whether the picker now shows what a recipe wants to see before its next key. PURE. `options`: how many there are. */
export const isSeen = (sight: Sight, page: PickerReading | undefined, options: number): boolean => {
  if (page === undefined) return false;
  if (sight.type === 'review') {
    const shown = page.page === 'review' ? page.answers.join(' ') : '';
    return page.page === 'review' && page.isOnSubmit && shown !== '' && canBe(shown, sight.answer);
  }
  if (page.page !== 'question') return false;
  const own = page.rows.find((row) => row.number === options + 1);
  switch (sight.type) {
    case 'on-options':
      return typeof page.cursor === 'number' && page.cursor <= options;
    case 'on-own-words':
      return page.cursor === options + 1;
    case 'own-words-typed':
      // A long text pushes the beginning of its own row out of the pane, and the cursor with it.
      if (own === undefined) return page.cursor === undefined;
      return (
        page.cursor === options + 1 && !placeholder.test(own.text) && canBe(own.text, sight.text)
      );
    case 'on-submit':
      return page.cursor === 'submit';
    case 'ticked': {
      const ticked = page.rows.filter((row) => row.isChecked === true).map((row) => row.number);
      return ticked.length === sight.rows.length && ticked.every((n) => sight.rows.includes(n));
    }
  }
};
