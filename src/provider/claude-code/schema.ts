import { z } from 'zod';

/**
 * The rows of a transcript as far as we use them (compat/claude-code, "Transcript schema").
 * Tolerant: a field of another shape reads as absent, unknown fields are ignored. Only the frame
 * (an object with a `type` that we use) is required.
 */
const text = z.string().optional().catch(undefined);
const flag = z.boolean().optional().catch(undefined);
const count = z.number().optional().catch(undefined);

/** What every row of the conversation's chain has. */
const chain = {
  uuid: text,
  /** `null` at the beginning; absent where the row belongs to no chain. */
  parentUuid: z.string().nullable().optional().catch(undefined),
  timestamp: text,
  isSidechain: flag,
  agentId: text,
  isMeta: flag,
};

const origin = z.object({ kind: text }).optional().catch(undefined);

const block = z
  .object({
    type: z.string(),
    text,
    thinking: text,
    id: text,
    name: text,
    input: z.unknown().optional(),
    tool_use_id: text,
    content: z.unknown().optional(),
    is_error: flag,
  })
  .catch({ type: 'unreadable' });
export type Block = z.infer<typeof block>;

const content = z.union([z.string(), z.array(block)]);

export const userRow = z.object({
  ...chain,
  type: z.literal('user'),
  message: z.object({ content }),
  promptSource: text,
  rowSource: text,
  origin,
  isCompactSummary: flag,
  toolUseResult: z.unknown().optional(),
  toolDenialKind: text,
  toolDenialBeforeRun: flag,
  userFeedback: text,
});
export type UserRow = z.infer<typeof userRow>;

export const assistantRow = z.object({
  ...chain,
  type: z.literal('assistant'),
  message: z.object({ content }),
  isAbortedMidStream: flag,
  isApiErrorMessage: flag,
  error: text,
  apiErrorStatus: count,
});
export type AssistantRow = z.infer<typeof assistantRow>;

export const systemRow = z.object({
  ...chain,
  type: z.literal('system'),
  subtype: text,
  content: text,
  level: text,
  pendingBackgroundAgentCount: count,
});
export type SystemRow = z.infer<typeof systemRow>;

export const attachmentRow = z.object({
  ...chain,
  type: z.literal('attachment'),
  attachment: z
    .object({ type: text, prompt: content.optional().catch(undefined), commandMode: text, origin })
    .catch({ type: undefined }),
});
export type AttachmentRow = z.infer<typeof attachmentRow>;

export const queueRow = z.object({
  type: z.literal('queue-operation'),
  operation: text,
  content: text,
  reason: text,
  timestamp: text,
});
export type QueueRow = z.infer<typeof queueRow>;

/** A title that a person (`custom-title`) or the agent gave. */
export const titleRow = z
  .object({
    type: z.enum(['custom-title', 'ai-title', 'agent-name', 'summary']),
    customTitle: text,
    aiTitle: text,
    agentName: text,
    summary: text,
  })
  .transform((row) => ({
    type: 'title' as const,
    isCustom: row.type === 'custom-title',
    title: row.customTitle ?? row.aiTitle ?? row.agentName ?? row.summary,
  }));
export type TitleRow = z.infer<typeof titleRow>;

/** The rows that hang on each other by `parentUuid`. */
export type ChainRow = UserRow | AssistantRow | SystemRow | AttachmentRow;
export type Row = ChainRow | QueueRow | TitleRow;

/** The row types that we read; every other type is counted and ignored. */
export const rowSchemas: Readonly<Record<string, z.ZodType<Row>>> = {
  user: userRow,
  assistant: assistantRow,
  system: systemRow,
  attachment: attachmentRow,
  'queue-operation': queueRow,
  'custom-title': titleRow,
  'ai-title': titleRow,
  'agent-name': titleRow,
  summary: titleRow,
};

/** What an AskUserQuestion asks. */
export const questionInput = z.object({
  questions: z
    .array(
      z.object({
        question: z.string(),
        header: z.string().catch(''),
        multiSelect: z.boolean().catch(false),
        options: z.array(z.object({ label: z.string(), description: text, preview: text })),
      }),
    )
    .min(1),
});

/** What an ExitPlanMode shows. */
export const planInput = z.object({ plan: z.string(), planFilePath: text });

/** The parts of `toolUseResult` that decide what became of a call. */
export const toolResult = z.object({
  answers: z.record(z.string(), z.string()).optional().catch(undefined),
  afkTimeoutMs: count,
  interrupted: flag,
  agentId: text,
  status: text,
  filePath: text,
  structuredPatch: z
    .array(
      z.object({
        oldStart: z.number(),
        oldLines: z.number(),
        newStart: z.number(),
        newLines: z.number(),
        lines: z.array(z.string()),
      }),
    )
    .optional()
    .catch(undefined),
});
