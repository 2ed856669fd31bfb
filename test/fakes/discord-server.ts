import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  Buckets,
  bucketOf,
  type Limits,
  noLimits,
  type RestFault,
  RestFaults,
} from './discord-faults.ts';
import { DiscordGateway } from './discord-gateway.ts';
import { Interactions } from './discord-interactions.ts';
import { DiscordFault } from './discord-model.ts';
import { DiscordPeople } from './discord-people.ts';
import { type Call, routes, type Upload } from './discord-routes.ts';
import { DiscordWorld } from './discord-world.ts';

export const discordToken = 'NzAwMDAwMDAwMDAwMDAwMDAx.dummy0.dummy-dummy-dummy-dummy';

interface Answer {
  readonly status: number;
  readonly body?: object | string;
  readonly headers?: Record<string, string>;
}

const readBody = async (
  request: IncomingMessage,
): Promise<{ body: unknown; files: readonly Upload[] }> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  if (bytes.length === 0) return { body: undefined, files: [] };
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/')) return { body: JSON.parse(String(bytes)), files: [] };
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData();
  const files: Upload[] = [];
  for (const [name, value] of form) {
    if (typeof value === 'string' || !name.startsWith('files[')) continue;
    files.push({
      filename: value.name,
      type: value.type === '' ? 'application/octet-stream' : value.type,
      size: value.size,
      text: await value.text(),
    });
  }
  const json = form.get('payload_json');
  return { body: typeof json === 'string' ? JSON.parse(json) : {}, files };
};

/**
 * Discord on loopback: REST v10 and Gateway, with everything that a person can do and everything
 * that can go wrong. Stateful: tests look at what stands there.
 */
export class DiscordServer {
  readonly world = new DiscordWorld();
  readonly interactions = new Interactions(this.world);
  readonly faults = new RestFaults();
  readonly people: DiscordPeople;
  readonly gateway: DiscordGateway;
  /** Every call that arrived, in order, as `POST /channels/1/messages`. */
  readonly calls: { readonly call: string; readonly at: number; readonly status: number }[] = [];
  limits: Limits = noLimits;
  /** Undefined: revoked. */
  token: string | undefined = discordToken;
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #buckets = new Buckets();
  #url = '';

