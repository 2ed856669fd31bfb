import { activityView } from './activity-view.js';
import { dialogRecord } from './dialog-record.js';
import { h } from './dom.js';
import { codeNode, markdown } from './markdown-view.js';
import { age } from './words.js';

/**
 * @typedef {import('./merge.js').Block} Block
 * @typedef {import('./activity-view.js').FoldContext} FoldContext
 * @typedef {Extract<Block, { kind: 'text' }>['item']} TextItem
 * @typedef {Extract<Block, { kind: 'lifecycle' }>['item']} LifecycleItem
 */

/** @type {Readonly<Record<string, string>>} */
const LIFECYCLE = {
  cleared: 'Conversation cleared',
  compacted: 'Conversation compacted',
  resumed: 'Resumed',
  interrupted: 'Interrupted',
  rewound: 'Rewound',
  'api-error': 'API error',
  'limit-reached': 'Limit reached',
  command: 'Command',
  shell: 'Shell',
  notice: 'Notice',
};

/** @type {Readonly<Record<string, string>>} */
const ORIGIN = { peer: 'Another session', task: 'A background task' };

/** @param {number} at */
const clock = (at) => {
  const date = new Date(at);
  return h(
    'time',
    { datetime: date.toISOString(), title: date.toLocaleString() },
    Date.now() - at > 18 * 3_600_000
      ? date.toLocaleDateString([], { day: 'numeric', month: 'short' })
      : date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' }),
  );
};

/** @type {Readonly<Record<string, string | undefined>>} */
const STATUS_NOTE = {
  unsent: 'taken back before the agent began',
  abandoned: 'left behind by a rewind',
  partial: 'cut off',
};

/**
 * @param {TextItem} item
 * @param {string | undefined} receipt who sent it through the bridge, once that is proved
 */
const textView = (item, receipt) => {
  const note = STATUS_NOTE[item.status];
  const noteNode = note !== undefined && h('span', { class: 'note' }, note);
  if (item.origin === 'thinking') {
    return h(
      'article',
      { class: 'block thinking', 'aria-label': 'Thinking' },
      h('p', { class: 'by' }, 'Thinking'),
      markdown(item.text),
    );
  }
  if (item.role === 'user') {
    return h(
      'article',
      { class: `block user ${item.status}`, 'aria-label': 'To the agent' },
      // Exactly as it was sent: `__init__` is not bold here.
      h('div', { class: 'bubble said-text', dir: 'auto' }, item.text),
      h(
        'p',
        { class: 'by' },
        receipt ?? ORIGIN[item.origin] ?? false,
        receipt || ORIGIN[item.origin] ? ' · ' : false,
        clock(item.at),
        noteNode,
      ),
    );
  }
  return h(
    'article',
    { class: `block agent ${item.status}`, 'aria-label': 'From the agent' },
    markdown(item.text),
    (item.endsTurn === true || note !== undefined) &&
      h('p', { class: 'by' }, clock(item.at), noteNode),
  );
};

/** @param {LifecycleItem} item */
const lifecycleView = (item) => {
  const isLoud = item.event === 'api-error' || item.event === 'limit-reached';
  const isSaid = item.event === 'command' || item.event === 'shell';
  if (isSaid) {
    return h(
      'div',
      { class: 'block said' },
      h('p', {}, h('code', { dir: 'auto' }, item.text)),
      item.detail !== undefined && item.detail !== '' && codeNode(item.detail),
    );
  }
  return h(
    'div',
    { class: `block separator${isLoud ? ' loud' : ''}` },
    h(
      'p',
      {},
      h('strong', {}, LIFECYCLE[item.event] ?? item.event),
      item.text === '' ? false : ` · ${item.text}`,
      ` · ${age(item.at, Date.now())}`,
    ),
    item.detail !== undefined &&
      item.detail !== '' &&
      h('details', {}, h('summary', {}, 'More'), markdown(item.detail)),
  );
};

/**
 * @param {Block} block
 * @param {FoldContext & { receiptOf: (item: TextItem) => string | undefined }} ctx
 * @returns {HTMLElement}
 */
export const blockView = (block, ctx) => {
  switch (block.kind) {
    case 'text':
      return textView(block.item, ctx.receiptOf(block.item));
    case 'dialog':
      return dialogRecord(block.item);
    case 'lifecycle':
      return lifecycleView(block.item);
    case 'activity':
      return activityView(block.key, block.items, ctx);
  }
};

/**
 * What a drawn block depends on; the same mark is the same picture.
 * @param {Block} block
 * @param {FoldContext & { receiptOf: (item: TextItem) => string | undefined }} ctx
 */
export const blockMark = (block, ctx) => {
  switch (block.kind) {
    case 'text':
      return `${block.item.digest} ${ctx.receiptOf(block.item) ?? ''}`;
    case 'activity':
      return JSON.stringify(block.items.map((item) => deepDigest(item, ctx)));
    default:
      return block.item.digest;
  }
};

/**
 * @param {import('../../../bridge/model/conversation.ts').Item} item
 * @param {FoldContext} ctx
 * @returns {unknown}
 */
const deepDigest = (item, ctx) => [
  item.digest,
  ctx.childrenOf(item.id).map((child) => deepDigest(child, ctx)),
];
