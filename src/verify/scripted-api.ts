import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { serve } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { type ApiRequest, readApiRequest, type ToolResult } from './api-request.ts';
import { Received, type ReceivedTurn, type ReplyEnd } from './received.ts';
import { eventsOf, messageOf } from './reply-events.ts';
import { replyTo, type ScriptedReply } from './reply-script.ts';

/** An Anthropic Messages API on loopback that answers by script and records what it was sent. */
export interface ScriptedApi {
  /** `http://127.0.0.1:PORT`, for ANTHROPIC_BASE_URL. */
  readonly url: string;
  /** Every turn of a person that reached the model, in order: the ground truth of "delivered". */
  received(): readonly ReceivedTurn[];
  /** The exact texts of all turns of the main conversation, flat. */
  texts(): readonly string[];
  /** Results of the agent's calls that reached the model, each once, in order. */
  results(): readonly ToolResult[];
  /** Replies that the agent gave up while they came: it was interrupted. */
  cutOff(): number;
  /** Replies that are being streamed or held now. */
  openReplies(): number;
  /**
   * Resolves with the turn that holds this very text (or one that matches), also when it came
   * before the call. Rejects after `withinMs` and says what came instead.
   */
  waitForText(wanted: string | RegExp, withinMs?: number): Promise<ReceivedTurn>;
  /** Ends all streams and the server. */
  close(): Promise<void>;
}

const maxBodyBytes = 64 * 1024 * 1024;
const maxHangMs = 30 * 60_000;

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

const errorResponse = (status: number): Response =>
  Response.json(
    {
      type: 'error',
      error: {
        type: errorTypes[status] ?? 'api_error',
        message: `Scripted error ${status}`,
      },
    },
    { status },
  );

const hasText = (turn: ReceivedTurn, wanted: string | RegExp): boolean =>
  turn.texts.some((text) => (typeof wanted === 'string' ? text === wanted : wanted.test(text)));

/** Listens on a free port of 127.0.0.1. */
export const startScriptedApi = async (): Promise<ScriptedApi> => {
  const log = new Received();
  const closing = new AbortController();
  const open = new Set<ReplyEnd[]>();
  const waiters = new Set<() => void>();
  let count = 0;

  const wait = async (ms: number, signal: AbortSignal): Promise<void> => {
    if (ms > 0) await sleep(ms, undefined, { signal });
    signal.throwIfAborted();
  };

  const hang = async (signal: AbortSignal): Promise<Response> => {
    await sleep(maxHangMs, undefined, { signal }).catch(() => undefined);
    return errorResponse(500);
  };

  const answer = async (c: Context, body: unknown): Promise<Response> => {
    const raw = c.req.raw;
    count += 1;
    const request: ApiRequest = readApiRequest(body, {
      session: raw.headers.get('x-claude-code-session-id') ?? undefined,
      agent: raw.headers.get('x-claude-code-agent-id') ?? undefined,
    });
    const { tries, ended } = log.add(request);
    const token: ReplyEnd[] = [];
    open.add(token);
    const end = (how: ReplyEnd) => {
      open.delete(token);
      ended(how);
    };
    for (const waiter of [...waiters]) waiter();
    const reply: ScriptedReply = replyTo(request, tries);
    const id = `${Date.now().toString(36)}${count}`;
    if (reply.do === 'hang') {
      const signal = AbortSignal.any([raw.signal, closing.signal]);
      return hang(signal).finally(() => end('aborted'));
    }
    if (reply.do === 'error') {
      end('error');
      return errorResponse(reply.status);
    }
    if (!request.isStream) {
      end('done');
      return Response.json(messageOf(reply, id, request.model));
    }
    return streamed(c, eventsOf(reply, id, request.model), end);
  };

  const app = new Hono();
  const streamed = (
    c: Context,
    events: ReturnType<typeof eventsOf>,
    end: (how: ReplyEnd) => void,
  ): Response =>
    streamSSE(c, async (stream) => {
      const gone = new AbortController();
      stream.onAbort(() => gone.abort());
      const signal = AbortSignal.any([gone.signal, closing.signal]);
      try {
        for (const event of events) {
          await wait(event.afterMs, signal);
          await stream.writeSSE({ event: event.event, data: event.data });
        }
        end('done');
      } catch {
        // The client went away or we close: an aborted reply, which is what some scripts want.
        end('aborted');
      }
    });

  app.post('/v1/messages/count_tokens', (c) => c.json({ input_tokens: 100 }));
  app.post('/v1/messages', async (c) => {
    const length = Number(c.req.header('content-length') ?? '0');
    if (length > maxBodyBytes) return errorResponse(413);
    const body: unknown = await c.req.json().catch(() => undefined);
    return body === undefined ? errorResponse(400) : answer(c, body);
  });
  app.get('/v1/models', (c) =>
    c.json({ data: [], has_more: false, first_id: null, last_id: null }),
  );
  app.all('*', (c) => c.json({}));

  const { server, port } = await new Promise<{ server: Server; port: number }>((resolve) => {
    const made = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, (info) =>
      resolve({ server: made as Server, port: info.port }),
    );
  });

  return {
    url: `http://127.0.0.1:${port}`,
    received: () => log.turns(),
    texts: () =>
      log
        .turns()
        .filter((turn) => turn.purpose === 'main')
        .flatMap((turn) => turn.texts),
    results: () => log.results(),
    cutOff: () => log.cutOff(),
    openReplies: () => open.size,
    waitForText: (wanted, withinMs = 10_000) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const turn = log.turns().find((each) => hasText(each, wanted));
          if (turn === undefined) return;
          clearTimeout(timer);
          waiters.delete(look);
          resolve(turn);
        };
        const timer = setTimeout(() => {
          waiters.delete(look);
          const got = JSON.stringify(log.turns().map((turn) => turn.texts)).slice(0, 2_000);
          reject(new Error(`no turn with ${String(wanted).slice(0, 200)} came; received: ${got}`));
        }, withinMs);
        waiters.add(look);
        look();
      }),
    close: async () => {
      closing.abort();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
