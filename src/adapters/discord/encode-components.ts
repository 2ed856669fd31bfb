import type { DialogButton, NoticeButton, OutboundMessage } from '../../bridge/model/chat.ts';
import { oneLine } from '../../bridge/text/plain.ts';
import { customIdOf } from './encode-custom-id.ts';
import { limits } from './limits.ts';

/** As the wire wants it; 1 row, 2 button, 3 select. */
export interface Component {
  readonly type: 2 | 3;
  readonly style?: 1 | 2 | 3 | 4 | 5;
  readonly label?: string;
  readonly custom_id?: string;
  readonly url?: string;
  readonly placeholder?: string;
  readonly min_values?: number;
  readonly max_values?: number;
  readonly options?: readonly { readonly label: string; readonly value: string }[];
}
export interface Row {
  readonly type: 1;
  readonly components: readonly Component[];
}

type Dialog = Extract<OutboundMessage, { type: 'dialog' }>;

const styles = { primary: 1, secondary: 2, success: 3, danger: 4, link: 5 } as const;

/** What is too long for a button is read in the text above, where it has the same number. */
const labelOf = (label: string, n: number): string => {
  const line = label.replace(/\s+/g, ' ').trim();
  return line === '' || line.length > limits.buttonLabel ? `${n + 1}` : line;
};

const button = (label: string, customId: string | undefined, style: Component['style']) =>
  customId === undefined
    ? []
    : [{ type: 2, style: style ?? styles.secondary, label, custom_id: customId } as const];

const dialogButton = (dialog: Dialog, { label, answer }: DialogButton, n: number) => {
  const style =
    answer.type === 'approve'
      ? styles.success
      : answer.type === 'deny'
        ? styles.danger
        : styles.primary;
  const body = { type: 'answer', dialog: dialog.dialog, answer } as const;
  return button(labelOf(label, n), customIdOf({ type: 'act', body }), style);
};

/** Two components of one message never share an id: the first one stays. */
const distinct = (components: readonly Component[]): readonly Component[] => {
  const seen = new Set<string>();
  return components.filter(({ custom_id: customId }) => {
    if (customId === undefined) return true;
    const isNew = !seen.has(customId);
    seen.add(customId);
    return isNew;
  });
};

const rowsOf = (buttons: readonly Component[], most: number): readonly Row[] => {
  const rows: Row[] = [];
  for (let n = 0; n < buttons.length && rows.length < most; n += limits.buttonsInRow)
    rows.push({ type: 1, components: buttons.slice(n, n + limits.buttonsInRow) });
  return rows;
};

const selectOf = (dialog: Dialog): readonly Component[] => {
  const labels = dialog.multiSelect ?? [];
  const customId = customIdOf({ type: 'select', dialog: dialog.dialog });
  if (labels.length === 0 || labels.length > limits.options || customId === undefined) return [];
  return [
    {
      type: 3,
      custom_id: customId,
      placeholder: 'Choose, then Submit',
      min_values: 0,
      max_values: labels.length,
      options: labels.map((label, n) => ({
        label: oneLine(`${n + 1}. ${label}`, limits.optionLabel),
        value: String(n),
      })),
    },
  ];
};

/** What can be pressed under a dialog; nothing once it is settled (Q1, Q2, Q5). */
export const dialogRows = (dialog: Dialog): readonly Row[] => {
  if (!dialog.isOpen) return [];
  const select = selectOf(dialog);
  const { dialog: name } = dialog;
  const submit =
    select.length === 0
      ? []
      : button('Submit', customIdOf({ type: 'submit', dialog: name }), styles.primary);
  const words =
    dialog.takesOwnWords === true
      ? button(
          `✍ ${dialog.ownWordsLabel ?? 'Own words'}`,
          customIdOf({ type: 'ask-words', dialog: name }),
          styles.secondary,
        )
      : [];
  const link =
    dialog.link !== undefined &&
    /^https?:\/\//.test(dialog.link) &&
    dialog.link.length <= limits.linkUrl
      ? [{ type: 2, style: styles.link, label: 'Open', url: dialog.link } as const]
      : [];
  const extras = [...submit, ...words, ...link];
  const room = (limits.rows - select.length) * limits.buttonsInRow - extras.length;
  const choices = distinct(dialog.buttons.flatMap((b, n) => dialogButton(dialog, b, n)));
  const buttons = [...choices.slice(0, room), ...extras];
  return [
    ...select.map((component): Row => ({ type: 1, components: [component] })),
    ...rowsOf(buttons, limits.rows - select.length),
  ];
};

const noticeStyle = (type: NoticeButton['action']['type']) => {
  if (type === 'interrupt') return styles.danger;
  return type === 'discard' ? styles.secondary : styles.primary;
};

export const noticeRows = (buttons: readonly NoticeButton[]): readonly Row[] =>
  rowsOf(
    distinct(
      buttons.flatMap(({ label, action }, n) =>
        button(
          labelOf(label, n),
          customIdOf({ type: 'act', body: action }),
          noticeStyle(action.type),
        ),
      ),
    ),
    limits.rows,
  );

/** @param customId names the post: see `headIdOf`. */
export const headRows = (customId: string): readonly Row[] => [
  { type: 1, components: button('🛑 Interrupt', customId, styles.secondary) },
];
