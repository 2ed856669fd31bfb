/**
 * The rows of a transcript as far as we use them (compat/claude-code, "Transcript schema").
 * Tolerant: a field of another shape reads as absent, unknown fields are ignored. Only the frame
 * (an object with a `type` that we use) is required. Written out by hand: every row of every
 * transcript passes here, and a schema library took a third of the whole reading time (zod 4.6, on
 * a recorded transcript of 80 MB). Without spreads, see fold-item.
 */
type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const text = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;
const flag = (value: unknown): boolean | undefined =>
  typeof value === 'boolean' ? value : undefined;
const count = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : undefined;
const kindOf = (value: unknown): string | undefined =>
  isFields(value) ? text(value.kind) : undefined;

/** What every row of the conversation's chain has. */
interface Chain {
  readonly uuid: string | undefined;
  /** `null` at the beginning; absent where the row belongs to no chain. */
  readonly parentUuid: string | null | undefined;
  readonly timestamp: string | undefined;
  readonly isSidechain: boolean;
  /** Copied from another session by /branch. */
  readonly isCopied: boolean;
  readonly agentId: string | undefined;
}

export interface Block {
  readonly type: string;
  readonly text: string | undefined;
  readonly thinking: string | undefined;
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly input: unknown;
  readonly tool_use_id: string | undefined;
  readonly content: unknown;
  readonly is_error: boolean | undefined;
}
export type Content = string | readonly Block[];

export interface UserRow extends Chain {
  readonly type: 'user';
  readonly message: { readonly content: Content };
  readonly promptSource: string | undefined;
  readonly rowSource: string | undefined;
  /** `human`, `peer`, `task-notification` … */
  readonly origin: string | undefined;
  readonly isMeta: boolean;
  readonly isCompactSummary: boolean;
  readonly toolUseResult: unknown;
  readonly toolDenialKind: string | undefined;
  readonly toolDenialBeforeRun: boolean | undefined;
  readonly userFeedback: string | undefined;
}

export interface AssistantRow extends Chain {
  readonly type: 'assistant';
  readonly message: { readonly content: Content };
  readonly isAbortedMidStream: boolean;
  readonly isApiErrorMessage: boolean;
  readonly error: string | undefined;
  readonly apiErrorStatus: number | undefined;
}

export interface SystemRow extends Chain {
  readonly type: 'system';
  readonly subtype: string | undefined;
  readonly content: string | undefined;
  readonly pendingBackgroundAgentCount: number | undefined;
}

export interface AttachmentRow extends Chain {
  readonly type: 'attachment';
  readonly attachment: {
    readonly type: string | undefined;
    readonly prompt: Content | undefined;
    readonly origin: string | undefined;
    /** Of a hook: which call it has decided, and how (`allow`, `deny`). */
    readonly decided?: { readonly call: string; readonly decision: string };
  };
}

export interface QueueRow {
  readonly type: 'queue-operation';
  readonly operation: string | undefined;
  readonly content: string | undefined;
  readonly reason: string | undefined;
}

export interface TitleRow {
  readonly type: 'title';
  /** A person gave it. */
  readonly isCustom: boolean;
  readonly title: string | undefined;
}

/** The rows that hang on each other by `parentUuid`. */
export type ChainRow = UserRow | AssistantRow | SystemRow | AttachmentRow;
export type Row = ChainRow | QueueRow | TitleRow;

const parentOf = (row: Fields): string | null | undefined =>
  row.parentUuid === null ? null : text(row.parentUuid);

const blockOf = (value: unknown): Block => {
  const block = isFields(value) ? value : {};
  return {
    type: text(block.type) ?? 'unreadable',
    text: text(block.text),
    thinking: text(block.thinking),
    id: text(block.id),
    name: text(block.name),
    input: block.input,
    tool_use_id: text(block.tool_use_id),
    content: block.content,
    is_error: flag(block.is_error),
  };
};

/** The blocks of a message or of a tool's result; `undefined` for another shape. */
export const contentOf = (value: unknown): Content | undefined => {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map(blockOf) : undefined;
};

