import type { DialogButton, OutboundMessage } from '../model/chat.ts';
import type { DialogContent, DialogQuestion, DialogStatus } from '../model/conversation.ts';
import { isSingleQuestion } from '../model/conversation.ts';
import type { ActorId, DialogId } from '../model/ids.ts';
import type { PendingDialog } from '../model/run-state.ts';
import { fenced, inlineCode } from '../text/plain.ts';

type DialogMessage = Extract<OutboundMessage, { type: 'dialog' }>;

export interface DialogSeen {
  readonly dialog: DialogId;
  readonly content: DialogContent;
  /** The bridge can answer it now; otherwise only the link is offered. */
  readonly isAnswerable: boolean;
  /** The run's hook waits: every kind can be answered (Q3). */
  readonly hook?: PendingDialog['hook'];
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

const approve: DialogButton = { label: 'Approve', answer: { type: 'approve' } };

const buttonsOf = (
  content: DialogContent,
  hook: PendingDialog['hook'],
): readonly DialogButton[] => {
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
      return [
        approve,
        {
          label: 'Approve, and accept edits',
          answer: { type: 'approve', mode: 'acceptEdits' },
        },
        { label: 'Reject', answer: { type: 'deny' } },
      ];
    case 'approval':
      return [
        { label: 'Allow once', answer: { type: 'approve' } },
        ...(hook?.standing ?? []).map(
          ({ index }, n): DialogButton => ({
            label: `Allow + ${n + 1}`,
            answer: { type: 'approve', standing: index },
          }),
        ),
        { label: 'Deny', answer: { type: 'deny' } },
      ];
    case 'unknown':
      return [];
  }
};

/** What a person writes where a choice is not enough: the label, and how it is read. */
const ownWordsOf = (
  content: DialogContent,
): { readonly label?: string; readonly hint: string } | undefined => {
  switch (content.type) {
    case 'question':
      return content.questions.length === 1
        ? { hint: '' }
        : {
            label: 'Answer all',
            hint: `Answer with ${content.questions.length} lines, one for each question: the number of the choice (several with commas), or your own words.`,
          };
    case 'plan':
      return { label: 'Say what to change', hint: '' };
    case 'approval':
      return { label: 'Deny, and say why', hint: '' };
    case 'unknown':
      return undefined;
  }
};

const hintsOf = (content: DialogContent, hook: PendingDialog['hook']): string => {
  if (hook === undefined) return '';
  const standing =
    content.type === 'approval'
      ? hook.standing.map(({ words }, n) => `+ ${n + 1}: allow, and ${words}`)
      : [];
  const hint = ownWordsOf(content)?.hint ?? '';
  return [...standing, ...(hint === '' ? [] : [`_${hint}_`])].map((line) => `\n${line}`).join('');
};

/** A dialog that waits (Q1, Q2, Q3). */
export const presentOpenDialog = (seen: DialogSeen): DialogMessage => {
  const { content, isAnswerable, link, hook } = seen;
  const buttons = isAnswerable ? buttonsOf(content, hook) : [];
  const single = isAnswerable && isSingleQuestion(content) && content.type === 'question';
  const own = hook === undefined ? undefined : ownWordsOf(content);
  const several = single && content.questions[0]?.multiSelect === true;
  const isAddress = link !== undefined && /^https?:\/\//.test(link);
  const command = link === undefined || isAddress ? '' : `\n\nOn the host: ${inlineCode(link)}`;
  return {
    type: 'dialog',
    dialog: seen.dialog,
    markdown: contentText(content) + hintsOf(content, hook) + command,
    buttons,
    ...(several && { multiSelect: content.questions[0]?.options.map((o) => o.label) ?? [] }),
    ...((single || own !== undefined) && { takesOwnWords: true }),
    ...(own?.label !== undefined && { ownWordsLabel: own.label }),
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
