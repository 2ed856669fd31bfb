import type { OutboundMessage } from '../model/chat.ts';
import type { Redact } from '../text/redact.ts';

const labels = <T extends { readonly label: string }>(
  buttons: readonly T[],
  redact: Redact,
): readonly T[] => buttons.map((button) => ({ ...button, label: redact(button.label) }));

/** Masks everything of a message that people read (P7); before it is split. */
export const redactMessage = (message: OutboundMessage, redact: Redact): OutboundMessage => {
  switch (message.type) {
    case 'head':
      return { ...message, title: redact(message.title), lines: message.lines.map(redact) };
    case 'text':
      return {
        ...message,
        markdown: redact(message.markdown),
        ...(message.by !== undefined && { by: redact(message.by) }),
      };
    case 'activity':
      return {
        ...message,
        lines: message.lines.map(redact),
        ...(message.details !== undefined && { details: redact(message.details) }),
      };
    case 'dialog':
      return {
        ...message,
        markdown: redact(message.markdown),
        buttons: labels(message.buttons, redact),
        ...(message.multiSelect !== undefined && { multiSelect: message.multiSelect.map(redact) }),
      };
    case 'lifecycle':
      return { ...message, markdown: redact(message.markdown) };
    case 'notice':
      return {
        ...message,
        markdown: redact(message.markdown),
        buttons: labels(message.buttons, redact),
      };
    case 'file':
      return {
        ...message,
        name: redact(message.name),
        summary: redact(message.summary),
        content: redact(message.content),
      };
  }
};