const messageOf = (row: Fields): { readonly content: Content } | undefined => {
  const content = isFields(row.message) ? contentOf(row.message.content) : undefined;
  return content === undefined ? undefined : { content };
};

const userRow = (row: Fields): UserRow | undefined => {
  const message = messageOf(row);
  if (message === undefined) return undefined;
  return {
    uuid: text(row.uuid),
    parentUuid: parentOf(row),
    timestamp: text(row.timestamp),
    isSidechain: row.isSidechain === true,
    isCopied: row.forkedFrom !== undefined,
    agentId: text(row.agentId),
    type: 'user',
    message,
    promptSource: text(row.promptSource),
    rowSource: text(row.rowSource),
    origin: kindOf(row.origin),
    isMeta: row.isMeta === true,
    isCompactSummary: row.isCompactSummary === true,
    toolUseResult: row.toolUseResult,
    toolDenialKind: text(row.toolDenialKind),
    toolDenialBeforeRun: flag(row.toolDenialBeforeRun),
    userFeedback: text(row.userFeedback),
  };
};

const assistantRow = (row: Fields): AssistantRow | undefined => {
  const message = messageOf(row);
  if (message === undefined) return undefined;
  return {
    uuid: text(row.uuid),
    parentUuid: parentOf(row),
    timestamp: text(row.timestamp),
    isSidechain: row.isSidechain === true,
    isCopied: row.forkedFrom !== undefined,
    agentId: text(row.agentId),
    type: 'assistant',
    message,
    isAbortedMidStream: row.isAbortedMidStream === true,
    isApiErrorMessage: row.isApiErrorMessage === true,
    error: text(row.error),
    apiErrorStatus: count(row.apiErrorStatus),
  };
};

const systemRow = (row: Fields): SystemRow => ({
  uuid: text(row.uuid),
  parentUuid: parentOf(row),
  timestamp: text(row.timestamp),
  isSidechain: row.isSidechain === true,
  isCopied: row.forkedFrom !== undefined,
  agentId: text(row.agentId),
  type: 'system',
  subtype: text(row.subtype),
  content: text(row.content),
  pendingBackgroundAgentCount: count(row.pendingBackgroundAgentCount),
});

const attachmentRow = (row: Fields): AttachmentRow => {
  const attachment = isFields(row.attachment) ? row.attachment : {};
  const type = text(attachment.type);
  return {
    uuid: text(row.uuid),
    parentUuid: parentOf(row),
    timestamp: text(row.timestamp),
    isSidechain: row.isSidechain === true,
    isCopied: row.forkedFrom !== undefined,
    agentId: text(row.agentId),
    type: 'attachment',
    attachment: {
      type,
      prompt: type === 'queued_command' ? contentOf(attachment.prompt) : undefined,
      origin: kindOf(attachment.origin),
      ...(type === 'hook_permission_decision' && {
        decided: {
          call: text(attachment.toolUseID) ?? '',
          decision: text(attachment.decision) ?? '',
        },
      }),
    },
  };
};

const titleRow = (row: Fields): TitleRow => ({
  type: 'title',
  isCustom: row.type === 'custom-title',
  title: text(row.customTitle) ?? text(row.aiTitle) ?? text(row.agentName) ?? text(row.summary),
});

/** A parsed line as a row; `undefined`: of a type or a shape that we do not use. */
export const rowOf = (value: unknown): Row | undefined => {
  if (!isFields(value)) return undefined;
  switch (value.type) {
    case 'user':
      return userRow(value);
    case 'assistant':
      return assistantRow(value);
    case 'system':
      return systemRow(value);
    case 'attachment':
      return attachmentRow(value);
    case 'queue-operation':
      return {
        type: 'queue-operation',
        operation: text(value.operation),
        content: text(value.content),
        reason: text(value.reason),
      };
    case 'custom-title':
    case 'ai-title':
    case 'agent-name':
    case 'summary':
      return titleRow(value);
    default:
      return undefined;
  }
};
