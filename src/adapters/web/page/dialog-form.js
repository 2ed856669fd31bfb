import { dialogContent, dialogTitle } from './dialog-record.js';
import { commandLine, h } from './dom.js';
import { codeNode } from './markdown-view.js';

/**
 * @typedef {import('../../../bridge/model/run-state.ts').PendingDialog} PendingDialog
 * @typedef {import('../../../bridge/model/delivery.ts').DialogAnswer} DialogAnswer
 * @typedef {import('../../../bridge/model/conversation.ts').DialogQuestion} DialogQuestion
 * @typedef {import('./api.js').RunView} RunView
 * @typedef {(answer: DialogAnswer, words: string) => void} Give
 */

/**
 * An entry for own words with its button.
 * @param {{ id: string, label: string, button: string, isEmptyAllowed: boolean, onGive: (text: string) => void }} of
 */
const wordsEntry = ({ id, label, button, isEmptyAllowed, onGive }) => {
  const area = h('textarea', { id, rows: 2, dir: 'auto' });
  return h(
    'form',
    {
      class: 'own-words-form',
      onsubmit: (event) => {
        event.preventDefault();
        const text = area.value.trim();
        if (text === '' && !isEmptyAllowed) area.focus();
        else onGive(text);
      },
    },
    h('label', { for: id }, label),
    area,
    h('button', { type: 'submit' }, button),
  );
};

/**
 * One question, one choice: a tap answers.
 * @param {DialogQuestion} asked
 * @param {Give} give
 */
const oneTap = (asked, give) =>
  h(
    'div',
    { class: 'choices' },
    asked.options.map((option, index) =>
      h(
        'button',
        {
          type: 'button',
          class: 'choice',
          onclick: () => give({ type: 'choose', choices: [[index]] }, option.label),
        },
        h('span', { class: 'option-label', dir: 'auto' }, option.label),
        option.description !== undefined &&
          h('span', { class: 'option-text', dir: 'auto' }, option.description),
      ),
    ),
  );

/**
 * Questions whose answer needs a Submit: several choices, several questions, previews.
 * @param {readonly DialogQuestion[]} questions
 * @param {string} dialog
 * @param {Give} give
 */
const choiceForm = (questions, dialog, give) => {
  const problem = h('p', { class: 'problem', role: 'alert' });
  return h(
    'form',
    {
      class: 'choices',
      onsubmit: (event) => {
        event.preventDefault();
        const form = event.currentTarget;
        if (!(form instanceof HTMLFormElement)) return;
        const data = new FormData(form);
        const choices = questions.map((_, at) => data.getAll(`q${at}`).map(Number));
        const own = questions.map((_, at) => String(data.get(`w${at}`) ?? '').trim() || null);
        const missing = choices.findIndex((chosen, at) => chosen.length === 0 && own[at] === null);
        if (missing >= 0) {
          problem.textContent =
            questions.length === 1
              ? 'Choose at least one.'
              : `Question ${missing + 1} has no answer yet.`;
          return;
        }
        const words = questions
          .map(
            (asked, at) =>
              own[at] ??
              (choices[at] ?? []).map((index) => asked.options[index]?.label ?? '').join(', '),
          )
          .join(' · ');
        const isOwn = own.some((text) => text !== null);
        give({ type: 'choose', choices, ...(isOwn && { words: own }) }, words);
      },
    },
    questions.map((asked, at) =>
      h(
        'fieldset',
        {},
        h(
          'legend',
          { dir: 'auto' },
          questions.length > 1 &&
            asked.header !== '' &&
            h('span', { class: 'question-header' }, asked.header),
          asked.question,
        ),
        asked.multiSelect && h('p', { class: 'muted' }, 'Several may be chosen.'),
        asked.options.map((option, index) => {
          const id = `${dialog}-${at}-${index}`;
          return h(
            'div',
            { class: 'choice-row' },
            h('input', {
              type: asked.multiSelect ? 'checkbox' : 'radio',
              name: `q${at}`,
              value: index,
              id,
            }),
            h(
              'label',
              { for: id },
              h('span', { class: 'option-label', dir: 'auto' }, option.label),
              option.description !== undefined &&
                h('span', { class: 'option-text', dir: 'auto' }, option.description),
            ),
            option.preview !== undefined && codeNode(option.preview),
          );
        }),
        questions.length > 1 &&
          h(
            'div',
            {},
            h('label', { for: `${dialog}-${at}-own` }, 'Or in your own words'),
            h('input', { type: 'text', name: `w${at}`, id: `${dialog}-${at}-own`, dir: 'auto' }),
          ),
      ),
    ),
    problem,
    h('button', { type: 'submit', class: 'primary' }, 'Submit'),
  );
};

