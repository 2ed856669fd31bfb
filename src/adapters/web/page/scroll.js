const NEAR_PX = 90;

/**
 * Keeps a thread where a person reads: at its end while they are there, in place when older items
 * come in above, untouched otherwise.
 */
export class ScrollKeeper {
  #scroller;
  #isPinned = true;
  /** @type {number | undefined} distance from the end, to be kept once */
  #fromEnd;
  #observer;
  #on;

  /**
   * @param {HTMLElement} scroller
   * @param {HTMLElement} content
   * @param {{ onTop: () => void, onEnd: () => void }} on
   */
  constructor(scroller, content, on) {
    this.#scroller = scroller;
    this.#on = on;
    scroller.addEventListener('scroll', () => this.#onScroll(), { passive: true });
    // A keyboard that opens, a fold, an image: the end stays the end.
    this.#observer = new ResizeObserver(() => this.settle());
    this.#observer.observe(scroller);
    this.#observer.observe(content);
  }

  get isPinned() {
    return this.#isPinned;
  }

  pin() {
    this.#isPinned = true;
  }

  toEnd() {
    this.#isPinned = true;
    this.settle();
    this.#on.onEnd();
  }

  /** Older items are about to be put above. */
  keepPlace() {
    this.#fromEnd = this.#scroller.scrollHeight - this.#scroller.scrollTop;
  }

  /** To be called after every change of the content. */
  settle() {
    const { scrollHeight } = this.#scroller;
    if (this.#fromEnd !== undefined && !this.#isPinned) {
      this.#scroller.scrollTop = scrollHeight - this.#fromEnd;
      this.#fromEnd = undefined;
    } else if (this.#isPinned) this.#scroller.scrollTop = scrollHeight;
  }

  close() {
    this.#observer.disconnect();
  }

  #onScroll() {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    this.#isPinned = scrollHeight - scrollTop - clientHeight < NEAR_PX;
    if (this.#isPinned) this.#on.onEnd();
    else if (scrollTop < 400) this.#on.onTop();
  }
}
