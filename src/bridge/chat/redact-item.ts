import type { DialogContent, Item } from '../model/conversation.ts';
import type { RunSummary } from '../model/run-state.ts';
import type { Redact } from '../text/redact.ts';

const redactContent = (content: DialogContent, redact: Redact): DialogContent => {
  switch (content.type) {
    case 'question':
      return {
        ...content,
        questions: content.questions.map((q) => ({
          ...q,
          question: redact(q.question),
          header: redact(q.header),
          options: q.options.map((option) => ({
            label: redact(option.label),
            ...(option.description !== undefined && { description: redact(option.description) }),
            ...(option.preview !== undefined && { preview: redact(option.preview) }),
          })),
        })),
      };
    case 'plan':
      return { ...content, plan: redact(content.plan) };
    case 'approval':
      return { ...content, summary: redact(content.summary), input: redact(content.input) };
    case 'unknown':
      return { ...content, input: redact(content.input) };
  }
};

/**
 * Masks an item before anything of it is cut or kept: half a secret is a secret (P7). A tool's input
 * and output are masked only where they will be shown; without `withDetails` they are left out.
 */
export const redactItem = (item: Item, redact: Redact, withDetails: boolean): Item => {
  switch (item.kind) {
    case 'text':
      return { ...item, text: redact(item.text) };
    case 'tool': {
      const { output, diff, ...rest } = item;
      return {
        ...rest,
        summary: redact(item.summary),
        input: withDetails ? redact(item.input) : '',
        ...(withDetails && output !== undefined && { output: redact(output) }),
        ...(withDetails && diff !== undefined && { diff: redact(diff) }),
      };
    }
    case 'dialog': {
      const answers = Object.entries(item.answers ?? {}).map(([q, a]) => [redact(q), redact(a)]);
      return {
        ...item,
        content: redactContent(item.content, redact),
        ...(item.answers !== undefined && { answers: Object.fromEntries(answers) }),
        ...(item.note !== undefined && { note: redact(item.note) }),
      };
    }
    case 'lifecycle':
      return {
        ...item,
        text: redact(item.text),
        ...(item.detail !== undefined && { detail: redact(item.detail) }),
      };
  }
};

/** The same for what the lists and the page's head show of a run. */
export const redactRun = (run: RunSummary, redact: Redact): RunSummary => ({
  ...run,
  cwd: redact(run.cwd),
  title: redact(run.title),
  ...(run.branch !== undefined && { branch: redact(run.branch) }),
  ...(run.name !== undefined && { name: redact(run.name) }),
  ...(run.resumeCommand !== undefined && { resumeCommand: redact(run.resumeCommand) }),
  ...(run.pendingDialog !== undefined && {
    pendingDialog: redactPending(run.pendingDialog, redact),
  }),
  state:
    run.state.name === 'unreachable' ? { ...run.state, why: redact(run.state.why) } : run.state,
});

/** The same for a dialog that another source than the transcript reports. */
export const redactPending = <T extends { readonly content: DialogContent }>(
  pending: T,
  redact: Redact,
): T => ({ ...pending, content: redactContent(pending.content, redact) });