/**
 * @param {PendingDialog} pending
 * @param {Give} give
 * @returns {(HTMLElement | false)[]}
 */
const answerable = (pending, give) => {
  const { content, id } = pending;
  switch (content.type) {
    case 'question': {
      const [asked] = content.questions;
      if (content.questions.length !== 1 || asked === undefined)
        return [choiceForm(content.questions, id, give)];
      const isOneTap =
        !asked.multiSelect && asked.options.every((option) => option.preview === undefined);
      const own = wordsEntry({
        id: `${id}-own`,
        label: 'Or in your own words',
        button: 'Answer with this',
        isEmptyAllowed: false,
        onGive: (text) => give({ type: 'own-words', text }, text),
      });
      const head = h('p', { class: 'question-text', dir: 'auto' }, asked.question);
      return isOneTap ? [head, oneTap(asked, give), own] : [choiceForm([asked], id, give), own];
    }
    case 'plan':
    case 'approval': {
      const isPlan = content.type === 'plan';
      return [
        ...dialogContent(content),
        h(
          'div',
          { class: 'row' },
          h(
            'button',
            {
              type: 'button',
              class: 'primary',
              onclick: () => give({ type: 'approve' }, isPlan ? 'Approved' : 'Allowed'),
            },
            isPlan ? 'Approve the plan' : 'Allow once',
          ),
          isPlan &&
            h(
              'button',
              {
                type: 'button',
                onclick: () =>
                  give({ type: 'approve', mode: 'acceptEdits' }, 'Approved, edits accepted'),
              },
              'Approve, and accept edits',
            ),
          !isPlan &&
            (pending.hook?.standing ?? []).map(({ index, words }) =>
              h(
                'button',
                {
                  type: 'button',
                  onclick: () =>
                    give({ type: 'approve', standing: index }, `Allowed, and ${words}`),
                },
                `Allow, and ${words}`,
              ),
            ),
        ),
        wordsEntry({
          id: `${id}-deny`,
          label: isPlan ? 'Or say what to change' : 'Or deny it, with a word on why (optional)',
          button: isPlan ? 'Ask for changes' : 'Deny',
          isEmptyAllowed: !isPlan,
          onGive: (text) =>
            give(
              text === '' ? { type: 'deny' } : { type: 'deny', feedback: text },
              text || 'Denied',
            ),
        }),
      ];
    }
    case 'unknown':
      return dialogContent(content);
  }
};

/**
 * Where a person can answer what cannot be answered here (Q2).
 * @param {RunView} run
 */
export const elsewhere = (run) =>
  h(
    'div',
    { class: 'elsewhere' },
    run.deepLink !== undefined &&
      h(
        'a',
        {
          class: 'button primary',
          href: run.deepLink,
          target: '_blank',
          rel: 'noopener noreferrer',
        },
        'Answer in Claude',
      ),
    run.attachCommand !== undefined &&
      h(
        'p',
        {},
        run.deepLink === undefined ? 'Answer it at the terminal: ' : 'Or at the terminal: ',
        commandLine(run.attachCommand),
      ),
    run.deepLink === undefined &&
      run.attachCommand === undefined &&
      h('p', {}, 'Answer it at the terminal of this run.'),
  );

/**
 * The open dialog of a run, with what fits: buttons, a form, or where else to answer.
 * @param {RunView} run
 * @param {PendingDialog} pending
 * @param {Give} give
 */
export const dialogForm = (run, pending, give) => {
  const { content } = pending;
  const header =
    content.type === 'question' && content.questions.length === 1
      ? content.questions[0]?.header
      : '';
  const canAnswer = pending.isAnswerable && content.type !== 'unknown';
  return h(
    'section',
    { class: 'pending', 'aria-label': `${dialogTitle(content)}: the agent waits` },
    h(
      'h2',
      {},
      dialogTitle(content),
      header ? h('span', { class: 'question-header' }, header) : false,
    ),
    canAnswer ? answerable(pending, give) : [...dialogContent(content), elsewhere(run)],
  );
};
