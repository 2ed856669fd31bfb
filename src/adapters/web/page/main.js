import { ApiError, fetchRuns } from './api.js';
import { h, must } from './dom.js';
import { ListView } from './list-view.js';
import { listen } from './live.js';
import { login, loginView } from './login-view.js';
import { Outbox } from './outbox.js';
import { isLoginNeeded, ThreadView } from './thread-view.js';
import { stateWords } from './words.js';

/** @typedef {import('./api.js').RunView} RunView */

const LIST_MS = 400;

const app = must('#app');
const connection = must('#connection');

/** @param {string} text '': all is well */
const showConnection = (text) => {
  connection.textContent = text;
  connection.hidden = text === '';
};

/** The run that the address names. */
const openRun = () => {
  const [, id] = /^\/run\/([^/]+)$/.exec(location.pathname) ?? [];
  return id === undefined ? undefined : decodeURIComponent(id);
};

class Page {
  #list = new ListView();
  #slot = h('div', { class: 'slot' });
  /** @type {ThreadView | undefined} */
  #thread;
  /** @type {readonly RunView[]} */
  #runs = [];
  #outbox = new Outbox(() => this.#thread?.outboxChanged());
  #isReading = false;
  #isStale = false;

  start() {
    app.replaceChildren(h('div', { class: 'shell' }, this.#list.element, this.#slot));
    document.addEventListener('click', (event) => this.#onClick(event));
    window.addEventListener('popstate', () => this.#route());
    this.#route();
    listen({
      onHello: () => {
        showConnection('');
        this.#outbox.retry();
        void this.#readList();
        this.#thread?.refresh();
      },
      onList: () => void this.#readList(),
      onRun: (run) => {
        void this.#readList();
        if (this.#thread?.run === run) this.#thread.refresh();
      },
      onLost: () => {
        showConnection('Connection lost. Trying again…');
        // Tells a bridge that is away from a session that is over.
        void this.#readList();
      },
    });
    window.setInterval(() => this.#drawList(), 30_000);
  }

  #route() {
    const run = openRun();
    document.documentElement.dataset.view = run === undefined ? 'list' : 'thread';
    if (this.#thread?.run !== run || run === undefined) {
      this.#thread?.close();
      this.#thread =
        run === undefined
          ? undefined
          : new ThreadView(run, this.#outbox, (error) => this.#onError(error));
      this.#slot.replaceChildren(
        this.#thread?.element ??
          h(
            'main',
            { class: 'thread nothing' },
            h('p', { class: 'empty' }, 'Choose a run to read along.'),
          ),
      );
      this.#thread?.refresh();
    }
    this.#drawList();
  }

  /** Links between our own views do not reload the page. */
  #onClick(/** @type {MouseEvent} */ event) {
    const isPlain =
      event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    const link = event.target instanceof Element ? event.target.closest('a[data-link]') : null;
    if (!isPlain || !(link instanceof HTMLAnchorElement)) return;
    event.preventDefault();
    if (link.pathname !== location.pathname) history.pushState(null, '', link.pathname);
    this.#route();
  }

  async #readList() {
    if (this.#isReading) {
      this.#isStale = true;
      return;
    }
    this.#isReading = true;
    try {
      do {
        this.#isStale = false;
        this.#runs = await fetchRuns();
        this.#drawList();
        // Many busy runs change many times a second; the list need not.
        await new Promise((resolve) => setTimeout(resolve, LIST_MS));
      } while (this.#isStale);
    } catch (error) {
      this.#onError(error);
    } finally {
      this.#isReading = false;
    }
  }

  #drawList() {
    const open = openRun();
    this.#list.show(this.#runs, open);
    if (open !== undefined) return;
    const waiting = this.#runs.filter((run) => stateWords(run.state).rank <= 1).length;
    document.title = waiting === 0 ? 'afk-bridge' : `(${waiting}) afk-bridge`;
  }

  #onError(/** @type {unknown} */ error) {
    if (isLoginNeeded(error)) {
      // Everything unsent is kept in the browser: it is there again after the login.
      location.reload();
    } else if (error instanceof ApiError && error.isTransient) {
      showConnection(error.status === 0 ? 'Connection lost. Trying again…' : error.message);
    } else {
      showConnection(error instanceof Error ? error.message : String(error));
      throw error;
    }
  }
}

const boot = async () => {
  const [, token] = /^#token=(.+)$/.exec(location.hash) ?? [];
  /** @type {string} */
  let problem = '';
  if (token !== undefined) {
    // Out of the address at once: not in the history, not in a bookmark, not over a shoulder.
    history.replaceState(null, '', location.pathname);
    try {
      await login(decodeURIComponent(token));
    } catch (error) {
      problem = error instanceof ApiError ? error.message : String(error);
    }
  }
  try {
    await fetchRuns();
    new Page().start();
  } catch (error) {
    if (isLoginNeeded(error)) {
      app.replaceChildren(loginView(() => void boot(), problem));
      return;
    }
    showConnection('The bridge cannot be reached. Trying again…');
    window.setTimeout(() => void boot(), 2_000);
    return;
  }
  if (connection.textContent?.startsWith('The bridge')) showConnection('');
};

void boot();
