import { fetchChanges, fetchDeliveries, fetchItems, fetchRun } from './api.js';
import { EMPTY, mergeItems } from './merge.js';

/**
 * @typedef {import('./api.js').RunView} RunView
 * @typedef {import('./api.js').DeliveryView} DeliveryView
 */

/** What the page knows of one run: read in windows, kept up by changes. */
export class ThreadData {
  /** @type {string} */
  id;
  /** @type {RunView | undefined} */
  run;
  thread = EMPTY;
  /** @type {readonly DeliveryView[]} */
  deliveries = [];
  isLoaded = false;
  isUnknown = false;
  #isReading = false;
  #isStale = false;
  #isReadingOlder = false;
  /** @type {string | undefined} */
  #session;
  /** @type {() => void} */
  #onChange;

  /**
   * @param {string} id
   * @param {() => void} onChange
   */
  constructor(id, onChange) {
    this.id = id;
    this.#onChange = onChange;
  }

  get hasOlder() {
    return this.thread.before !== undefined;
  }

  /** Reads what is new; calls that come meanwhile are one more reading afterwards. Rejects with ApiError. */
  async refresh() {
    if (this.#isReading) {
      this.#isStale = true;
      return;
    }
    this.#isReading = true;
    try {
      do {
        this.#isStale = false;
        await this.#read();
        this.#onChange();
      } while (this.#isStale);
    } finally {
      this.#isReading = false;
    }
  }

  async #read() {
    const [run, deliveries] = await Promise.all([fetchRun(this.id), fetchDeliveries(this.id)]);
    this.isUnknown = run === undefined;
    this.run = run ?? this.run;
    this.deliveries = deliveries;
    // A cleared conversation goes on in another file: its end is read anew, what was read stays.
    const isOtherFile = run?.session !== this.#session;
    const isFirst = !this.isLoaded || isOtherFile || this.thread.cursor === '';
    const window = isFirst
      ? await fetchItems(this.id)
      : await fetchChanges(this.id, this.thread.cursor);
    this.#session = run?.session;
    const isEmptyAnswer = window.isGone === true && this.thread.items.length > 0;
    this.thread = {
      items: mergeItems(this.thread.items, window.items),
      cursor: window.cursor || this.thread.cursor,
      before: isFirst ? window.before : this.thread.before,
      isGone: window.isGone === true && !isEmptyAnswer,
    };
    this.isLoaded = true;
  }

  /** Reads the next older window. Rejects with ApiError. */
  async older() {
    if (this.#isReadingOlder || this.thread.before === undefined) return;
    this.#isReadingOlder = true;
    try {
      const window = await fetchItems(this.id, this.thread.before);
      this.thread = {
        ...this.thread,
        items: mergeItems(this.thread.items, window.items),
        before: window.before,
      };
      this.#onChange();
    } finally {
      this.#isReadingOlder = false;
    }
  }
}
