import { createHash } from 'node:crypto';
import type { Json, JsonObject } from './script.ts';

/** The record of one session: where the next row hangs, and what every row repeats. Rows advance it. */
export interface Chain {
  session: string;
  /** uuid of the row that the next one follows. */
  leaf: string | null;
  /** Everything random comes from it and a counter. */
  readonly seed: string;
  count: number;
  readonly cwd: string;
  readonly branch: string;
  readonly version: string;
  /** Bookkeeping of the first prompt is there. */
  hasBegun: boolean;
  prompts: number;
}

export const hashOf = (chain: Chain): string => {
  chain.count += 1;
  return createHash('sha256').update(`${chain.seed}:${chain.count}`).digest('hex');
};

export const newId = (chain: Chain): string => {
  const h = hashOf(chain);
  return `${h.slice(0, 8)}-${h.slice(8, 12)}-4${h.slice(13, 16)}-a${h.slice(17, 20)}-${h.slice(20, 32)}`;
};

const iso = (at: number): string => new Date(at).toISOString();

const common = (chain: Chain): JsonObject => ({
  userType: 'external',
  entrypoint: 'cli',
  cwd: chain.cwd,
  sessionId: chain.session,
  version: chain.version,
  gitBranch: chain.branch,
});

/** A row of the conversation: gets a uuid, hangs on the leaf and becomes it. */
export const link = (
  chain: Chain,
  at: number,
  content: JsonObject,
): JsonObject & { uuid: string } => {
  const uuid = newId(chain);
  const row = {
    parentUuid: chain.leaf,
    isSidechain: false,
    ...content,
    uuid,
    timestamp: iso(at),
    ...common(chain),
  };
  chain.leaf = uuid;
  return row;
};

const attachment = (chain: Chain, at: number, content: JsonObject): JsonObject =>
  link(chain, at, { attachment: content, type: 'attachment' });

/** What is re-appended again and again, before a prompt and after a turn. */
export const bookkeeping = (chain: Chain, mode: string): JsonObject[] => [
  { type: 'mode', mode: 'normal', sessionId: chain.session },
  { type: 'permission-mode', permissionMode: mode, sessionId: chain.session },
  { type: 'atis-latch', atis: '', sessionId: chain.session },
];

export const lastPrompt = (chain: Chain, text: string): JsonObject => ({
  type: 'last-prompt',
  lastPrompt: text.slice(0, 200),
  leafUuid: chain.leaf,
  sessionId: chain.session,
});

export interface PromptRow {
  readonly text: string;
  readonly promptId: string;
  readonly mode: string;
  /** Set: it waited in the queue since then, ms since the epoch. */
  readonly sentAt?: number;
}

/** A person's prompt; the first one of a session brings the bookkeeping of its start along. */
export const promptRows = (chain: Chain, at: number, prompt: PromptRow): JsonObject[] => {
  const isFirst = !chain.hasBegun;
  chain.hasBegun = true;
  chain.prompts += 1;
  const before = isFirst ? bookkeeping(chain, prompt.mode) : [];
  const row = link(chain, at, {
    promptId: prompt.promptId,
    type: 'user',
    message: { role: 'user', content: prompt.text },
    permissionMode: prompt.mode,
    origin: { kind: 'human' },
    promptSource: prompt.sentAt === undefined ? 'typed' : 'queued',
    ...(prompt.sentAt === undefined ? {} : { sentAtMs: prompt.sentAt }),
    turnOrigin: 'human',
    turnPosition: { promptIndex: chain.prompts, turnIndex: chain.prompts },
  });
  const snapshot = {
    type: 'file-history-snapshot',
    messageId: row.uuid,
    snapshot: { messageId: row.uuid, trackedFileBackups: {}, timestamp: iso(at) },
    isSnapshotUpdate: false,
  };
  if (!isFirst) return [snapshot, row];
  return [
    ...before,
    snapshot,
    row,
    attachment(chain, at, {
      type: 'environment',
      snapshot: { workingDirectory: chain.cwd, platform: 'linux', shell: 'bash' },
    }),
    attachment(chain, at, { type: 'date', date: iso(at).slice(0, 10) }),
    attachment(chain, at, { type: 'prompt_snapshot', systemPrompt: ['(scripted)'] }),
    { type: 'api-request', sessionId: chain.session, timestamp: iso(at), cut: true },
  ];
};

export interface BlockRow {
  readonly messageId: string;
  readonly requestId: string;
  readonly index: number;
  readonly block: JsonObject;
  readonly stopReason: 'end_turn' | 'tool_use' | null;
}

const usage: JsonObject = {
  input_tokens: 10,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 20,
};

/** One content block of an API message: one row. */
export const blockRow = (chain: Chain, at: number, row: BlockRow): JsonObject & { uuid: string } =>
  link(chain, at, {
    message: {
      id: row.messageId,
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-5-5',
      content: [row.block],
      stop_reason: row.stopReason,
      stop_sequence: null,
      usage,
    },
    apiBlockIndex: row.index,
    requestId: row.requestId,
    type: 'assistant',
    ...(row.stopReason === null ? { isAbortedMidStream: true } : {}),
  });

export interface ResultRow {
  readonly promptId: string;
  readonly toolUseId: string;
  /** uuid of the row with the call. */
  readonly assistantUuid: string;
  readonly content: string;
  readonly isError?: boolean;
  readonly toolUseResult: Json;
  readonly extra?: JsonObject;
}

export const resultRow = (chain: Chain, at: number, row: ResultRow): JsonObject =>
  link(chain, at, {
    promptId: row.promptId,
    type: 'user',
    message: {
      role: 'user',
      content: [
        {
          tool_use_id: row.toolUseId,
          type: 'tool_result',
          content: row.content,
          ...(row.isError === undefined ? {} : { is_error: row.isError }),
        },
      ],
    },
    toolUseResult: row.toolUseResult,
    ...row.extra,
    sourceToolAssistantUUID: row.assistantUuid,
  });

export const turnDurationRow = (chain: Chain, at: number, durationMs: number): JsonObject =>
  link(chain, at, {
    type: 'system',
    subtype: 'turn_duration',
    durationMs,
    messageCount: chain.prompts * 3,
    isMeta: false,
  });
