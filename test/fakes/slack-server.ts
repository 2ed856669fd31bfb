import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { type SlackFault, SlackFaults, SlackRates } from './slack-faults.ts';
import { METHODS, SCOPES } from './slack-methods.ts';
import { eventBody } from './slack-show.ts';
import { SlackSockets } from './slack-sockets.ts';
import { type Json, SlackRefusal, SlackWorld } from './slack-world.ts';

export interface SlackCall {
  readonly method: string;
  readonly args: Json;
  /** ms since the epoch. */
  readonly at: number;
}

const ALL_SCOPES = [
  ...new Set(Object.values(SCOPES).flat()),
  'app_mentions:read',
  'channels:read',
  'groups:read',
  'reactions:read',
];

const HTML = '<!DOCTYPE html><html><body>Slack is down for a moment</body></html>';

const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

const jsonIn = (value: string): unknown => {
  if (!/^[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
};

/** Arguments as they come: a form whose structured values are JSON. */
const argsOf = (request: IncomingMessage, body: Buffer): Json => {
  if (String(request.headers['content-type']).startsWith('application/json'))
    return JSON.parse(String(body)) as Json;
  const structured = ['blocks', 'metadata', 'files', 'file_ids', 'view', 'attachments'];
  return Object.fromEntries(
    [...new URLSearchParams(String(body))].map(([key, value]) => [
      key,
      structured.includes(key)
        ? jsonIn(value)
        : value === 'true' || value === 'false'
          ? value === 'true'
          : value,
    ]),
  );
};

/** The only part of a multipart body: its content. */
const partOf = (request: IncomingMessage, body: Buffer): Buffer => {
  const type = String(request.headers['content-type']);
  const boundary = /boundary=(?<b>[^;]+)/.exec(type)?.groups?.['b'];
  if (boundary === undefined) return body;
  const start = body.indexOf('\r\n\r\n') + 4;
  return body.subarray(start, body.lastIndexOf(`\r\n--${boundary}`));
};

/** Slack's Web API and Socket Mode on loopback, with one workspace behind them. */
export class SlackServer {
  readonly world = new SlackWorld();
  readonly faults = new SlackFaults();
  readonly rates = new SlackRates();
  readonly sockets = new SlackSockets(this.world);
  readonly calls: SlackCall[] = [];
  readonly botTokens = new Set(['xoxb-dummy-bot-token']);
  readonly appTokens = new Set(['xapp-dummy-app-token']);
  scopes: readonly string[] = ALL_SCOPES;
  /** Socket Mode is switched on in the app's settings. */
  isSocketModeOn = true;
  /** Next sockets that are refused at their handshake. */
  socketsToRefuse = 0;
  readonly #server: Server;
  readonly #upgrades = new WebSocketServer({ noServer: true, autoPong: false });
  readonly #tickets = new Set<string>();
  readonly #hanging = new Set<ServerResponse>();
  #port = 0;

  constructor() {
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
    this.#server.on('upgrade', (request, socket, head) => {
      const ticket = new URL(request.url ?? '/', 'http://x').searchParams.get('ticket') ?? '';
      const isKnown = this.#tickets.delete(ticket);
      if (!isKnown || this.socketsToRefuse > 0) {
        if (isKnown) this.socketsToRefuse--;
        socket.end(
          'HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
        );
        return;
      }
      this.#upgrades.handleUpgrade(request, socket, head, (ws: WebSocket) => this.sockets.add(ws));
    });
  }

  /** Root, with a final slash. */
  get url(): string {
    return `http://127.0.0.1:${this.#port}/`;
  }

  get apiUrl(): string {
    return `${this.url}api/`;
  }

  async listen(port = 0): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Nobody is at home: every connection is refused until `reopen`. */
  async close(): Promise<void> {
    this.sockets.drop();
    await this.#close();
  }

  reopen(): Promise<void> {
    return this.listen(this.#port);
  }

  async stop(): Promise<void> {
    this.sockets.stop();
    await this.#close();
  }

  async #close(): Promise<void> {
    for (const response of this.#hanging) response.destroy();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  /** An event of the Events API for the app. */
  emit(event: Json): void {
    this.sockets.event(eventBody(this.world, event));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://x');
    const body = await readBody(request);
    const [, place, name = ''] = pathname.split('/');
    const token = String(request.headers.authorization ?? '').replace(/^Bearer /, '');
    if (place === 'api') await this.#api(name, argsOf(request, body), token, response);
    else if (place === 'upload') this.#upload(name, partOf(request, body), response);
    else if (place === 'files') this.#download(name, token, response);
    else response.writeHead(404).end();
  }

  #upload(id: string, content: Buffer, response: ServerResponse): void {
    const file = this.world.files.get(id);
    if (file === undefined) {
      response.writeHead(404).end();
      return;
    }
    this.world.files.set(id, { ...file, content });
    response.end(`OK - ${content.length}`);
  }

  #download(id: string, token: string, response: ServerResponse): void {
    const file = this.world.files.get(id);
    // Without a token Slack answers with its sign-in page.
    if (!this.botTokens.has(token) || file === undefined) {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>');
      return;
    }
    response.writeHead(200, { 'content-type': file.mimetype }).end(file.content);
  }

  async #api(method: string, args: Json, given: string, response: ServerResponse): Promise<void> {
    const token = given === '' ? String(args['token'] ?? '') : given;
    this.calls.push({ method, args, at: Date.now() });
    const channel = args['channel'] === undefined ? undefined : String(args['channel']);
    const fault = this.faults.take(method, channel);
    if (fault !== undefined) {
      this.#fail(fault, () => this.#do(method, args, token), response);
      return;
    }
    const wait = this.rates.take(method, channel, Date.now());
    if (wait > 0) this.#tooMany(response, wait);
    else this.#send(response, this.#do(method, args, token));
  }

  #send(response: ServerResponse, body: Json): void {
    response.setHeader('content-type', 'application/json; charset=utf-8');
    response.setHeader('x-oauth-scopes', this.scopes.join(','));
    response.end(JSON.stringify(body));
  }

  #tooMany(response: ServerResponse, seconds: number): void {
    response.writeHead(429, { 'retry-after': String(seconds) });
    response.end(JSON.stringify({ ok: false, error: 'ratelimited' }));
  }

  #fail(fault: SlackFault, happen: () => void, response: ServerResponse): void {
    const { kind } = fault;
    if (typeof kind === 'object') {
      this.#send(response, { ok: false, error: kind.error });
      return;
    }
    if (kind === 'lost' || kind.endsWith('-after')) happen();
    switch (kind) {
      case 'lost':
      case 'reset':
        response.socket?.destroy();
        return;
      case 'hang-before':
      case 'hang-after':
        this.#hanging.add(response);
        return;
      case 'server-error':
      case 'server-error-after':
        response.writeHead(503).end('upstream connect error');
        return;
      case 'html':
      case 'html-after':
        response.writeHead(200, { 'content-type': 'text/html' }).end(HTML);
        return;
      case 'rate-limited':
        this.#tooMany(response, fault.retryAfter ?? 1);
        return;
      case 'rate-limited-without-header':
        response.writeHead(429).end();
        return;
    }
  }

  #do(method: string, args: Json, token: string): Json {
    try {
      if (method === 'apps.connections.open') return { ok: true, url: this.#ticket(token) };
      this.#authorize(method, token);
      const run = METHODS[method];
      if (run === undefined) throw new SlackRefusal('unknown_method');
      const { world, url, scopes } = this;
      const emit = (event: Json): void => this.emit(event);
      return { ok: true, ...run(args, { world, token, url, scopes, emit }) };
    } catch (error) {
      if (!(error instanceof SlackRefusal)) throw error;
      const { messages } = error;
      return {
        ok: false,
        error: error.error,
        ...(messages.length > 0 && { response_metadata: { messages } }),
      };
    }
  }

  #authorize(method: string, token: string): void {
    if (token === '') throw new SlackRefusal('not_authed');
    if (this.appTokens.has(token)) throw new SlackRefusal('not_allowed_token_type');
    if (!this.botTokens.has(token))
      throw new SlackRefusal(token.startsWith('xoxb-dummy') ? 'token_revoked' : 'invalid_auth');
    const wanted = SCOPES[method] ?? [];
    if (wanted.length > 0 && !wanted.some((scope) => this.scopes.includes(scope)))
      throw new SlackRefusal('missing_scope', [`needed: ${wanted.join(',')}`]);
  }

  #ticket(token: string): string {
    if (this.botTokens.has(token)) throw new SlackRefusal('not_allowed_token_type');
    if (!this.appTokens.has(token)) throw new SlackRefusal('invalid_auth');
    if (!this.isSocketModeOn) throw new SlackRefusal('socket_mode_not_enabled');
    const ticket = this.world.newId('ticket');
    this.#tickets.add(ticket);
    return `${this.url.replace('http', 'ws')}link/?ticket=${ticket}&app_id=a`;
  }
}
