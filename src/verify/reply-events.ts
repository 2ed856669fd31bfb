import type { ScriptedReply } from './reply-script.ts';

type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | {
      readonly type: 'tool_use';
      readonly id: string;
      readonly name: string;
      readonly input: Readonly<Record<string, unknown>>;
    };

/** One server-sent event of a streamed message, and how long to wait before it. */
export interface StreamEvent {
  readonly event: string;
  readonly data: string;
  readonly afterMs: number;
}

const tickMs = 250;

const blocksOf = (reply: ScriptedReply, id: string): readonly Block[] => {
  switch (reply.do) {
    case 'say':
      return [
        ...(reply.thinking === undefined
          ? []
          : [{ type: 'thinking' as const, thinking: reply.thinking, signature: 'scripted' }]),
        { type: 'text', text: reply.text },
      ];
    case 'tick': {
      const ticks = Math.round((reply.seconds * 1000) / tickMs);
      return [
        {
          type: 'text',
          text: Array.from({ length: ticks }, (_, k) => `${reply.word} ${k + 1} `).join(''),
        },
      ];
    }
    case 'call':
      return reply.calls.map((call, k) => ({ type: 'tool_use', id: `toolu_${id}_${k}`, ...call }));
    case 'hang':
    case 'error':
      return [];
  }
};

const stopReason = (reply: ScriptedReply) => (reply.do === 'call' ? 'tool_use' : 'end_turn');
const usage = { input_tokens: 100, output_tokens: 20 };

/** The whole message, as a plain response holds it. `id` is unique per request. */
export const messageOf = (reply: ScriptedReply, id: string, model: string): object => ({
  id: `msg_${id}`,
  type: 'message',
  role: 'assistant',
  model,
  content: blocksOf(reply, id),
  stop_reason: stopReason(reply),
  stop_sequence: null,
  usage,
});

const deltasOf = (block: Block, isTicking: boolean): readonly object[] => {
  switch (block.type) {
    case 'text': {
      const parts = isTicking ? (block.text.match(/\S+ \d+ /g) ?? []) : [block.text];
      return parts.map((text) => ({ type: 'text_delta', text }));
    }
    case 'thinking':
      return [
        { type: 'thinking_delta', thinking: block.thinking },
        { type: 'signature_delta', signature: block.signature },
      ];
    case 'tool_use':
      return [{ type: 'input_json_delta', partial_json: JSON.stringify(block.input) }];
  }
};

const opened = (block: Block): object => {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: '' };
    case 'thinking':
      return { type: 'thinking', thinking: '', signature: '' };
    case 'tool_use':
      return { type: 'tool_use', id: block.id, name: block.name, input: {} };
  }
};

/** The same message as the events of a stream. */
export const eventsOf = (
  reply: ScriptedReply,
  id: string,
  model: string,
): readonly StreamEvent[] => {
  const event = (type: string, body: object, afterMs = 0): StreamEvent => ({
    event: type,
    data: JSON.stringify({ type, ...body }),
    afterMs,
  });
  const isTicking = reply.do === 'tick';
  const start = { ...messageOf(reply, id, model), content: [], stop_reason: null };
  return [
    event('message_start', { message: start }),
    ...blocksOf(reply, id).flatMap((block, index) => [
      event(
        'content_block_start',
        { index, content_block: opened(block) },
        index === 0 && reply.do === 'call' ? (reply.afterMs ?? 0) : 0,
      ),
      ...deltasOf(block, isTicking).map((delta) =>
        event('content_block_delta', { index, delta }, isTicking ? tickMs : 0),
      ),
      event('content_block_stop', { index }),
    ]),
    event('message_delta', {
      delta: { stop_reason: stopReason(reply), stop_sequence: null },
      usage,
    }),
    event('message_stop', {}),
  ];
};
