import type { DialogButton, OutboundMessage } from '../model/chat.ts';
import type { DialogContent, DialogQuestion, DialogStatus } from '../model/conversation.ts';
import { isSingleQuestion } from '../model/conversation.ts';
import type { ActorId, DialogId } from '../model/ids.ts';
import { fenced, inlineCode } from '../text/plain.ts';

type DialogMessage = Extract<OutboundMessage, { type: 'dialog' }>;

export interface DialogSeen {
  readonly dialog: DialogId;
  readonly content: DialogContent;
  /** The bridge can answer it now; otherwise only the link is offered. */
  readonly isAnswerable: boolean;
  /** Where a person answers it otherwise: an address, or a command to type on the host (Q2). */
  readonly link: string | undefined;
  readonly mentions: readonly ActorId[];
}

export interface DialogEnd {
  readonly status: Exclude<DialogStatus, 'open'> | 'closed';
  /** ms since the epoch. */
  readonly at: number;
  readonly by?: string | undefined;
  readonly answers?: Readonly<Record<string, string>> | undefined;
  readonly note?: string | undefined;
}

const questionText = (q: DialogQuestion, n: number, of: number): string => {
  const number = of === 1 ? '' : `${n + 1}. `;
  const options = q.options.map((option, index) => {
    const described = option.description === undefined ? '' : ` – ${option.description}`;
    const preview = option.preview === undefined ? '' : `\n${fenced(option.preview)}`;
    return `${index + 1}. **${option.label}**${described}${preview}`;
  });
  const several = q.multiSelect ? '\n_(several may be chosen)_' : '';
  return `❓ ${number}**${q.header}**: ${q.question}${several}\n${options.join('\n')}`;
};

const contentText = (content: DialogContent): string => {
  switch (content.type) {
    case 'question':
      return content.questions
        .map((q, n) => questionText(q, n, content.questions.length))
        .join('\n\n');
    case 'plan':
      return `📋 **Plan to approve**\n\n${content.plan}`;
    case 'approval':
      return `🔐 **Allow ${content.tool}?** ${inlineCode(content.summary)}\n${fenced(content.input)}`;
    case 'unknown':
      return `❓ **${content.tool}** asks something that is not known here:\n${fenced(content.input)}`;
  }
};

const buttonsOf = (content: DialogContent): readonly DialogButton[] => {
  switch (content.type) {
    case 'question': {
      const [only] = content.questions;
      if (!isSingleQuestion(content) || only === undefined || only.multiSelect) return [];
      return only.options.map((option, n) => ({
        label: option.label,
        answer: { type: 'choose', choices: [[n]] },
      }));
    }
    case 'plan':
    case 'approval':
      return [
        { label: 'Approve', answer: { type: 'approve' } },
        { label: 'Deny', answer: { type: 'deny' } },
      ];
    case 'unknown':
      return [];
  }
};

/** A dialog that waits (Q1, Q2). */
export const presentOpenDialog = (seen: DialogSeen): DialogMessage => {
  const { content, isAnswerable, link } = seen;
  const buttons = isAnswerable ? buttonsOf(content) : [];
  const single = isAnswerable && isSingleQuestion(content) && content.type === 'question';
  const several = single && content.questions[0]?.multiSelect === true;
  const isAddress = link !== undefined && /^https?:\/\//.test(link);
  const command = link === undefined || isAddress ? '' : `\n\nOn the host: ${inlineCode(link)}`;
  return {
    type: 'dialog',
    dialog: seen.dialog,
    markdown: contentText(content) + command,
    buttons,
    ...(several && { multiSelect: content.questions[0]?.options.map((o) => o.label) ?? [] }),
    ...(single && { takesOwnWords: true }),
    ...(isAddress && { link }),
    isOpen: true,
    ...(seen.mentions.length > 0 && { mentions: seen.mentions }),
  };
};

const timeOf = (at: number): string => `${new Date(at).toISOString().slice(11, 16)} UTC`;

const endText = (end: DialogEnd): string => {
  const by = end.by === undefined ? '' : ` by ${end.by}`;
  const when = ` · ${timeOf(end.at)}`;
  switch (end.status) {
    case 'answered': {
      const answers = Object.values(end.answers ?? {}).map((answer) => `**${answer}**`);
      const what = answers.length > 0 ? `: ${answers.join('; ')}` : '';
      return `✅ Answered${by}${what}${when}`;
    }
    case 'declined':
      return `⛔ Declined${by}${end.note === undefined ? '' : `: ${end.note}`}${when}`;
    case 'timed-out':
      return `⌛ Nobody answered in time${when}`;
    case 'superseded':
      return `↪ No longer asked${when}`;
    case 'run-ended':
      return `⏹ The run ended before it was answered${when}`;
    case 'closed':
      return end.by === undefined
        ? `☑️ No longer open: answered at the terminal, or withdrawn${when}`
        : `✅ Answered${by}${when}`;
  }
};

/** The same message when it is settled: who, what, when; buttons go (Q5). */
export const presentSettledDialog = (open: DialogMessage, end: DialogEnd): DialogMessage => ({
  type: 'dialog',
  dialog: open.dialog,
  markdown: `${open.markdown}\n\n${endText(end)}`,
  buttons: [],
  isOpen: false,
});
