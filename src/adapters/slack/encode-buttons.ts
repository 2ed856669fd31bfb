import type { ChatEventBody, OutboundMessage } from '../../bridge/model/chat.ts';
import { cutGraphemes } from '../../bridge/text/plain.ts';
import { LIMITS } from './limits.ts';

type Json = Readonly<Record<string, unknown>>;
type Dialog = Extract<OutboundMessage, { type: 'dialog' }>;
type Notice = Extract<OutboundMessage, { type: 'notice' }>;

/** Names of our own controls; a click is read by them, what it means stands in its `value`. */
export const CONTROLS = {
  act: 'act',
  ownWords: 'own-words',
  submit: 'submit',
  link: 'link',
  select: 'select',
  selectBlock: 'several',
} as const;

const plain = (text: string): Json => ({ type: 'plain_text', text, emoji: false });

const cut = (text: string, most: number): string => {
  const line = text.replace(/\s+/g, ' ').trim() || '…';
  return line.length <= most ? line : `${cutGraphemes(line, most - 1).trimEnd()}…`;
};

/** Numbered as the options in the text are, as soon as one label does not fit. */
export const labelsOf = (labels: readonly string[], most: number): readonly string[] => {
  const isTooLong = labels.some((label) => label.length > most);
  return labels.map((label, n) => cut(isTooLong ? `${n + 1}. ${label}` : label, most));
};

const button = (label: string, action: string, value: string, more: Json = {}): readonly Json[] =>
  value.length > LIMITS.buttonValue
    ? []
    : [{ type: 'button', action_id: action, text: plain(label), value, ...more }];

/** Without ids of their own: Slack wants a new one for each iteration of a message, and makes it. */
const actions = (elements: readonly Json[]): readonly Json[] => {
  const blocks: Json[] = [];
  for (let n = 0; n < elements.length; n += LIMITS.actionsPerBlock) {
    blocks.push({ type: 'actions', elements: elements.slice(n, n + LIMITS.actionsPerBlock) });
  }
  return blocks;
};

const valueFor = (body: ChatEventBody): string => JSON.stringify(body);

const styleOf = (type: string): Json =>
  type === 'approve' ? { style: 'primary' } : type === 'deny' ? { style: 'danger' } : {};

const severalBlocks = (message: Dialog, labels: readonly string[]): readonly Json[] => {
  if (labels.length === 0 || labels.length > LIMITS.selectOptions) return [];
  const options = labelsOf(labels, LIMITS.optionText).map((label, n) => ({
    text: plain(label),
    value: String(n),
  }));
  return [
    {
      type: 'section',
      block_id: CONTROLS.selectBlock,
      text: { type: 'plain_text', text: 'Choose one or several, then Submit.' },
      accessory: {
        type: 'multi_static_select',
        action_id: CONTROLS.select,
        placeholder: plain('Choose'),
        options,
      },
    },
    ...actions(
      button('Submit', CONTROLS.submit, JSON.stringify({ dialog: message.dialog }), {
        style: 'primary',
      }),
    ),
  ];
};

/** Most buttons of one message; more options than this are answered elsewhere. */
const mostButtons = 100;

/** The blocks under a dialog's text: a button for each answer, a multi-select, own words, the link. */
export const dialogBlocks = (message: Dialog): readonly Json[] => {
  if (!message.isOpen) return [];
  const labels = labelsOf(
    message.buttons.map((b) => b.label),
    LIMITS.buttonText,
  );
  const answers = message.buttons.slice(0, mostButtons).flatMap(({ answer }, n) => {
    const body: ChatEventBody = { type: 'answer', dialog: message.dialog, answer };
    const label = labels[n] ?? '…';
    return button(label, `${CONTROLS.act}:${n}`, valueFor(body), styleOf(answer.type));
  });
  const own =
    message.takesOwnWords === true
      ? button(
          cut(`✏️ ${message.ownWordsLabel ?? 'Own words'}`, LIMITS.buttonText),
          CONTROLS.ownWords,
          JSON.stringify({ dialog: message.dialog }),
        )
      : [];
  const link =
    message.link !== undefined && message.link.length <= LIMITS.buttonUrl
      ? button('🔗 Open', CONTROLS.link, 'link', { url: message.link })
      : [];
  return [
    ...actions(answers),
    ...severalBlocks(message, message.multiSelect ?? []),
    ...actions([...own, ...link]),
  ];
};

export const noticeBlocks = (message: Notice): readonly Json[] =>
  actions(
    message.buttons.flatMap(({ label, action }, n) =>
      button(cut(label, LIMITS.buttonText), `${CONTROLS.act}:${n}`, valueFor(action)),
    ),
  );
