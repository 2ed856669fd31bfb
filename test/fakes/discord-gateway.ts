import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { withoutContent } from './discord-wire.ts';
import { type DiscordWorld, type Dispatch, ids } from './discord-world.ts';

interface Session {
  readonly id: string;
  readonly intents: number;
  readonly sent: { readonly s: number; readonly t: string; readonly d: object }[];
  seq: number;
  socket: WebSocket | undefined;
}

export const intent = {
  guilds: 1 << 0,
  members: 1 << 1,
  messages: 1 << 9,
  reactions: 1 << 10,
  messageContent: 1 << 15,
};

const neededFor = (t: string): number => {
  if (t.startsWith('MESSAGE_REACTION')) return intent.reactions;
  if (t.startsWith('MESSAGE')) return intent.messages;
  return t === 'INTERACTION_CREATE' ? 0 : intent.guilds;
};

/** The Gateway: sessions, heartbeats, RESUME with replay, and everything that goes wrong with it. */
export class DiscordGateway {
  readonly #world: DiscordWorld;
  readonly #server = new WebSocketServer({ noServer: true });
  readonly #sessions = new Map<string, Session>();
  readonly #sockets = new Set<WebSocket>();
  readonly #raw = new Set<Socket>();
  #made = 0;
  heartbeatMs = 41_250;
  /** The switch in the portal. */
  isContentAllowed = true;
  token = '';
  url = '';
  identifies = 0;
  resumes = 0;
  /** Every intents number that was asked for. */
  readonly intentsAsked: number[] = [];
  /** Connections that are refused before they are open. */
  refuses = 0;
  /** Connections are taken, and nothing is ever said. */
  isMute = false;
  /** Heartbeats are not acknowledged. */
  isSilent = false;
  /** How often the next dispatches are sent. */
  copies = 1;
  remainingStarts = 1_000;

  constructor(world: DiscordWorld, server: Server) {
    this.#world = world;
    world.onDispatch = (dispatch) => this.#dispatch(dispatch);
    server.on('upgrade', (request, socket: Socket, head) => {
      if (this.refuses > 0) {
        this.refuses--;
        socket.destroy();
        return;
      }
      this.#raw.add(socket);
      socket.on('close', () => this.#raw.delete(socket));
      this.#server.handleUpgrade(request, socket, head, (ws) => this.#greet(ws));
    });
  }

  get isConnected(): boolean {
    return [...this.#sessions.values()].some((s) => s.socket !== undefined);
  }

  get openSockets(): number {
    return this.#sockets.size;
  }

  /** The socket ends without a word; the session can be resumed. */
  drop(): void {
    for (const socket of this.#sockets) socket.terminate();
  }

  /** Half-open: nothing comes or goes any more, not even a goodbye, yet the socket stays open. */
  freeze(): void {
    for (const session of this.#sessions.values()) session.socket = undefined;
    for (const socket of this.#sockets) socket.removeAllListeners('message');
    for (const socket of this.#raw) socket.pause();
  }

  /** @param code 1000, 4004, 4014 … A session does not outlive 1000, 4004, 4007 and the like. */
  close(code: number): void {
    if (code < 4000 || (code >= 4003 && code !== 4009)) this.#sessions.clear();
    for (const socket of this.#sockets) socket.close(code, 'closed by the server');
  }

  askToReconnect(): void {
    this.#toAll({ op: 7, d: null });
  }

  invalidate(isResumable: boolean): void {
    if (!isResumable) this.#sessions.clear();
    this.#toAll({ op: 9, d: isResumable });
  }

  /** The last dispatch of that type comes once more, with a number of its own. */
  replay(type: string): void {
    for (const session of this.#sessions.values()) {
      const last = session.sent.findLast((sent) => sent.t === type);
      if (last !== undefined) this.#send(session, last.t, last.d);
    }
  }

  /** Something that is no packet, or none that anybody knows. */
  sayRaw(text: string): void {
    for (const socket of this.#sockets) socket.send(text);
  }

  hangUp(): void {
    this.#sessions.clear();
    for (const socket of this.#sockets) socket.terminate();
    for (const socket of this.#raw) socket.destroy();
  }

  #toAll(packet: object): void {
    for (const socket of this.#sockets) socket.send(JSON.stringify(packet));
  }

  #dispatch({ t, d, isPrivileged }: Dispatch): void {
    // Who is no member hears nothing but that.
    if (this.#world.isKicked && t !== 'GUILD_DELETE') return;
    for (const session of this.#sessions.values()) {
      const needed = neededFor(t);
      if (needed !== 0 && (session.intents & needed) === 0) continue;
      const mayRead = (session.intents & intent.messageContent) !== 0 || isPrivileged !== true;
      for (let n = 0; n < this.copies; n++) this.#send(session, t, mayRead ? d : withoutContent(d));
    }
  }

  #send(session: Session, t: string, d: object): void {
    const packet = { op: 0, s: ++session.seq, t, d };
    session.sent.push(packet);
    session.socket?.send(JSON.stringify(packet));
  }

  #greet(socket: WebSocket): void {
    this.#sockets.add(socket);
    socket.on('close', () => {
      this.#sockets.delete(socket);
      for (const session of this.#sessions.values())
        if (session.socket === socket) session.socket = undefined;
    });
    if (this.isMute) return;
    socket.send(JSON.stringify({ op: 10, d: { heartbeat_interval: this.heartbeatMs } }));
    socket.on('message', (data) => {
      const { op, d } = JSON.parse(String(data)) as { op: number; d: never };
      if (op === 1 && !this.isSilent) socket.send(JSON.stringify({ op: 11 }));
      if (op === 2) this.#identify(socket, d);
      if (op === 6) this.#resume(socket, d);
    });
  }

  #identify(socket: WebSocket, asked: { token: string; intents: number }): void {
    this.identifies++;
    this.remainingStarts--;
    this.intentsAsked.push(asked.intents);
    if (asked.token !== this.token) {
      socket.close(4004, 'Authentication failed.');
      return;
    }
    if ((asked.intents & intent.messageContent) !== 0 && !this.isContentAllowed) {
      socket.close(4014, 'Disallowed intent(s).');
      return;
    }
    const session: Session = {
      id: `session-${++this.#made}`,
      intents: asked.intents,
      sent: [],
      seq: 0,
      socket,
    };
    this.#sessions.set(session.id, session);
    const guilds = this.#world.isKicked ? [] : [{ id: ids.guild, unavailable: true }];
    this.#send(session, 'READY', {
      v: 10,
      user: this.#world.bot,
      guilds,
      session_id: session.id,
      resume_gateway_url: this.url,
      shard: [0, 1],
      application: { id: this.#world.bot.id, flags: 1 << 19 },
    });
    if (guilds.length > 0) this.#send(session, 'GUILD_CREATE', this.#world.guildOnWire());
  }

  #resume(socket: WebSocket, asked: { token: string; session_id: string; seq: number }): void {
    this.resumes++;
    const session = this.#sessions.get(asked.session_id);
    if (asked.token !== this.token || session === undefined) {
      socket.send(JSON.stringify({ op: 9, d: false }));
      return;
    }
    session.socket = socket;
    for (const packet of session.sent.filter((p) => p.s > asked.seq))
      socket.send(JSON.stringify({ op: 0, ...packet }));
    this.#send(session, 'RESUMED', {});
  }
}
