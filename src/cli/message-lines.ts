import type { OutboundMessage } from '../bridge/model/chat.ts';

const labelled = (label: string, text: string): readonly string[] => [
  `── ${label}`,
  ...text.split('\n'),
];

const buttonLine = (buttons: readonly { readonly label: string }[]): readonly string[] =>
  buttons.length === 0 ? [] : [buttons.map(({ label }) => `[${label}]`).join(' ')];

/** A message as lines of a terminal, under a line that says what it is. */
export const messageLines = (message: OutboundMessage): readonly string[] => {
  switch (message.type) {
    case 'head':
      return labelled('head', [message.title, ...message.lines].join('\n'));
    case 'text':
      return labelled(
        message.by === undefined ? message.author : `${message.author} (${message.by})`,
        message.markdown,
      );
    case 'activity':
      return labelled(
        'activity',
        [...message.lines, ...(message.details === undefined ? [] : [message.details])].join('\n'),
      );
    case 'dialog':
      return [
        ...labelled(message.isOpen ? 'dialog' : 'dialog (settled)', message.markdown),
        ...buttonLine(message.buttons),
      ];
    case 'lifecycle':
      return labelled('lifecycle', message.markdown);
    case 'notice':
      return [...labelled('notice', message.markdown), ...buttonLine(message.buttons)];
    case 'file':
      return labelled(`file ${message.name}`, message.summary);
  }
};
