import { h, reconcile } from './dom.js';
import { age, groupRuns, shortPath, stateWords } from './words.js';

/** @typedef {import('./api.js').RunView} RunView */

/** @param {RunView['state']} state */
export const chip = (state) => {
  const { label, tone } = stateWords(state);
  return h('span', { class: `chip ${tone}` }, label);
};

/**
 * @param {RunView} run
 * @param {boolean} isOpen
 */
const card = (run, isOpen) =>
  h(
    'li',
    {},
    h(
      'a',
      {
        class: 'run',
        href: `/run/${encodeURIComponent(run.id)}`,
        'data-link': true,
        'aria-current': isOpen ? 'page' : undefined,
      },
      h(
        'span',
        { class: 'run-top' },
        h('span', { class: 'run-title', dir: 'auto' }, run.title || run.name || shortPath(run.cwd)),
        h('span', { class: 'run-age' }, age(run.lastActivityAt, Date.now())),
      ),
      h(
        'span',
        { class: 'run-bottom' },
        chip(run.state),
        h('span', { class: 'run-where' }, shortPath(run.cwd), run.branch ? ` · ${run.branch}` : ''),
      ),
    ),
  );

/** Of ended runs so many are shown; the others on demand. */
const ENDED_SHOWN = 6;

/** The list of runs; who waits for a person stands first (O5). */
export class ListView {
  #showsAll = false;
  #groups = h('div', { class: 'groups' });
  #note = h('p', { class: 'empty' }, 'Loading…');
  element = h(
    'nav',
    { class: 'list', 'aria-label': 'Runs' },
    h('header', { class: 'bar' }, h('h1', {}, 'Runs')),
    this.#note,
    this.#groups,
  );

  /**
   * @param {readonly RunView[]} runs
   * @param {string | undefined} open
   */
  show(runs, open) {
    this.#note.hidden = runs.length > 0;
    this.#note.replaceChildren(
      'No runs yet. Every Claude Code in a tmux pane of this user appears here by itself; ',
      h('code', {}, 'afk-bridge run -- claude'),
      ' starts one.',
    );
    const minute = Math.floor(Date.now() / 30_000);
    reconcile(
      this.#groups,
      groupRuns(runs).map(({ title, runs: members }) => {
        const isCut = title === 'Ended' && !this.#showsAll && members.length > ENDED_SHOWN;
        return {
          key: title,
          mark: JSON.stringify([minute, open, isCut, members]),
          make: () =>
            h(
              'section',
              {},
              h('h2', {}, title, h('span', { class: 'count' }, members.length)),
              h(
                'ul',
                {},
                (isCut ? members.slice(0, ENDED_SHOWN) : members).map((run) =>
                  card(run, run.id === open),
                ),
              ),
              isCut &&
                h(
                  'button',
                  {
                    type: 'button',
                    class: 'small quiet',
                    onclick: () => {
                      this.#showsAll = true;
                      this.show(runs, open);
                    },
                  },
                  `Show all ${members.length}`,
                ),
            ),
        };
      }),
    );
  }

  /** @param {string} text */
  fail(text) {
    this.#note.hidden = false;
    this.#note.textContent = text;
  }
}
