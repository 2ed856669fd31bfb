import { z } from 'zod';

const text = z.string().optional().catch(undefined);

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

/** The parts of `toolUseResult` that decide what became of a call; it may also be a mere text. */
export const toolResult = z.object({
  answers: z.record(z.string(), z.string()).optional().catch(undefined),
  afkTimeoutMs: z.number().optional().catch(undefined),
  interrupted: z.boolean().optional().catch(undefined),
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
export type ToolResult = z.infer<typeof toolResult>;
