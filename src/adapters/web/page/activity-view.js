import { h } from './dom.js';
import { codeNode, markdown } from './markdown-view.js';
import { firstWords } from './words.js';

/**
 * @typedef {import('../../../bridge/model/conversation.ts').Item} Item
 * @typedef {import('../../../bridge/model/conversation.ts').ToolItem} ToolItem
 * @typedef {{ childrenOf: (id: string) => readonly Item[], open: Set<string> }} FoldContext
 */

const SHOWN = 20_000;

/** @type {Readonly<Record<ToolItem['status'], { mark: string, label: string }>>} */
const STATUS = {
  running: { mark: '●', label: 'running' },
  done: { mark: '✓', label: 'done' },
  failed: { mark: '✕', label: 'failed' },
  denied: { mark: '⊘', label: 'denied' },
  interrupted: { mark: '■', label: 'interrupted' },
};

/**
 * A fold that stays as a person left it, whatever is drawn anew around it.
 * @param {string} key
 * @param {FoldContext} ctx
 * @param {string} className
 * @param {HTMLElement} summary
 * @param {() => (Node | false | undefined)[]} body made when it is first opened
 */
const fold = (key, ctx, className, summary, body) => {
  const element = h('details', { class: className }, summary);
  const fill = () => {
    if (element.childElementCount > 1) return;
    for (const node of body()) if (node instanceof Node) element.append(node);
  };
  element.open = ctx.open.has(key);
  if (element.open) fill();
  element.addEventListener('toggle', () => {
    if (element.open) {
      ctx.open.add(key);
      fill();
    } else ctx.open.delete(key);
  });
  return element;
};

const ESCAPES = /\u001b\[[0-9;?]*[A-Za-z]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)/g;

/**
 * @param {string} text
 * @param {string} label
 */
const long = (text, label) => {
  const clean = text.replace(ESCAPES, '');
  const shown = codeNode(clean.slice(0, SHOWN));
  const more =
    clean.length > SHOWN &&
    h(
      'button',
      {
        type: 'button',
        class: 'small quiet',
        onclick: (event) => {
          shown.replaceWith(codeNode(clean));
          if (event.currentTarget instanceof HTMLElement) event.currentTarget.remove();
        },
      },
      `Show all ${Math.round(clean.length / 1000)} kB`,
    );
  return h('div', { class: 'part' }, h('p', { class: 'part-label' }, label), shown, more);
};

/** @param {string} diff unified */
const diffNode = (diff) =>
  h(
    'pre',
    { class: 'code diff', tabindex: 0, dir: 'ltr', 'aria-label': 'Changes' },
    diff.split('\n').map((line) => {
      const first = line.charAt(0);
      const isHead = /^(diff |index |--- |\+\+\+ )/.test(line);
      const kind = isHead
        ? 'meta'
        : line.startsWith('@@')
          ? 'hunk'
          : { '+': 'add', '-': 'del' }[first];
      return h('span', { class: `line ${kind ?? ''}` }, line === '' ? ' ' : line);
    }),
  );

/** @param {string} json */
const input = (json) => {
  try {
    const value = JSON.parse(json);
    if (value === null || typeof value !== 'object') return json;
    return Object.entries(value)
      .map(([name, part]) => {
        const text = typeof part === 'string' ? part : JSON.stringify(part, null, 2);
        return text.includes('\n') ? `${name}:\n${text}` : `${name}: ${text}`;
      })
      .join('\n');
  } catch {
    return json;
  }
};

/**
 * @param {Item} item
 * @param {FoldContext} ctx
 * @returns {HTMLElement}
 */
const step = (item, ctx) => {
  if (item.kind === 'text') {
    return h('div', { class: 'sub-text' }, markdown(item.text));
  }
  if (item.kind !== 'tool') {
    const text = item.kind === 'lifecycle' ? item.text : 'A question was asked.';
    return h('p', { class: 'sub-text muted' }, text);
  }
  const { mark, label } = STATUS[item.status];
  const children = ctx.childrenOf(item.id);
  const summary = h(
    'summary',
    {},
    h('span', { class: `status ${item.status}`, role: 'img', 'aria-label': label }, mark),
    h('span', { class: 'tool-name' }, item.name),
    h('span', { class: 'tool-what', dir: 'auto' }, item.summary),
    children.length > 0 &&
      h('span', { class: 'count' }, children.length === 1 ? '1 step' : `${children.length} steps`),
  );
  return fold(item.id, ctx, 'tool', summary, () => [
    item.diff === undefined ? long(input(item.input), 'Input') : diffNode(item.diff),
    item.output !== undefined && item.output !== '' && long(item.output, 'Result'),
    children.length > 0 &&
      h(
        'div',
        { class: 'children' },
        h('p', { class: 'part-label' }, 'Subagent'),
        children.map((child) => step(child, ctx)),
      ),
  ]);
};

/**
 * Consecutive tool calls: one line that says where it stands, all of them inside (P1).
 * @param {string} key
 * @param {readonly Item[]} items
 * @param {FoldContext} ctx
 */
export const activityView = (key, items, ctx) => {
  const tools = items.filter((item) => item.kind === 'tool');
  const running = tools.filter((tool) => tool.status === 'running');
  const failed = tools.filter(
    (tool) => tool.status === 'failed' || tool.status === 'denied',
  ).length;
  const last = running.at(-1) ?? tools.at(-1);
  const only = items.length === 1 ? items[0] : undefined;
  if (only !== undefined) {
    return h('div', { class: 'block activity single' }, step(only, ctx));
  }
  const count = `${items.length} steps`;
  const summary = h(
    'summary',
    {},
    h(
      'span',
      {
        class: `status ${running.length > 0 ? 'running' : 'done'}`,
        role: 'img',
        'aria-label': running.length > 0 ? 'running' : 'done',
      },
      running.length > 0 ? STATUS.running.mark : STATUS.done.mark,
    ),
    h('span', { class: 'tool-name' }, count),
    failed > 0 && h('span', { class: 'failed-count' }, `${failed} failed`),
    last !== undefined &&
      h(
        'span',
        { class: 'tool-what', dir: 'auto' },
        `${last.name} ${firstWords(last.summary, 90)}`,
      ),
  );
  return h(
    'div',
    { class: 'block activity' },
    fold(key, ctx, 'steps', summary, () => items.map((item) => step(item, ctx))),
  );
};
