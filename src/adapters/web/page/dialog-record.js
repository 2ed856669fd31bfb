import { h } from './dom.js';
import { codeNode, markdown } from './markdown-view.js';

/**
 * @typedef {import('../../../bridge/model/conversation.ts').DialogItem} DialogItem
 * @typedef {import('../../../bridge/model/conversation.ts').DialogContent} DialogContent
 * @typedef {import('../../../bridge/model/conversation.ts').DialogOption} DialogOption
 */

/** @type {Readonly<Record<DialogItem['status'], string>>} */
const STATUS = {
  open: 'Waiting for an answer',
  answered: 'Answered',
  declined: 'Declined',
  'timed-out': 'Timed out',
  superseded: 'No longer asked',
  'run-ended': 'The run ended before an answer',
};

/** @param {DialogContent} content */
export const dialogTitle = (content) => {
  switch (content.type) {
    case 'question':
      return content.questions.length === 1 ? 'Question' : `${content.questions.length} questions`;
    case 'plan':
      return 'Plan';
    case 'approval':
      return 'Approval';
    case 'unknown':
      return content.tool;
  }
};

/**
 * @param {DialogOption} option
 * @param {boolean} isChosen
 */
const optionLine = (option, isChosen) =>
  h(
    'li',
    { class: isChosen ? 'chosen' : undefined, dir: 'auto' },
    h(
      'span',
      { class: 'option-label' },
      isChosen && h('span', { role: 'img', 'aria-label': 'chosen' }, '✓ '),
      option.label,
    ),
    option.description !== undefined && h('span', { class: 'option-text' }, option.description),
    option.preview !== undefined && codeNode(option.preview),
  );

/**
 * The whole content of a dialog, without any way to answer.
 * @param {DialogContent} content
 * @param {Readonly<Record<string, string>>} answers
 * @returns {HTMLElement[]}
 */
export const dialogContent = (content, answers = {}) => {
  switch (content.type) {
    case 'question':
      return content.questions.map((asked) => {
        const given = answers[asked.question];
        const labels = asked.options.map((option) => option.label);
        const isOwn = given !== undefined && !labels.some((label) => isIn(label, given));
        return h(
          'div',
          { class: 'question' },
          asked.header !== '' && h('p', { class: 'question-header' }, asked.header),
          h('p', { class: 'question-text', dir: 'auto' }, asked.question),
          h(
            'ul',
            { class: 'options' },
            asked.options.map((option) =>
              optionLine(option, given !== undefined && isIn(option.label, given)),
            ),
          ),
          isOwn && h('p', { class: 'own-words', dir: 'auto' }, `“${given}”`),
        );
      });
    case 'plan':
      return [markdown(content.plan)];
    case 'approval':
      return [
        h(
          'p',
          { class: 'question-text' },
          h('strong', {}, content.tool),
          ' ',
          h('code', { dir: 'auto' }, content.summary),
        ),
        h(
          'details',
          { open: true },
          h('summary', {}, 'Everything it would do'),
          codeNode(content.input),
        ),
      ];
    case 'unknown':
      return [codeNode(content.input)];
  }
};

/**
 * Several labels come joined by commas.
 * @param {string} label
 * @param {string} given
 */
const isIn = (label, given) => given === label || given.split(', ').includes(label);

/**
 * A dialog as it stands in the thread.
 * @param {DialogItem} item
 */
export const dialogRecord = (item) => {
  const isOpen = item.status === 'open';
  const body = dialogContent(item.content, item.answers);
  const isLong = item.content.type === 'plan' && !isOpen;
  return h(
    'section',
    { class: `block dialog-record ${item.status}`, 'aria-label': dialogTitle(item.content) },
    h(
      'p',
      { class: 'dialog-head' },
      h('strong', {}, dialogTitle(item.content)),
      h('span', { class: 'dialog-status' }, STATUS[item.status]),
    ),
    isLong ? h('details', {}, h('summary', {}, 'Show the plan'), body) : body,
    item.note !== undefined &&
      item.note !== '' &&
      h('p', { class: 'own-words', dir: 'auto' }, `“${item.note}”`),
  );
};
