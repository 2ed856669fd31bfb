import { h } from './dom.js';
import { codeNode, inlineMarkdown } from './markdown-view.js';

/**
 * @typedef {import('./receipts.js').Receipt} Receipt
 * @typedef {import('./api.js').DeliveryView} DeliveryView
 * @typedef {import('./outbox.js').Sent} Sent
 * @typedef {{ act: (action: DeliveryView['actions'][number], delivery: DeliveryView) => void, retry: (key: string) => void,
 *   forget: (key: string) => void, dismiss: (key: string) => void, recompose: (text: string) => void }} Actions
 */

/** @type {Readonly<Record<DeliveryView['outcome']['status'], string>>} */
const LABELS = {
  waiting: 'Sending…',
  confirmed: 'Delivered',
  queued: 'In the agent’s queue',
  held: 'Held',
  refused: 'Not sent',
  returned: 'Returned, not sent',
  unknown: 'Unclear whether it arrived',
};

/** @type {Readonly<Record<DeliveryView['kind'], string>>} */
const KIND = { reply: '', answer: 'Answer', interrupt: 'Interrupt' };

/** @type {Readonly<Record<DeliveryView['actions'][number], string>>} */
const ACTIONS = {
  'send-again': 'Send again',
  discard: 'Discard',
  'use-as-answer': 'Use as the answer',
  continue: 'Continue',
};

const QUEUED = 'The agent reads it at its next step.';

/**
 * @param {string} label
 * @param {() => void} onPress
 * @param {string} [className]
 */
const button = (label, onPress, className = 'small') =>
  h(
    'button',
    {
      type: 'button',
      class: className,
      onclick: (event) => {
        if (event.currentTarget instanceof HTMLButtonElement) event.currentTarget.disabled = true;
        onPress();
      },
    },
    label,
  );

/**
 * @param {DeliveryView} delivery
 * @param {string} key
 * @param {Actions} actions
 */
const buttons = (delivery, key, actions) => {
  const { outcome } = delivery;
  const isOver =
    outcome.status === 'refused' || outcome.status === 'unknown' || outcome.status === 'confirmed';
  const isDiscarded = outcome.status === 'refused' && outcome.reason.why === 'discarded';
  return [
    ...delivery.actions.map((action, at) =>
      button(
        action === 'send-again' && outcome.status === 'held' ? 'Send' : ACTIONS[action],
        () => actions.act(action, delivery),
        at === 0 && action !== 'discard' ? 'small primary' : 'small',
      ),
    ),
    isOver &&
      !isDiscarded &&
      delivery.kind === 'reply' &&
      delivery.text !== '' &&
      button('Back into the composer', () => {
        actions.recompose(delivery.text);
        actions.dismiss(key);
      }),
    isOver && button('Dismiss', () => actions.dismiss(key), 'small quiet'),
  ];
};

/**
 * @param {Sent} sent
 * @param {Actions} actions
 */
const sentView = (sent, actions) => {
  const isFailed = sent.state === 'failed';
  return h(
    'article',
    { class: `receipt ${isFailed ? 'refused' : 'waiting'}`, 'aria-label': 'On its way' },
    sent.text !== '' && h('div', { class: 'bubble', dir: 'auto' }, sent.text),
    h(
      'p',
      { class: 'receipt-line' },
      h('span', { class: 'receipt-label' }, isFailed ? 'Not sent yet' : 'Sending…'),
    ),
    isFailed && h('p', { class: 'receipt-text' }, `${sent.problem ?? ''} It is kept here.`),
    isFailed &&
      h(
        'div',
        { class: 'row' },
        button('Try again', () => actions.retry(sent.key), 'small primary'),
        button('Discard', () => actions.forget(sent.key)),
      ),
  );
};

/**
 * One delivery with its receipt: where it stands, why, and what a person can do (D3).
 * @param {Receipt} receipt
 * @param {Actions} actions
 * @returns {HTMLElement}
 */
export const receiptView = (receipt, actions) => {
  if (receipt.type === 'sent') return sentView(receipt.sent, actions);
  const { delivery, key } = receipt;
  const { outcome, kind } = delivery;
  const text = delivery.explanation ?? (outcome.status === 'queued' ? QUEUED : undefined);
  const label = [KIND[kind], LABELS[outcome.status]].filter((part) => part !== '').join(': ');
  // The explanation of a refusal says it already.
  const showsLabel =
    text === undefined || (outcome.status !== 'refused' && outcome.status !== 'returned');
  return h(
    'article',
    { class: `receipt ${outcome.status}`, 'aria-label': `Your ${kind}: ${LABELS[outcome.status]}` },
    delivery.text !== '' && h('div', { class: 'bubble', dir: 'auto' }, delivery.text),
    h(
      'p',
      { class: 'receipt-line' },
      delivery.mark !== undefined &&
        h('span', { class: 'mark', 'aria-hidden': 'true' }, delivery.mark),
      showsLabel && h('span', { class: 'receipt-label' }, label),
      text !== undefined && h('span', { class: 'receipt-text' }, inlineMarkdown(text)),
    ),
    outcome.status === 'unknown' &&
      outcome.screen !== '' &&
      h(
        'details',
        { class: 'screen', open: true },
        h('summary', {}, 'The screen then'),
        codeNode(outcome.screen),
      ),
    h('div', { class: 'row' }, buttons(delivery, key, actions)),
  );
};
