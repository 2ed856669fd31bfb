import { commandLine, h } from './dom.js';
import { drafts } from './outbox.js';
import { replyHint } from './words.js';

/** @typedef {import('./api.js').RunView} RunView */

const hasKeyboard = () => window.matchMedia('(hover: hover) and (pointer: fine)').matches;

/** Where a reply is written; says before sending what it would be now (S1). */
export class Composer {
  /** @type {string} */
  #run;
  /** @type {(text: string) => void} */
  #onSend;
  #hint = h('p', { class: 'hint', id: 'composer-hint' });
  #area = h('textarea', {
    id: 'composer',
    rows: 1,
    dir: 'auto',
    placeholder: 'Reply to the agent',
    'aria-label': 'Reply to the agent',
    'aria-describedby': 'composer-hint',
    enterkeyhint: hasKeyboard() ? 'send' : 'enter',
    oninput: () => {
      drafts.write(this.#run, this.#area.value);
      this.#fit();
    },
    onkeydown: (event) => this.#onKey(event),
  });
  #send = h('button', { type: 'submit', class: 'primary' }, 'Send');
  #form = h(
    'form',
    {
      onsubmit: (event) => {
        event.preventDefault();
        this.#submit();
      },
    },
    this.#area,
    this.#send,
  );
  element = h('footer', { class: 'composer' }, this.#hint, this.#form);

  /**
   * @param {string} run
   * @param {(text: string) => void} onSend
   */
  constructor(run, onSend) {
    this.#run = run;
    this.#onSend = onSend;
    this.#area.value = drafts.read(run);
    requestAnimationFrame(() => this.#fit());
  }

  /** @param {RunView} run */
  show(run) {
    const isRefused = run.replyIs === 'refused';
    this.#form.hidden = isRefused;
    this.element.dataset.reply = run.replyIs;
    const canResume = run.state.name === 'ended' && run.resumeCommand !== undefined;
    const mark = `${replyHint(run)} ${run.resumeCommand ?? ''}`;
    if (this.#hint.dataset.mark === mark) return;
    this.#hint.dataset.mark = mark;
    this.#hint.replaceChildren(
      replyHint(run),
      ...(canResume ? [' Resume it with ', commandLine(run.resumeCommand ?? '')] : []),
    );
  }

  /**
   * Puts a text back to be changed and sent anew; what stands there stays.
   * @param {string} text
   */
  put(text) {
    const before = this.#area.value;
    this.#area.value = before === '' ? text : `${before}\n${text}`;
    drafts.write(this.#run, this.#area.value);
    this.#fit();
    this.#area.focus();
  }

  /** @param {Event} event */
  #onKey(event) {
    if (!(event instanceof KeyboardEvent) || event.key !== 'Enter' || event.isComposing) return;
    const isAsked = event.ctrlKey || event.metaKey || (hasKeyboard() && !event.shiftKey);
    if (!isAsked) return;
    event.preventDefault();
    this.#submit();
  }

  #submit() {
    const text = this.#area.value;
    if (text.trim() === '') return;
    this.#area.value = '';
    drafts.write(this.#run, '');
    this.#fit();
    this.#onSend(text);
  }

  #fit() {
    this.#area.style.height = 'auto';
    this.#area.style.height = `${Math.min(this.#area.scrollHeight + 2, window.innerHeight * 0.4)}px`;
  }
}