  private constructor() {
    this.gateway = new DiscordGateway(this.world, this.#server);
    this.people = new DiscordPeople(this);
  }

  static async start(port = 0): Promise<DiscordServer> {
    const made = new DiscordServer();
    await new Promise<void>((resolve) => made.#server.listen(port, '127.0.0.1', resolve));
    const { port: at } = made.#server.address() as AddressInfo;
    made.#url = `http://127.0.0.1:${at}`;
    made.gateway.url = `ws://127.0.0.1:${at}`;
    made.gateway.token = discordToken;
    return made;
  }

  get apiUrl(): string {
    return `${this.#url}/api`;
  }

  get cdn(): string {
    return this.#url;
  }

  fail(fault: RestFault): void {
    this.faults.arm(fault);
  }

  revokeToken(): void {
    this.token = undefined;
    this.gateway.token = 'another';
    this.gateway.close(4004);
  }

  restoreToken(): void {
    this.token = discordToken;
    this.gateway.token = discordToken;
  }

  /** Nobody is at home: every connection is refused. Sessions do not outlive it. */
  async close(): Promise<void> {
    this.gateway.hangUp();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  async reopen(): Promise<void> {
    const { port } = new URL(this.#url);
    await new Promise<void>((resolve) =>
      this.#server.listen(Number(port), '127.0.0.1', () => resolve()),
    );
  }

  async stop(): Promise<void> {
    this.gateway.hangUp();
    if (this.#server.listening) await this.close();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = new URL(request.url ?? '/', this.#url);
      if (url.pathname.startsWith('/attachments/')) {
        this.#file(url.pathname, response);
        return;
      }
      const call = `${request.method ?? 'GET'} ${url.pathname.replace(/^\/api\/v10/, '')}`;
      const { body, files } = await readBody(request);
      const answer = this.#answer(call, request, { body, files, query: url.searchParams });
      if (answer === 'hang') return;
      if (answer === 'destroy') {
        request.socket.destroy();
        return;
      }
      this.calls.push({ call, at: Date.now(), status: answer.status });
      // As Discord does: an answer without a body says that it is HTML.
      const isText = typeof answer.body === 'string' || answer.body === undefined;
      response.writeHead(answer.status, {
        'content-type': isText ? 'text/html' : 'application/json',
        ...answer.headers,
      });
      response.end(isText ? answer.body : JSON.stringify(answer.body));
    } catch (error) {
      // A client that gave up in the middle of its request is what this server is for.
      response.destroy(error instanceof Error ? error : undefined);
    }
  }

  #file(path: string, response: ServerResponse): void {
    const [, , id = ''] = path.split('/');
    const found = this.world.messages.flatMap((m) => m.attachments).find((a) => a.id === id);
    response.statusCode = found === undefined ? 404 : 200;
    response.end(found?.text ?? 'gone');
  }

  #answer(
    call: string,
    request: IncomingMessage,
    rest: Pick<Call, 'body' | 'files' | 'query'>,
  ): Answer | 'hang' | 'destroy' {
    const fault = this.faults.take(call);
    const retryAfter = (fault?.retryAfterMs ?? 1_500) / 1_000;
    switch (fault?.kind) {
      case 'refused':
        return 'destroy';
      case 'hang-before':
        return 'hang';
      case 'broken':
        return { status: 500, body: 'oops' };
      case 'rate-limited':
        return this.#limited(retryAfter, {});
      case 'rate-limited-globally':
        return this.#limited(retryAfter, { 'x-ratelimit-global': 'true' });
      case 'banned':
        return {
          status: 429,
          body: '<html>error 1015</html>',
          headers: { 'retry-after': String(retryAfter) },
        };
      case 'unauthorised':
        return { status: 401, body: { message: '401: Unauthorized', code: 0 } };
      case 'rejected':
        return {
          status: 400,
          body: {
            code: 50035,
            message: 'Invalid Form Body',
            errors: { content: { _errors: [{ code: 'BAD', message: 'refused' }] } },
          },
        };
      default:
    }
    const limit = this.#limit(call);
    if ('status' in limit) return limit;
    const made = this.#route(call, request, rest);
    const answer = { ...made, headers: { ...limit.headers, ...made.headers } };
    if (fault === undefined) return answer;
    if (fault.kind === 'broken-after') return { status: 500, body: 'oops' };
    return fault.kind === 'lost' ? 'destroy' : 'hang';
  }

  #limited(retryAfter: number, headers: Record<string, string>): Answer {
    return {
      status: 429,
      body: {
        message: 'You are being rate limited.',
        retry_after: retryAfter,
        global: 'x-ratelimit-global' in headers,
      },
      headers: { 'retry-after': String(retryAfter), 'x-ratelimit-scope': 'user', ...headers },
    };
  }

  #limit(call: string): Answer | { readonly headers: Record<string, string> } {
    const now = Date.now();
    if (/^\S+ \/(interactions|gateway)/.test(call)) return { headers: {} };
    const global = this.#buckets.take('global', this.limits.global, now);
    if (!global.isAllowed)
      return this.#limited(global.resetAfterMs / 1_000, { 'x-ratelimit-global': 'true' });
    const { name, limit } = bucketOf(call, this.limits);
    const taken = this.#buckets.take(name, limit, now);
    const headers = {
      'x-ratelimit-limit': String(limit.calls),
      'x-ratelimit-remaining': String(taken.remaining),
      'x-ratelimit-reset': String((now + taken.resetAfterMs) / 1_000),
      'x-ratelimit-reset-after': String(taken.resetAfterMs / 1_000),
      'x-ratelimit-bucket': name.replace(/\W.*/, ''),
    };
    return taken.isAllowed ? { headers } : this.#limited(taken.resetAfterMs / 1_000, headers);
  }

  #route(
    call: string,
    request: IncomingMessage,
    rest: Pick<Call, 'body' | 'files' | 'query'>,
  ): Answer {
    const isOpen = /^\S+ \/(interactions|webhooks)\//.test(call);
    if (!isOpen && request.headers.authorization !== `Bot ${this.token ?? ''}`)
      return { status: 401, body: { message: '401: Unauthorized', code: 0 } };
    if (call === 'GET /gateway/bot') {
      const remaining = this.gateway.remainingStarts;
      return {
        status: 200,
        body: {
          url: this.gateway.url,
          shards: 1,
          session_start_limit: { total: 1_000, remaining, reset_after: 1, max_concurrency: 1 },
        },
      };
    }
    try {
      // The hidden sub-limit of names: everything else of the bucket still goes.
      if (
        /^PATCH \/channels\/\d+$/.test(call) &&
        (rest.body as { name?: string }).name !== undefined
      ) {
        const taken = this.#buckets.take(`renames ${call}`, this.limits.renames, Date.now());
        if (!taken.isAllowed) return this.#limited(taken.resetAfterMs / 1_000, {});
      }
      for (const [pattern, act] of [...this.interactions.routes, ...routes]) {
        const match = pattern.exec(call);
        if (match === null) continue;
        const made = act({ world: this.world, cdn: this.cdn, params: match.slice(1), ...rest });
        return made === undefined ? { status: 204 } : { status: 200, body: made };
      }
      return { status: 404, body: { message: '404: Not Found', code: 0 } };
    } catch (error) {
      if (!(error instanceof DiscordFault)) throw error;
      const { status, code, message, errors } = error;
      return { status, body: { code, message, ...(errors !== undefined && { errors }) } };
    }
  }
}
