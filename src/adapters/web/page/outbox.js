import { ApiError, newKey, post } from './api.js';

/**
 * Something a person did that the bridge has not acknowledged yet, or whose delivery has not been
 * seen yet. Kept in the browser, so that neither a lost connection nor a reload loses it.
 * @typedef {{ key: string, run: string, path: string, body: Record<string, unknown>, what: 'reply' | 'answer' | 'interrupt' | 'other',
 *   text: string, at: number, state: 'sending' | 'failed' | 'accepted', problem?: string }} Sent
 */

const STORE = 'afk-bridge.unsent';
/** After a short break of the connection it goes by itself; later a person is asked. */
const BY_ITSELF_MS = 120_000;
/** The delivery is there long before; what is accepted needs no keeping. */
const ACCEPTED_MS = 60_000;

/** @returns {Sent[]} */
const load = () => {
  try {
    const known = JSON.parse(localStorage.getItem(STORE) ?? '[]');
    return Array.isArray(known) ? known : [];
  } catch {
    return [];
  }
};

export class Outbox {
  /** @type {Set<string>} */
  #underWay = new Set();
  /** @type {() => void} */
  #onChange;

  /** @param {() => void} onChange */
  constructor(onChange) {
    this.#onChange = onChange;
    window.addEventListener('storage', (event) => {
      if (event.key === STORE) onChange();
    });
  }

  /** @returns {readonly Sent[]} what is kept for a run, oldest first */
  of(/** @type {string} */ run) {
    const now = Date.now();
    return load()
      .filter((sent) => sent.run === run)
      .filter((sent) => sent.state !== 'accepted' || now - sent.at < ACCEPTED_MS)
      .map((sent) =>
        // Another tab, or this one before a reload, was sending it: nobody knows, so it is offered again.
        sent.state === 'sending' && !this.#underWay.has(sent.key) && now - sent.at > 20_000
          ? {
              ...sent,
              state: /** @type {const} */ ('failed'),
              problem: 'The page was closed while it was sent.',
            }
          : sent,
      );
  }

  /**
   * Keeps it, then sends it. Resolves true when the bridge has it for good.
   * @param {{ run: string, path: string, body: Record<string, unknown>, what: Sent['what'], text?: string }} what
   * @returns {Promise<boolean>}
   */
  send({ text = '', ...what }) {
    /** @type {Sent} */
    const sent = { ...what, text, key: newKey(), at: Date.now(), state: 'sending' };
    this.#keep(sent);
    return this.#go(sent);
  }

  /** The same thing again, under the same key: the bridge does it once. */
  again(/** @type {string} */ key) {
    const sent = load().find((one) => one.key === key);
    return sent === undefined ? Promise.resolve(false) : this.#go(sent);
  }

  forget(/** @type {string} */ key) {
    this.#store(load().filter((sent) => sent.key !== key));
  }

  /** Connected again: what was cut off just now goes by itself. */
  retry() {
    const now = Date.now();
    for (const sent of load()) {
      const isCutOff = sent.state === 'failed' || sent.state === 'sending';
      if (isCutOff && !this.#underWay.has(sent.key) && now - sent.at < BY_ITSELF_MS)
        void this.#go(sent);
    }
  }

  /** @param {Sent} sent */
  async #go(sent) {
    if (this.#underWay.has(sent.key)) return false;
    this.#underWay.add(sent.key);
    this.#keep({ ...sent, state: 'sending' });
    try {
      await post(sent.path, { ...sent.body, key: sent.key });
      this.#underWay.delete(sent.key);
      this.#keep({ ...sent, state: 'accepted' });
      return true;
    } catch (error) {
      this.#underWay.delete(sent.key);
      const problem = error instanceof ApiError ? error.message : String(error);
      this.#keep({ ...sent, state: 'failed', problem });
      return false;
    }
  }

  /** @param {Sent} sent */
  #keep(sent) {
    const now = Date.now();
    const others = load().filter(
      (one) => one.key !== sent.key && !(one.state === 'accepted' && now - one.at > ACCEPTED_MS),
    );
    this.#store([...others, sent].sort((a, b) => a.at - b.at));
  }

  /** @param {readonly Sent[]} all */
  #store(all) {
    localStorage.setItem(STORE, JSON.stringify(all.slice(-100)));
    this.#onChange();
  }
}

/** Half-written replies, per run, for this tab; they survive a reload. */
export const drafts = {
  /** @param {string} run */
  read: (run) => sessionStorage.getItem(`afk-bridge.draft.${run}`) ?? '',
  /**
   * @param {string} run
   * @param {string} text
   */
  write: (run, text) => {
    if (text === '') sessionStorage.removeItem(`afk-bridge.draft.${run}`);
    else sessionStorage.setItem(`afk-bridge.draft.${run}`, text);
  },
};
