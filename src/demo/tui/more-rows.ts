import { type Chain, link, newId } from './rows.ts';
import type { JsonObject } from './script.ts';

const iso = (at: number): string => new Date(at).toISOString();

export const interruptedRow = (
  chain: Chain,
  at: number,
  promptId: string,
  during: 'text' | 'tool',
  messageId?: string,
): JsonObject =>
  link(chain, at, {
    promptId,
    type: 'user',
    message: {
      role: 'user',
      content: [
        {
          type: 'text',
          text:
            during === 'tool'
              ? '[Request interrupted by user for tool use]'
              : '[Request interrupted by user]',
        },
      ],
    },
    rowSource: 'harness',
    ...(messageId === undefined ? {} : { interruptedMessageId: messageId }),
  });

export const enqueueRow = (chain: Chain, at: number, text: string): JsonObject => ({
  type: 'queue-operation',
  operation: 'enqueue',
  timestamp: iso(at),
  sessionId: chain.session,
  content: text,
});

export const dequeueRow = (chain: Chain, at: number): JsonObject => ({
  type: 'queue-operation',
  operation: 'dequeue',
  timestamp: iso(at),
  sessionId: chain.session,
});

/** Up takes the waiting messages back into the box. */
export const popAllRow = (chain: Chain, at: number, text: string): JsonObject => ({
  type: 'queue-operation',
  operation: 'popAll',
  timestamp: iso(at),
  sessionId: chain.session,
  content: text,
});

/** A waiting message goes in with a tool result: no user row, an attachment. */
export const absorbedRows = (
  chain: Chain,
  at: number,
  text: string,
  sentAt: number,
): { removed: JsonObject; attached: () => JsonObject } => {
  const commandUuid = newId(chain);
  const deliveryId = newId(chain);
  return {
    removed: {
      type: 'queue-operation',
      operation: 'remove',
      timestamp: iso(at),
      sessionId: chain.session,
      content: text,
      reason: 'absorbed_mid_turn',
      commandUuid,
      deliveryId,
    },
    attached: () =>
      link(chain, sentAt, {
        attachment: {
          type: 'queued_command',
          prompt: text,
          source_uuid: commandUuid,
          delivery_id: deliveryId,
          commandMode: 'prompt',
          origin: { kind: 'human' },
          timestamp: iso(sentAt),
          humanTurn: true,
        },
        type: 'attachment',
      }),
  };
};

export const apiErrorRow = (
  chain: Chain,
  at: number,
  status: number,
  message: string,
): JsonObject =>
  link(chain, at, {
    type: 'assistant',
    message: {
      id: newId(chain),
      model: '<synthetic>',
      role: 'assistant',
      stop_reason: 'stop_sequence',
      type: 'message',
      content: [{ type: 'text', text: `API Error: ${status} ${message}` }],
    },
    error: 'unknown',
    isApiErrorMessage: true,
    apiErrorStatus: status,
    apiErrorType: status === 400 ? 'invalid_request_error' : 'api_error',
  });

export const shellRows = (
  chain: Chain,
  at: number,
  promptId: string,
  command: string,
  stdout: string,
): JsonObject[] => [
  link(chain, at, {
    promptId,
    type: 'user',
    message: { role: 'user', content: `<bash-input>${command}</bash-input>` },
    rowSource: 'local',
  }),
  link(chain, at, {
    promptId,
    type: 'user',
    message: {
      role: 'user',
      content: `<bash-stdout>${stdout}</bash-stdout><bash-stderr></bash-stderr>`,
    },
    rowSource: 'local',
    turnOrigin: 'human',
  }),
];

const informational = (chain: Chain, at: number, content: string): JsonObject =>
  link(chain, at, {
    type: 'system',
    subtype: 'informational',
    content,
    isMeta: false,
    level: 'warning',
  });

/** A command that does not exist: the text is lost. */
export const unknownCommandRows = (
  chain: Chain,
  at: number,
  name: string,
  args: string,
): JsonObject[] => [
  informational(chain, at, `Unknown command: ${name}`),
  ...(args === '' ? [] : [informational(chain, at, `Args from unknown skill: ${args}`)]),
];

const commandText = (name: string, args: string): string =>
  `<command-name>/${name}</command-name>\n            <command-message>${name}</command-message>\n            <command-args>${args}</command-args>`;

const caveat =
  '<local-command-caveat>The command below was run directly in Claude Code, not sent to you as a request.</local-command-caveat>';

/** First rows of the session that /clear begins. */
export const clearedRows = (chain: Chain, at: number): JsonObject[] => [
  { type: 'mode', mode: 'normal', sessionId: chain.session },
  link(chain, at, {
    type: 'user',
    message: { role: 'user', content: caveat },
    isMeta: true,
    rowSource: 'harness',
  }),
  link(chain, at, {
    type: 'user',
    message: { role: 'user', content: commandText('clear', '') },
    rowSource: 'local',
  }),
  link(chain, at, {
    type: 'system',
    subtype: 'local_command',
    content: '<local-command-stdout></local-command-stdout>',
    level: 'info',
    isMeta: false,
    commandRun: { command: 'clear', args: '' },
  }),
];

export const compactedRows = (chain: Chain, at: number): JsonObject[] => {
  const logicalParentUuid = chain.leaf;
  const promptId = newId(chain);
  chain.leaf = null;
  return [
    link(chain, at, {
      logicalParentUuid,
      type: 'system',
      subtype: 'compact_boundary',
      content: 'Conversation compacted',
      level: 'info',
      compactMetadata: { trigger: 'manual', preTokens: 30, postTokens: 20, durationMs: 80 },
    }),
    link(chain, at, {
      promptId,
      type: 'user',
      message: {
        role: 'user',
        content:
          'This session is being continued from a previous conversation that ran out of context. (scripted summary)',
      },
      isVisibleInTranscriptOnly: true,
      isCompactSummary: true,
      rowSource: 'local',
    }),
    link(chain, at, {
      promptId,
      type: 'user',
      message: { role: 'user', content: commandText('compact', '') },
      rowSource: 'local',
    }),
    link(chain, at, {
      promptId,
      type: 'user',
      message: { role: 'user', content: '<local-command-stdout>Compacted</local-command-stdout>' },
      rowSource: 'local',
    }),
  ];
};

export const costStateRow = (chain: Chain): JsonObject => ({
  type: 'cost-state',
  totalCostUSD: 0.00044,
  totalAPIDuration: 69,
  totalToolDuration: 0,
  sessionId: chain.session,
});
