import { type Chain, link, newId } from './rows.ts';
import type { JsonObject } from './script.ts';

/** How a turn ends when it does not end by itself. */
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
