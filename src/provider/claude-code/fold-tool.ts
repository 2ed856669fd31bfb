import type { DialogContent } from '../../bridge/model/conversation.ts';
import { type DialogId, id } from '../../bridge/model/ids.ts';
import { boundedInput } from './fold-item.ts';
import { planInput, questionInput, type ToolResult } from './schema-tools.ts';

const SUMMARY_FIELDS = [
  'command',
  'file_path',
  'notebook_path',
  'pattern',
  'url',
  'query',
  'description',
  'skill',
  'prompt',
  'path',
  'subject',
] as const;
const SUMMARY_UNITS = 200;
/** A command can be a whole file long. */
const LOOKED_AT_UNITS = 2_000;

/** Nesting that JSON.parse reads can be too deep for JSON.stringify (about 5000 levels, Node 20). */
export const jsonText = (value: unknown): string => {
  try {
    return JSON.stringify(value ?? {}) ?? '{}';
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return '"(nested too deeply to be shown)"';
  }
};

const firstText = (fields: Readonly<Record<string, unknown>>): string | undefined => {
  for (const field of SUMMARY_FIELDS) {
    const value = fields[field];
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return undefined;
};

const SPACES = /\s+/g;
const IRREGULAR = /[^\S ]| {2}/;

const lineOf = (text: string): string => {
  const start = text.slice(0, LOOKED_AT_UNITS);
  return (IRREGULAR.test(start) ? start.replace(SPACES, ' ') : start).trim();
};

/** One line that tells what a call does; never empty. `json`: the input as text. */
export const summaryOf = (name: string, input: unknown, json: string): string => {
  const fields =
    typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {};
  const line = lineOf(firstText(fields) ?? (json === '{}' ? name : json));
  if (line.length <= SUMMARY_UNITS) return line === '' ? name : line;
  return `${Array.from(line).slice(0, SUMMARY_UNITS).join('')}…`;
};

/** The tools whose call is a dialog by itself. */
const DIALOG_TOOLS: ReadonlySet<string> = new Set(['AskUserQuestion', 'ExitPlanMode']);
export const isDialogTool = (name: string): boolean => DIALOG_TOOLS.has(name);

/** The tools that start a subagent. */
const AGENT_TOOLS: ReadonlySet<string> = new Set(['Agent', 'Task']);
export const isAgentTool = (name: string): boolean => AGENT_TOOLS.has(name);

const option = (o: {
  label: string;
  description?: string | undefined;
  preview?: string | undefined;
}) => ({
  label: o.label,
  ...(o.description === undefined ? {} : { description: o.description }),
  ...(o.preview === undefined ? {} : { preview: o.preview }),
});

/** What a question or a plan asks; `unknown` where its shape is not the one we know. */
export const dialogContentOf = (name: string, input: unknown): DialogContent => {
  if (name === 'AskUserQuestion') {
    const read = questionInput.safeParse(input);
    if (read.success) {
      const questions = read.data.questions.map((q) => ({ ...q, options: q.options.map(option) }));
      return { type: 'question', questions };
    }
  }
  if (name === 'ExitPlanMode') {
    const read = planInput.safeParse(input);
    if (read.success) {
      const { plan, planFilePath } = read.data;
      return {
        type: 'plan',
        plan,
        ...(planFilePath === undefined ? {} : { planFile: planFilePath }),
      };
    }
  }
  return { type: 'unknown', tool: name, input: boundedInput(jsonText(input)) };
};

/** The approval of a call that is not a dialog by itself. */
export const approvalContentOf = (tool: string, summary: string, input: string): DialogContent => ({
  type: 'approval',
  tool,
  summary,
  input,
});
export const approvalId = (call: string): DialogId => id<DialogId>(`approval:${call}`);

/** A unified diff of what an edit changed, where the result has one. */
export const diffOf = (result: Partial<ToolResult>): string | undefined => {
  const hunks = result.structuredPatch;
  if (hunks === undefined || hunks.length === 0) return undefined;
  const file = result.filePath ?? 'file';
  const body = hunks.map(
    (h) => `@@ -${h.oldStart},${h.oldLines} +${h.newStart},${h.newLines} @@\n${h.lines.join('\n')}`,
  );
  return `--- ${file}\n+++ ${file}\n${body.join('\n')}`;
};
