import { ApiError } from './api.js';
import { Composer } from './composer.js';
import { dialogForm } from './dialog-form.js';
import { announce, h, reconcile } from './dom.js';
import { confirmInterrupt } from './interrupt.js';
import { blockMark, blockView } from './item-view.js';
import { chip } from './list-view.js';
import { toBlocks } from './merge.js';
import { matchDeliveries, toReceipts } from './receipts.js';
import { receiptView } from './receipts-view.js';
import { ScrollKeeper } from './scroll.js';
import { ThreadData } from './thread-data.js';
import { firstWords, shortPath } from './words.js';

/**
 * @typedef {import('./api.js').RunView} RunView
 * @typedef {import('./api.js').DeliveryView} DeliveryView
 * @typedef {import('./outbox.js').Outbox} Outbox
 */

const THINKING = 'afk-bridge.thinking';

/** One run's thread: read through, live, with its composer (O5). */
export class ThreadView {
  /** @type {Outbox} */
  #outbox;
  #data;
  #composer;
  #title = h('h1', { dir: 'auto' });
  #meta = h('p', { class: 'meta' });
  #interrupt = h(
    'button',
    {
      type: 'button',
      class: 'danger-quiet',
      hidden: true,
      onclick: () => void this.#askInterrupt(),
    },
    'Interrupt',
  );
  #thinking = h(
    'button',
    { type: 'button', class: 'quiet', onclick: () => this.#toggleThinking() },
    '💭',
  );
  #older = h(
    'button',
    { type: 'button', class: 'older small quiet', onclick: () => this.#readOlder() },
    'Show older',
  );
  #note = h('p', { class: 'empty' }, 'Loading…');
  #blocks = h('div', {
    class: 'blocks',
    role: 'log',
    'aria-live': 'off',
    'aria-label': 'Conversation',
  });
  #receipts = h('div', { class: 'receipts', 'aria-live': 'polite' });
  #pending = h('div', { class: 'pending-slot' });
  #jump = h(
    'button',
    { type: 'button', class: 'jump', hidden: true, onclick: () => this.#scroll.toEnd() },
    'New below ↓',
  );
  #content = h(
    'div',
    { class: 'content' },
    this.#older,
    this.#note,
    this.#blocks,
    this.#receipts,
    this.#pending,
  );
  #scroller = h('div', { class: 'scroller', tabindex: -1 }, this.#content);
  #scroll = new ScrollKeeper(this.#scroller, this.#content, {
    onTop: () => this.#readOlder(),
    onEnd: () => {
      this.#jump.hidden = true;
    },
  });
  #fold = {
    open: new Set(),
    childrenOf: /** @type {(id: string) => readonly import('./merge.js').Item[]} */ (() => []),
  };
  /** @type {Set<string>} */
  #dismissed = new Set();
  #answered = '';
  #lastText = '';
  #lastState = '';
  #timer = window.setInterval(() => this.#drawReceipts(), 5_000);
  /** @type {HTMLElement} */
  element;

  /**
   * @param {string} run
   * @param {Outbox} outbox
   * @param {(error: unknown) => void} onError
   */
  constructor(run, outbox, onError) {
    this.#outbox = outbox;
    this.#onError = onError;
    this.#data = new ThreadData(run, () => this.#draw());
    this.#composer = new Composer(run, (text) => {
      this.#scroll.pin();
      void this.#send('reply', 'reply', { text }, text);
    });
    this.element = h(
      'main',
      { class: 'thread' },
      h(
        'header',
        { class: 'bar' },
        h('a', { class: 'back', href: '/', 'data-link': true, 'aria-label': 'All runs' }, '‹'),
        h('div', { class: 'bar-title' }, this.#title, this.#meta),
        this.#thinking,
        this.#interrupt,
      ),
      this.#scroller,
      this.#jump,
      this.#composer.element,
    );
    this.#drawThinking();
  }

  /** @type {(error: unknown) => void} */
  #onError;

  get run() {
    return this.#data.id;
  }

  refresh() {
    this.#data.refresh().catch((error) => this.#onError(error));
  }

  /** The outbox changed: what is on its way is drawn anew. */
  outboxChanged() {
    this.#drawReceipts();
  }

  close() {
    window.clearInterval(this.#timer);
    this.#scroll.close();
  }

  #readOlder() {
    this.#scroll.keepPlace();
    this.#data.older().catch((error) => this.#onError(error));
  }

  #draw() {
    const { run, thread } = this.#data;
    if (run !== undefined) this.#drawHead(run);
    this.#drawNote();
    this.#older.hidden = !this.#data.hasOlder;
    const showsThinking = localStorage.getItem(THINKING) === 'yes';
    const { blocks, childrenOf } = toBlocks(thread.items, showsThinking);
    this.#fold.childrenOf = childrenOf;
    const matched = matchDeliveries(thread.items, this.#data.deliveries);
    const ctx = {
      ...this.#fold,
      receiptOf: (/** @type {{ id: string }} */ item) => {
        const delivery = matched.get(item.id);
        return delivery === undefined ? undefined : `✅ ${delivery.by}`;
      },
    };
    const pending = run?.pendingDialog?.id;
    reconcile(
      this.#blocks,
      blocks
        // The open dialog stands below, with its buttons.
        .filter(
          (block) =>
            block.kind !== 'dialog' ||
            block.item.dialog !== pending ||
            block.item.status !== 'open',
        )
        .map((block) => ({
          key: block.key,
          mark: blockMark(block, ctx),
          make: () => blockView(block, ctx),
        })),
    );
    this.#drawReceipts();
    this.#drawPending();
    this.#scroll.settle();
    this.#tell(blocks);
  }

  /** @param {RunView} run */
  #drawHead(run) {
    const title = run.title || run.name || shortPath(run.cwd);
    this.#title.textContent = title;
    document.title = `${title} · afk-bridge`;
    this.#meta.replaceChildren(
      chip(run.state),
      h(
        'span',
        { class: 'where', title: run.cwd },
        shortPath(run.cwd),
        run.branch ? ` · ${run.branch}` : '',
      ),
    );
    this.#interrupt.hidden = run.state.name !== 'working';
    this.#composer.show(run);
  }

  #drawNote() {
    const { thread, isLoaded, isUnknown } = this.#data;
    const text =
      isUnknown && thread.items.length === 0
        ? 'This run is not known here any more.'
        : thread.isGone
          ? 'The agent no longer keeps the transcript of this run, so there is nothing left to show. Nothing is wrong: old transcripts are cleaned up after a while.'
          : isLoaded && thread.items.length === 0
            ? 'Nothing has been said yet.'
            : isLoaded
              ? ''
              : 'Loading…';
    this.#note.hidden = text === '';
    this.#note.textContent = text;
  }

  #drawReceipts() {
    const { deliveries, thread } = this.#data;
    const matched = matchDeliveries(thread.items, deliveries);
    const receipts = toReceipts({
      deliveries,
      sent: this.#outbox.of(this.run),
      matched,
      dismissed: this.#dismissed,
      now: Date.now(),
    });
    reconcile(
      this.#receipts,
      receipts.map((receipt) => ({
        // From "sent" to "delivery" it is the same message: it must not jump.
        key: receipt.type === 'sent' ? `web:${receipt.sent.key}` : receipt.delivery.eventKey,
        mark: JSON.stringify(receipt.type === 'sent' ? receipt.sent : receipt.delivery),
        make: () =>
          receiptView(receipt, {
            act: (action, delivery) => void this.#act(action, delivery),
            retry: (key) => void this.#outbox.again(key).then(() => this.refresh()),
            forget: (key) => this.#outbox.forget(key),
            dismiss: (key) => {
              this.#dismissed.add(key);
              this.#drawReceipts();
            },
            recompose: (text) => this.#composer.put(text),
          }),
      })),
    );
    this.#scroll.settle();
  }

  #drawPending() {
    const { run, deliveries } = this.#data;
    const pending = run?.pendingDialog;
    if (run === undefined || pending === undefined || run.state.name === 'ended') {
      this.#pending.replaceChildren();
      this.#answered = '';
      return;
    }
    const isRefused = deliveries.some(
      (one) =>
        one.kind === 'answer' &&
        ['refused', 'unknown', 'returned'].includes(one.outcome.status) &&
        `${pending.id}:${one.eventKey}` === this.#answered,
    );
    if (isRefused) this.#answered = '';
    const isSent = this.#answered.startsWith(`${pending.id}:`);
    reconcile(this.#pending, [
      {
        key: 'pending',
        mark: JSON.stringify([pending, run.deepLink, run.attachCommand, isSent]),
        make: () =>
          isSent
            ? h(
                'section',
                { class: 'pending sent' },
                h('p', { role: 'status' }, 'Answer sent. Waiting for the agent to take it…'),
              )
            : dialogForm(run, pending, (answer, words) => {
                void this.#answer(pending.id, answer, words);
              }),
      },
    ]);
  }

  /**
   * @param {string} dialog
   * @param {import('../../../bridge/model/delivery.ts').DialogAnswer} answer
   * @param {string} words
   */
  async #answer(dialog, answer, words) {
    this.#answered = `${dialog}:`;
    this.#drawPending();
    const isTaken = await this.#send('answer', 'answer', { dialog, answer }, words);
    const last = this.#outbox.of(this.run).findLast((sent) => sent.what === 'answer');
    this.#answered = isTaken && last !== undefined ? `${dialog}:web:${last.key}` : '';
    this.#drawPending();
  }

  /**
   * @param {import('./outbox.js').Sent['what']} what
   * @param {string} route
   * @param {Record<string, unknown>} body
   * @param {string} [text]
   */
  async #send(what, route, body, text = '') {
    const path = `/api/runs/${encodeURIComponent(this.run)}/${route}`;
    const isTaken = await this.#outbox.send({ run: this.run, path, body, what, text });
    this.refresh();
    return isTaken;
  }

  /**
   * @param {DeliveryView['actions'][number]} action
   * @param {DeliveryView} delivery
   */
  async #act(action, delivery) {
    if (action === 'continue') {
      await this.#send('other', 'continue', {});
      return;
    }
    const { outcome } = delivery;
    const dialog =
      outcome.status === 'held' && outcome.reason.why === 'dialog'
        ? outcome.reason.dialog
        : undefined;
    await this.#outbox.send({
      run: this.run,
      path: `/api/deliveries/${encodeURIComponent(delivery.id)}/${action}`,
      body: { run: this.run, ...(action === 'use-as-answer' ? { dialog } : {}) },
      what: 'other',
      text: '',
    });
    this.refresh();
  }

  async #askInterrupt() {
    const { run, thread, deliveries } = this.#data;
    if (run === undefined) return;
    const queued = deliveries.filter((one) => one.outcome.status === 'queued').length;
    const turn = run.state.name === 'working' ? run.state.turn : undefined;
    if (!(await confirmInterrupt(run, thread.items, queued))) return;
    await this.#send('interrupt', 'interrupt', turn === undefined ? {} : { turn });
  }

  #toggleThinking() {
    localStorage.setItem(THINKING, localStorage.getItem(THINKING) === 'yes' ? 'no' : 'yes');
    this.#drawThinking();
    this.#draw();
  }

  #drawThinking() {
    const isOn = localStorage.getItem(THINKING) === 'yes';
    this.#thinking.setAttribute('aria-pressed', String(isOn));
    this.#thinking.setAttribute('aria-label', 'Show the agent’s thinking');
    this.#thinking.title = isOn ? 'Hide the agent’s thinking' : 'Show the agent’s thinking';
  }

  /** Says aloud what a reader would want to know; shows that there is more below. */
  #tell(/** @type {readonly import('./merge.js').Block[]} */ blocks) {
    const last = blocks.findLast((block) => block.kind === 'text' && block.item.role === 'agent');
    const text = last?.kind === 'text' ? last.key : '';
    const state = this.#data.run?.state.name ?? '';
    const isFirst = this.#lastState === '';
    if (!isFirst && text !== this.#lastText && last?.kind === 'text') {
      announce(`The agent: ${firstWords(last.item.text, 160)}`);
      this.#jump.hidden = this.#scroll.isPinned;
    } else if (!isFirst && state !== this.#lastState && state.endsWith('-pending')) {
      announce('The agent asks for a decision.');
      this.#jump.hidden = this.#scroll.isPinned;
    }
    this.#lastText = text;
    this.#lastState = state;
  }
}

/** @param {unknown} error */
export const isLoginNeeded = (error) => error instanceof ApiError && error.status === 401;
