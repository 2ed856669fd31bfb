import { h } from './dom.js';
import { firstWords } from './words.js';

/**
 * @typedef {import('./api.js').RunView} RunView
 * @typedef {import('../../../bridge/model/conversation.ts').Item} Item
 */

/** A confirmation is about what was shown; older than this it is not given any more (I1). */
const CONFIRM_MS = 60_000;

/**
 * The text that began the turn.
 * @param {readonly Item[]} items
 * @param {string | undefined} turn
 */
const turnText = (items, turn) => {
  const said = items.filter(
    (item) => item.kind === 'text' && item.role === 'user' && item.parent === undefined,
  );
  const named =
    turn === undefined
      ? undefined
      : said.find((item) => item.id === turn || item.id.startsWith(`${turn}.`));
  const found = named ?? (turn === undefined ? said.at(-1) : undefined);
  return found?.kind === 'text' ? firstWords(found.text, 100) : undefined;
};

/**
 * Asks "Interrupt what?", naming the turn. Resolves true on a confirmation within a minute.
 * @param {RunView} run
 * @param {readonly Item[]} items
 * @param {number} queued replies that are known to wait in the agent's own queue
 * @returns {Promise<boolean>}
 */
export const confirmInterrupt = (run, items, queued) => {
  const turn = run.state.name === 'working' ? run.state.turn : undefined;
  const text = turnText(items, turn);
  const close = (/** @type {string} */ value) => dialog.close(value);
  const dialog = h(
    'dialog',
    { class: 'confirm', 'aria-labelledby': 'interrupt-title' },
    h('h2', { id: 'interrupt-title' }, 'Interrupt what?'),
    text === undefined
      ? h('p', {}, 'The turn that runs now.')
      : h('blockquote', { dir: 'auto' }, text),
    h(
      'ul',
      {},
      h('li', {}, 'One Escape is pressed. The run itself goes on living.'),
      h(
        'li',
        {},
        queued === 0
          ? 'Messages in the agent’s own queue, if any, are sent by it right away.'
          : `What waits in the agent’s own queue (${queued} from here) is sent by it right away.`,
      ),
      h('li', {}, 'Replies that the bridge holds stay back until you press Continue.'),
    ),
    h(
      'div',
      { class: 'row end' },
      h('button', { type: 'button', autofocus: true, onclick: () => close('') }, 'Keep it running'),
      h(
        'button',
        { type: 'button', class: 'danger', onclick: () => close('yes') },
        'Interrupt this turn',
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  const timer = window.setTimeout(() => close(''), CONFIRM_MS);
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      window.clearTimeout(timer);
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    });
  });
};
