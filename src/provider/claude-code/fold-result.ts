import type { DialogContent, DialogStatus, ToolStatus } from '../../bridge/model/conversation.ts';
import { boundedOutput, changed, type DialogDraft, type ToolDraft } from './fold-item.ts';
import { withoutEscapes } from './fold-markup.ts';
import { diffOf, jsonText } from './fold-tool.ts';
import { wordsOf } from './fold-user.ts';
import { type Block, contentOf, type UserRow } from './schema.ts';
import { type ToolResult, toolResult } from './schema-tools.ts';

const resultText = (block: Block): string => {
  const { content } = block;
  if (typeof content === 'string') return content;
  const blocks = contentOf(content);
  if (blocks !== undefined) return wordsOf(blocks);
  return content === undefined ? '' : jsonText(content);
};

/** What the result says beside its text. */
export const detailsOf = (row: UserRow): Partial<ToolResult> => {
  if (typeof row.toolUseResult !== 'object') return {};
  const read = toolResult.safeParse(row.toolUseResult);
  return read.success ? read.data : {};
};

const toolStatus = (row: UserRow, block: Block, wasCut: boolean): ToolStatus => {
  if (row.toolDenialKind !== undefined) {
    // An Escape while the call ran is recorded as a rejection too; only the one before it ran, or
    // one with words, was a person's denial (2.1.332; 2.1.269 does not tell them apart).
    const ran = row.toolDenialKind === 'user-rejected' && row.toolDenialBeforeRun !== true;
    return ran && row.userFeedback === undefined ? 'interrupted' : 'denied';
  }
  if (wasCut) return 'interrupted';
  return block.is_error === true ? 'failed' : 'done';
};

/** The recorded text of a launch is meant for the model alone. */
const LAUNCHED = 'Started in the background.';

/** A call whose result landed. */
export const finishedTool = (
  draft: ToolDraft,
  row: UserRow,
  block: Block,
  details: Partial<ToolResult>,
): ToolDraft => {
  const diff = diffOf(details);
  const status = toolStatus(row, block, details.interrupted === true);
  const ended =
    details.status === 'async_launched'
      ? changed(draft, { status, output: LAUNCHED, isBackground: true })
      : changed(draft, { status, output: boundedOutput(withoutEscapes(resultText(block))) });
  return diff === undefined ? ended : changed(ended, { diff: boundedOutput(diff) });
};

/** The person asked to talk about the question; the rest of the text instructs the model. */
const CLARIFY = 'The user wants to clarify these questions';

const wordsOfRefusal = (row: UserRow, text: string): string | undefined => {
  if (row.userFeedback?.startsWith(CLARIFY)) return `${CLARIFY}.`;
  if (row.userFeedback !== undefined) return row.userFeedback;
  return row.toolDenialKind === 'user-rejected' ? undefined : text;
};

const dialogEnd = (
  content: DialogContent,
  row: UserRow,
  block: Block,
  details: Partial<ToolResult>,
): { status: DialogStatus; note?: string } => {
  const text = resultText(block);
  if (details.afkTimeoutMs !== undefined) return { status: 'timed-out', note: text };
  if (row.toolDenialKind !== undefined || row.toolUseResult === 'User rejected tool use') {
    const note = wordsOfRefusal(row, text);
    return { status: 'declined', ...(note === undefined ? {} : { note }) };
  }
  // An error that nobody chose: the call was malformed or forbidden, and no dialog was shown.
  if (block.is_error === true) return { status: 'superseded', note: text };
  if (details.answers === undefined) {
    return content.type === 'plan' ? { status: 'answered' } : { status: 'answered', note: text };
  }
  return Object.keys(details.answers).length === 0
    ? { status: 'declined', note: text }
    : { status: 'answered' };
};

/** A question or a plan that was answered, declined or given up. */
export const finishedDialog = (
  draft: DialogDraft,
  row: UserRow,
  block: Block,
  details: Partial<ToolResult>,
): DialogDraft => {
  const end = dialogEnd(draft.content, row, block, details);
  const { answers } = details;
  const isAnswered = end.status === 'answered' && answers !== undefined;
  return { ...draft, ...end, ...(isAnswered ? { answers } : {}) };
};
