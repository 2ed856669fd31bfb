import { type Chain, link, newId } from './rows.ts';
import type { JsonObject } from './script.ts';

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
